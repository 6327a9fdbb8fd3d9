"""The step pane: heading, buttons, waterfall and facts of the step that is looked at."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.models.phases import duration
from app.views.inspector.step import StepPane
from tests.app.inspector.long_replies import grow
from tests.app.inspector.traced import NAMES, raw_of, reply_of

ORDER = ("interface", "draft", "verify", "rollback", "emit")


@pytest.fixture
def pane(qtbot, theme, inspection):
    pane = StepPane(theme, inspection)
    qtbot.addWidget(pane)
    pane.resize(331, 700)
    pane.show()
    return pane


@pytest.mark.parametrize("name", NAMES)
def test_durations_are_those_of_the_trace(pane, inspection, name):
    inspection.show_reply(reply_of(name))
    raw = raw_of(name)
    for number, (step, span) in enumerate(raw.times):
        inspection.select_step(number)
        assert pane.heading.text() == f"Step {number + 1} of {len(raw.steps)}"
        own = step["seconds"]
        seconds = {"interface": max(0.0, span - sum(own.values()))} | own
        label = f"roll back · {step['rollback']}" if step["rollback"] else "roll back"
        names = dict(zip(ORDER, ORDER, strict=True)) | {"rollback": label}
        expected = ". ".join(f"{names[name]} {duration(seconds[name])}" for name in ORDER)
        assert pane.waterfall.accessibleDescription() == expected


def test_a_phase_that_took_any_time_is_seen_and_lies_on_the_axis(pane, inspection):
    inspection.show_reply(reply_of("local"))
    inspection.select_step(6)
    spans = pane.waterfall.spans
    bars = [pane.waterfall.bar(span, row) for row, span in enumerate(spans)]
    assert all(bar.width() >= 2 for bar, span in zip(bars, spans, strict=True) if span.seconds)
    assert [bar.left() for bar in bars] == sorted(bar.left() for bar in bars)
    assert max(bars, key=lambda bar: bar.width()) is bars[2]
    assert "forward pass" in pane.waterfall.words_at(QPoint(150, 2 + 2 * 22 + 5))
    assert "each recurrence" in pane.waterfall.words_at(QPoint(150, 2 + 3 * 22 + 5))


def test_a_plain_step_says_that_nothing_was_drafted_and_why(pane, inspection):
    inspection.show_reply(reply_of("off"))
    assert pane.outcome.text() == (
        "Plain step, nothing was drafted: speculation is off: it is switched off."
    )
    inspection.show_reply(reply_of("local"))
    inspection.select_step(0)
    assert pane.outcome.text().startswith("Nothing was left to verify: the first")
    kinds = [chip.kind for chip in pane.draft.chips]
    assert (kinds.count("excluded"), kinds.count("behind")) == (1, 4)
    inspection.select_step(4)
    assert pane.outcome.text() == "5 accepted, 1 bonus."


def test_buttons_move_the_step_and_end_at_the_ends(pane, inspection):
    inspection.show_reply(reply_of("cancelled"))
    QTest.mouseClick(pane.previous, Qt.MouseButton.LeftButton)
    assert inspection.selected_step == 4
    QTest.mouseClick(pane.next, Qt.MouseButton.LeftButton)
    assert inspection.selected_step == 5
    assert not pane.next.isEnabled()
    inspection.select_step(0)
    assert not pane.previous.isEnabled()


def test_a_token_that_is_clicked_is_selected(pane, inspection):
    reply = reply_of("local")
    inspection.show_reply(reply)
    inspection.select_step(4)
    pane.draft.token_chosen.emit(2)
    assert inspection.token == reply.log.first_token(4) + 2
    assert inspection.step == 4


def test_without_a_step_there_is_a_sentence(pane, inspection):
    assert pane.empty.isVisible()
    assert not pane.body.isVisible()
    inspection.show_reply(reply_of("local"))
    assert pane.body.isVisible()
    assert not pane.empty.isVisible()


def test_facts_have_meanings_for_everyone(pane, inspection):
    inspection.show_reply(reply_of("carry"))
    inspection.select_step(9)
    assert [line.name for line in pane.facts.lines][:2] == ["position", "pending"]
    for name, value in pane.facts._rows[: len(pane.facts.lines)]:
        assert name.toolTip() == value.accessibleDescription() != ""
    inspection.select_step(1)
    shown = [value.text() for _, value in pane.facts._rows if value.isVisible()]
    assert shown == [line.text for line in pane.facts.lines]


def test_a_growing_reply_is_taken_in_later_and_not_at_all_when_hidden(
    pane, inspection, growing, qtbot, monkeypatch
):
    calls = []
    refresh = pane.steps.refresh
    monkeypatch.setattr(pane.steps, "refresh", lambda: calls.append(1) or refresh())
    inspection.show_reply(growing)
    calls.clear()
    for _ in range(30):
        grow(growing, 1)
        inspection.show_reply(growing)
    assert calls == []
    qtbot.waitUntil(lambda: pane.heading.text() == "Step 130 of 130")
    assert calls == [1]
    pane.hide()
    grow(growing, 1)
    inspection.show_reply(growing)
    inspection.select_step(3)
    assert not pane._due.is_awaited
    assert pane.heading.text() == "Step 130 of 130"
    pane.show()
    assert pane.heading.text() == "Step 4 of 131"
