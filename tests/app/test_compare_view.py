"""Compare as it is seen: choices, table, words, keys, both texts scrolled together, the mark."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QBoxLayout, QScrollArea

from app.models.comparison import Comparison
from app.models.display import TokenDisplay
from app.models.inspection import Inspection
from app.models.model_state import ModelState
from app.models.reply import Reply
from app.theme import Theme
from app.views.compare.pane import ComparePane
from app.views.compare.view import CompareView
from app.views.stylesheet import style_sheet
from engine import (
    Failed,
    Finished,
    GenerationRequest,
    Loaded,
    LoadProgress,
    Message,
    SpeculationParams,
)
from tests.app.test_comparison import (
    DEMO,
    OFF,
    ON,
    PARTED,
    ids_of,
    parted,
    reply_of,
    speed_of,
    steps_of,
)
from tests.fakes.scripted_worker import reply_events, tokens_of
from tests.fakes.scripted_worker import steps_of as scripted


class Stand:
    """A pane over its models."""

    def __init__(self, qtbot):
        self.comparison, self.inspection, self.model = Comparison(), Inspection(), ModelState()
        self.pane = ComparePane(Theme("light"), self.comparison, self.inspection, self.model)
        # As the dock shows it: as wide as its tab, scrolling where it is taller.
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setWidget(self.pane)
        qtbot.addWidget(self.area)
        self.area.resize(331, 700)
        self.area.show()

    def load(self, info=DEMO):
        self.model.apply(Loaded(1, info))

    def show(self, name="local"):
        reply = reply_of(name)
        self.inspection.show_reply(reply)
        return reply

    def compare(self, reply, *reruns):
        self.comparison.begin(reply, reruns)
        for row in self.comparison.reruns:
            self.comparison.run(row)
            self.comparison.close(row)
        self.pane._refresh()

    def cells(self, number):
        row = self.pane.table.rows[number]
        return [label.text() for label in row.numbers]


@pytest.fixture
def stand(qtbot):
    return Stand(qtbot)


@pytest.fixture
def ready(stand):
    stand.load()
    stand.reply = stand.show()
    return stand


def test_before_there_is_anything_it_says_what_is_missing(stand):
    pane = stand.pane
    assert pane.hint.text() == "There is no reply to run again yet; ask something first."
    assert not pane.button.isVisible()
    assert not pane.choices.isVisible()
    stand.show()
    assert "No model" in pane.hint.text()
    stand.load(replace(DEMO, name="zebra"))
    assert "zebra is loaded" in pane.hint.text()
    stand.load()
    assert not pane.hint.isVisible()
    assert pane.choices.isVisible()


def test_the_model_that_wrote_the_reply_can_be_loaded_where_it_is_missing(stand, qtbot):
    button, hint, asked = stand.pane.obstacle.button, stand.pane.hint, []
    stand.pane.obstacle.load_requested.connect(asked.append)
    here = {"demo"}
    stand.pane.obstacle.is_here = here.__contains__
    stand.pane._refresh()
    assert not button.isVisible()
    stand.show()
    assert hint.text() == (
        "No model is loaded; load Demo model, which wrote this reply, to run it again."
    )
    assert button.text() == "Load Demo model"
    button.setFocus()
    QTest.keyClick(button, Qt.Key.Key_Space)
    assert asked == ["demo"]
    stand.model.begin("demo")
    stand.model.apply(LoadProgress(1, "weights", 0.4))
    assert hint.text() == "Demo model is loading, 40\u00a0%."
    assert not button.isVisible()
    stand.model.apply(Failed(1, "There is no room for it."))
    assert hint.text() == "There is no room for it."
    assert button.isVisible()
    stand.model.begin("zebra")
    stand.load(replace(DEMO, name="zebra"))
    assert "zebra is loaded" in hint.text()
    assert button.isVisible()
    here.clear()
    stand.pane._refresh()
    assert not button.isVisible()
    here.add("demo")
    stand.load()
    assert not button.isVisible()
    assert not hint.isVisible()
    assert stand.pane.choices.isVisible()


def test_where_more_than_the_model_is_missing_none_is_offered(stand):
    stand.pane.obstacle.is_here = lambda _target: True
    for reply in (Reply(), reply_of("local", most=3)):
        stand.inspection.show_reply(reply)
        stand.pane._refresh()
        assert stand.pane.hint.isVisible()
        assert not stand.pane.obstacle.button.isVisible()


def test_the_baselines_are_checked_and_a_choice_stays_from_reply_to_reply(ready):
    boxes = ready.pane.choices.checks
    assert [name for name, box in boxes.items() if box.isChecked()] == [
        "again, as it was",
        "speculation off",
    ]
    assert ready.pane.button.text() == "Run 2 replies"
    QTest.keyClick(boxes["carry rollback"], Qt.Key.Key_Space)
    QTest.mouseClick(boxes["again, as it was"], Qt.MouseButton.LeftButton, pos=QPoint(60, 12))
    ready.show("discard")
    boxes = ready.pane.choices.checks
    assert [name for name, box in boxes.items() if box.isChecked()] == [
        "speculation off",
        "carry rollback",
    ]
    for name in ("speculation off", "carry rollback"):
        boxes[name].setChecked(False)
    assert not ready.pane.button.isEnabled()
    assert ready.pane.status.accessibleName() == "Choose at least one"


def test_run_asks_for_the_chosen_variants_of_the_shown_reply(ready, qtbot):
    pane = ready.pane
    pane.choices.checks["replay off (discard)"].setChecked(True)
    with qtbot.waitSignal(pane.run_requested) as asked:
        pane.button.click()
    reply, variants = asked.args
    assert reply is ready.reply
    assert [variant.label for variant in variants] == [
        "again, as it was",
        "speculation off",
        "replay off (discard)",
    ]
    assert variants[1].speculation == SpeculationParams(enabled=False, draft_length=5)


def test_keys_go_from_box_to_button_to_the_chosen_row(ready, qtbot):
    pane = ready.pane
    ready.compare(ready.reply, ("carry rollback", reply_of("carry", ON)))
    ready.area.activateWindow()
    first = next(iter(pane.choices.checks.values()))
    first.setFocus()
    qtbot.waitUntil(first.hasFocus)
    visited = []
    for _ in range(len(pane.choices.checks) + 2):
        visited.append(ready.area.focusWidget())
        QTest.keyClick(ready.area.focusWidget(), Qt.Key.Key_Tab)
    assert visited == [*pane.choices.checks.values(), pane.button, pane.table.rows[1]]
    assert ready.area.focusWidget() is pane.show_button
    assert all(box.accessibleName() for box in pane.choices.checks.values())


def test_cells_are_what_the_trace_gives(ready):
    ready.compare(
        ready.reply, ("carry rollback", reply_of("carry", ON)), ("off", reply_of("off", OFF))
    )
    for number, name in enumerate(("local", "carry", "off")):
        steps = steps_of(name)
        verified, accepted = (
            sum(len(step["draft"]) for step in steps),
            sum(step["accepted"] for step in steps),
        )
        assert ready.cells(number) == [
            f"{speed_of(name):.1f}",
            f"{speed_of(name) / speed_of('off'):.2f}×" if number else "–",
            f"{len(ids_of(name)) / len(steps):.2f}",
            str(sum(step["forwards"] for step in steps)),
            f"{accepted / verified * 100:.0f}\u00a0%" if verified else "–",
            f"{steps[0]['time']:.2f} s",
        ]
    rows = ready.pane.table.rows
    assert [row.ids.text() for row in rows] == ["58 ids", "equal ✓", "first 40 equal"]
    assert "yardstick" in rows[2].name.accessibleName()
    assert "off" in ready.pane.yardstick.text()
    assert rows[1].numbers[3].accessibleName() == "forwards: 17"
    assert "carry rollback. equal ✓. tok/s" in rows[1].accessibleName()


def test_columns_align_below_their_heads(ready, qtbot):
    ready.compare(ready.reply, ("carry rollback", reply_of("carry", ON)))
    table = ready.pane.table
    qtbot.waitUntil(lambda: table.rows[1].numbers[5].width() > 0)

    def right(label):
        return label.mapTo(table, label.rect().topRight()).x()

    for column, head in enumerate(table.heads):
        assert {right(row.numbers[column]) for row in table.rows} == {right(head)}
        assert head.fontMetrics().horizontalAdvance(head.text()) <= head.width()


@pytest.mark.parametrize(
    ("seconds", "words"), [(9.87, "9.87 s"), (15.47, "15.5 s"), (154.7, "155 s")]
)
def test_neighbouring_numbers_never_touch(ready, qtbot, seconds, words):
    def late(event):
        if not isinstance(event, Finished):
            return event
        return replace(event, stats=replace(event.stats, first_token_seconds=seconds))

    ready.compare(ready.reply, ("carry rollback", reply_of("carry", ON, late)))
    numbers = ready.pane.table.rows[1].numbers
    qtbot.waitUntil(lambda: numbers[5].width() > 0)
    assert numbers[5].text() == words
    for label in numbers[1:]:
        text = label.fontMetrics().horizontalAdvance(label.text())
        assert text + label.fontMetrics().horizontalAdvance(" ") <= label.width(), label.text()


def test_arrows_choose_a_row_and_words_explain_it(ready):
    guarded = reply_of("local", alter=parted(0.3))
    reruns = (("replay off (discard)", reply_of("discard", ON)), ("off", reply_of("off", OFF)))
    ready.compare(guarded, *reruns)
    pane, table = ready.pane, ready.pane.table
    assert table.current == 1
    assert pane.chosen.text() == "Replay off (discard)"
    difference = ready.comparison.rows[1].ids.difference
    text = pane.words.text()
    ratio = speed_of("discard") / speed_of("off")
    assert f"Slower than off: {ratio:.2f}× its speed." in text
    assert f"The texts part at token {PARTED + 1}" in text
    assert "led by 0.250 logits" in text
    assert f"led by {difference.other.margin:.3f} logits" in text
    assert "A near-tie: rounding in a block may turn leads of up to 0.300 logits here." in text
    assert pane.words.accessibleName() == text
    QTest.keyClick(table.rows[1], Qt.Key.Key_Down)
    assert table.current == 2
    assert "The yardstick" in pane.words.text()
    QTest.keyClick(table.rows[2], Qt.Key.Key_Home)
    assert table.current == 0
    assert pane.words.text() == "The reply as it was written; it is not run again."
    assert not pane.show_button.isVisible()
    QTest.keyClick(table.rows[0], Qt.Key.Key_End)
    assert table.current == 2


def slower(share):
    """An alteration: the run as a whole at this share of its speed."""

    def alter(event):
        if not isinstance(event, Finished):
            return event
        return replace(event, stats=replace(event.stats, decode_tps=share * event.stats.decode_tps))

    return alter


def test_where_only_chance_parts_the_speeds_no_verdict_is_given(ready):
    plain = reply_of("off", ON, slower(0.81))
    ready.compare(ready.reply, ("again, as it was", plain), ("off", reply_of("off", OFF)))
    text = ready.pane.words.text()
    assert text.startswith(
        "Neither made a draft: both decoded plainly, and the difference in speed"
        " (0.81× that of off) is noise."
    )
    assert "Slower" not in text
    first = reply_of("local", ON)
    ready.compare(first, ("again, as it was", reply_of("local", ON, slower(1.3))))
    text = ready.pane.words.text()
    assert text.startswith(
        "The settings and the steps were those of this reply: the difference in speed"
        " (1.30× that of this reply) is noise."
    )
    ready.compare(first, ("again, as it was", reply_of("local", ON, slower(0.96))))
    assert "About as fast as this reply (0.96×)." in ready.pane.words.text()


@pytest.mark.parametrize(
    ("guard", "words"), [(0.0, "is not known"), (0.1, "Not a near-tie"), (0.25, "A near-tie")]
)
def test_a_tie_is_called_what_it_is(ready, guard, words):
    ready.compare(reply_of("local", alter=parted(guard)), ("carry", reply_of("carry", ON)))
    assert words in ready.pane.words.text()


def test_equal_texts_are_said_to_be_equal(ready):
    ready.compare(ready.reply, ("carry rollback", reply_of("carry", ON)))
    assert f"all {len(ids_of('local'))} ids are equal" in ready.pane.words.text()


def test_one_token_is_one_token(ready):
    short = reply_of("off", ON, most=1)
    ready.inspection.show_reply(short)
    assert ready.pane.subject.accessibleName().startswith("The shown reply: 1 token, ")
    ready.comparison.begin(short, [("again", reply_of("off", ON, most=1))])
    row = ready.comparison.rows[1]
    ready.comparison.run(row)
    ready.comparison.publish()
    assert ready.pane._status(1) == "1 of 1 · again · 1 token"
    words = ready.pane.words
    assert words._about_equality(1, True) == "The text is the same: its one id is equal."
    assert words._about_equality(1, False).startswith("The first id is equal; ")


def test_while_it_runs_the_button_stops_and_the_bar_moves(ready, qtbot):
    pane, comparison = ready.pane, ready.comparison
    growing = Reply(ON)
    comparison.begin(ready.reply, [("carry rollback", growing), ("speculation off", Reply(OFF))])
    comparison.run(comparison.rows[1])
    for event in list(reply_events(1, ON, scripted(tokens_of("one two three four"))))[:-2]:
        growing.apply(event)
    comparison.publish()
    qtbot.waitUntil(lambda: pane.button.text() == "Stop")
    assert not pane.choices.isEnabled()
    qtbot.waitUntil(lambda: "1 of 2 · carry rollback" in pane.status.accessibleName())
    assert 0 < pane.progress.value() < pane.progress.maximum() / 2
    assert pane.table.rows[2].ids.text() == "waiting"
    with qtbot.waitSignal(pane.stop_requested):
        pane.button.click()
    comparison.end()
    qtbot.waitUntil(lambda: pane.table.rows[2].ids.text() == "not run")
    assert pane.status.accessibleName() == "Stopped; 1 not run"
    assert pane.button.text() == "Run 2 replies"
    assert not pane.progress.isVisible()


def test_a_failed_row_says_why(ready):
    failed = Reply(ON)
    failed.apply(Failed(1, "The model ran out of memory; ask for less."))
    ready.compare(ready.reply, ("carry rollback", failed))
    assert ready.pane.table.rows[1].ids.text() == "failed"
    assert ready.pane.words.text() == "The model ran out of memory; ask for less."
    assert not ready.pane.show_button.isVisible()


def test_a_refusal_is_shown_and_taken_back(ready, qtbot):
    ready.comparison.refuse("A reply is being written; compare when it is complete.")
    qtbot.waitUntil(ready.pane.refusal.isVisible)
    ready.comparison.refuse("")
    qtbot.waitUntil(lambda: not ready.pane.refusal.isVisible())


def test_results_of_another_reply_are_called_so(ready):
    ready.compare(ready.reply, ("carry rollback", reply_of("carry", ON)))
    assert ready.pane.results.text() == "Results"
    ready.show("lookup")
    assert ready.pane.results.text() == "Results of another reply"


def test_a_hidden_pane_does_nothing_and_catches_up_when_shown(ready):
    ready.area.hide()
    ready.comparison.begin(ready.reply, [("carry rollback", reply_of("carry", ON))])
    assert ready.pane.table.rows == []
    assert not ready.pane._timer.isActive()
    ready.area.show()
    assert len(ready.pane.table.rows) == 2


def test_the_button_opens_both_texts(ready, qtbot):
    ready.compare(ready.reply, ("carry", reply_of("carry", ON)), ("off", reply_of("off", OFF)))
    ready.pane.table.select(2)
    with qtbot.waitSignal(ready.pane.shown_requested) as asked:
        ready.pane.show_button.click()
    assert asked.args == [0, 2]


def long_reply(words, request=ON, alter=None):
    """A scripted reply; its token `alter`, if any, has another id and text."""
    tokens = list(words)
    records = scripted(tokens)
    if alter is not None:
        records = [other_at(record, alter) for record in records]
    reply = Reply(request)
    for event in reply_events(1, request, records):
        reply.apply(event)
    return reply


def other_at(record, token):
    if token not in record.emitted:
        return record
    emitted = tuple(99_999 if each == token else each for each in record.emitted)
    spans = tuple(
        replace(span, text=" OTHER") if span.first == token else span for span in record.spans
    )
    return replace(record, emitted=emitted, spans=spans, words=(*record.words, (99_999, " OTHER")))


WORDS = tokens_of("\n".join(f"line {n} says some words about it" for n in range(120)))


class Both:
    """A view of two replies, the second with another token at `parted`."""

    def __init__(self, qtbot, width=700, parted_at=None, right=None):
        self.comparison = Comparison()
        self.display = TokenDisplay(True)
        request = GenerationRequest(messages=(Message("user", "Go"),))
        self.left = long_reply(WORDS, request)
        self.right = right or long_reply(WORDS, request, parted_at)
        self.comparison.begin(self.left, [("speculation off", self.right)])
        self.view = CompareView(Theme("light"), self.display, self.comparison)
        self.view.setStyleSheet(style_sheet(Theme("light").palette))
        qtbot.addWidget(self.view)
        self.view.resize(width, 420)
        self.view.show()
        self.view.show_rows(0, 1)
        qtbot.waitUntil(lambda: self.bar(self.view.left).maximum() > 0)

    def close_rows(self):
        for row in self.comparison.reruns:
            self.comparison.run(row)
            self.comparison.close(row)
        self.view._refresh()

    def bar(self, side):
        return side.area.verticalScrollBar()


def test_names_and_numbers_stand_above_the_texts(qtbot):
    both = Both(qtbot)
    both.close_rows()
    left, right = both.view.left, both.view.right
    assert (left.name.text(), right.name.text()) == ("this reply", "speculation off")
    stats = both.left.final
    assert left.numbers.accessibleName() == (
        f"{stats.decode_tps:.1f} tok/s · {stats.forwards} forwards · "
        f"{stats.tokens_per_step:.1f} tokens a step"
    )
    assert left.text.toPlainText() == right.text.toPlainText() == "".join(WORDS)
    assert both.view.verdict.text() == "ids equal ✓"
    assert not both.view.jump.isVisible()


@pytest.mark.parametrize("width", [700, 430])
def test_both_scroll_together_by_token(qtbot, width):
    short = long_reply([word for word in WORDS if word != "\n"])
    both = Both(qtbot, width, right=short)
    view = both.view
    is_narrow = width < 600
    directions = QBoxLayout.Direction
    wanted = directions.TopToBottom if is_narrow else directions.LeftToRight
    assert view._sides.direction() == wanted
    for leader, follower in ((view.left, view.right), (view.right, view.left)):
        for share in (0.2, 0.6, 0.4):
            both.bar(leader).setValue(round(both.bar(leader).maximum() * share))
            token, beyond = leader.top()
            value, last = both.bar(follower).value(), both.bar(follower).maximum()
            top = follower.places.top_of(token) + follower.text.y() + beyond
            assert value == last or top == pytest.approx(value, abs=1)
            if follower is view.left:
                # Its lines are its only paragraphs, so characters alone tell the place.
                cursor = follower.text.textCursor()
                cursor.setPosition(len("".join(WORDS[:token])))
                stands = follower.text.cursorRect(cursor).top() + follower.text.y()
                assert stands + beyond == pytest.approx(value, abs=1)


def test_equal_texts_stand_at_the_same_height(qtbot):
    both = Both(qtbot)
    both.bar(both.view.left).setValue(333)
    assert both.bar(both.view.right).value() == 333


def test_the_first_difference_is_marked_in_both_and_jumped_to(qtbot):
    token = WORDS.index(" 77") + 2
    both = Both(qtbot, parted_at=token)
    both.close_rows()
    view = both.view
    assert both.comparison.rows[1].ids.difference.position == token
    assert view.verdict.text() == f"differs at {token + 1}"
    for side, text in ((view.left, WORDS[token]), (view.right, " OTHER")):
        assert side.mark.isVisible()
        (box,) = side.mark.boxes()
        at = box.center().toPoint() - side.text.pos()
        piece = side.text.paragraphs.places.piece_at(side.text.cursorForPosition(at).position())
        assert (piece.first, piece.text) == (token, text)
        assert box.width() > 3
        assert side.mark.geometry() == side.area.widget().rect()
    view.jump.click()
    for side in (view.left, view.right):
        seen = QRectF(0, both.bar(side).value(), 9999, side.area.viewport().height())
        assert seen.contains(side.mark.boxes()[0])
    QTest.keyClick(view.close_button, Qt.Key.Key_Home)
    assert view.jump.accessibleName() == "Jump to the first difference"


def test_a_difference_at_the_end_is_marked_behind_the_last_token(qtbot):
    request = GenerationRequest(messages=(Message("user", "Go"),))
    both = Both(qtbot, right=long_reply(WORDS[:-10], request))
    both.close_rows()
    assert both.comparison.rows[1].ids.difference.other.token is None
    (box,) = both.view.right.mark.boxes()
    text = both.view.right.text
    end = text.cursorRect(text.textCursor())
    assert box.top() >= end.top()
    assert box.bottom() <= text.geometry().bottom() + 1


def test_tints_follow_the_display(qtbot):
    both = Both(qtbot)
    assert both.view.left.text.origins.shown == both.display.shown
    both.display.set_on(False)
    assert both.view.left.text.origins.shown == both.view.right.text.origins.shown == frozenset()


def test_escape_and_the_button_close_it_from_anywhere_inside(qtbot):
    both = Both(qtbot)
    for widget in (both.view.left.area, both.view.right.text, both.view.close_button):
        with qtbot.waitSignal(both.view.closed):
            QTest.keyClick(widget, Qt.Key.Key_Escape)
    with qtbot.waitSignal(both.view.closed):
        both.view.close_button.click()


def test_page_keys_scroll_the_side_that_has_the_focus(qtbot):
    both = Both(qtbot)
    assert both.view.focusProxy() is both.view.left.area
    QTest.keyClick(both.view.left.area, Qt.Key.Key_PageDown)
    assert both.bar(both.view.left).value() > 100
    assert both.bar(both.view.right).value() == both.bar(both.view.left).value()


def test_a_side_grows_with_its_reply(qtbot):
    request = GenerationRequest(messages=(Message("user", "Go"),))
    growing = Reply(request)
    both = Both(qtbot, right=growing)
    events = list(reply_events(1, request, scripted(WORDS)))
    assert both.view.right._nothing.text() == "No text yet"
    both.comparison.run(both.comparison.rows[1])
    for event in events[:60]:
        growing.apply(event)
    both.comparison.publish()
    qtbot.waitUntil(lambda: both.view.right.text.toPlainText() == growing.text)
    assert both.view.verdict.text() == f"first {growing.log.num_tokens} equal"
    for event in events[60:]:
        growing.apply(event)
    both.comparison.close(both.comparison.rows[1])
    qtbot.waitUntil(lambda: both.view.verdict.text() == "ids equal ✓")
    assert both.view.right.text.toPlainText() == "".join(WORDS)


def test_other_rows_replace_what_was_shown(qtbot):
    both = Both(qtbot)
    other = long_reply(tokens_of("something else"))
    both.comparison.begin(both.left, [("carry rollback", other)])
    both.view.show_rows(0, 1)
    assert both.view.right.name.text() == "carry rollback"
    assert both.view.right.text.toPlainText() == "something else"
    assert both.view.left.text.toPlainText() == "".join(WORDS)


def test_without_rows_it_says_what_to_do(qtbot):
    view = CompareView(Theme("light"), TokenDisplay(True), Comparison())
    qtbot.addWidget(view)
    view.show()
    assert view.nothing.isVisible()
    assert not view.left.isVisible()
    view.show_difference()
