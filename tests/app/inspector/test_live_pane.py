"""The live pane: every number equals what the trace's own lines come to, and hidden it rests."""

import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QMarginsF, QPoint, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.models.reply import Reply
from app.models.run import SpeedPoint
from app.models.verdicts import share
from app.views.inspector.bar_charts import Bar, BarChart
from app.views.inspector.chart import Chart
from app.views.inspector.dock import InspectorDock
from app.views.inspector.figures import figures
from app.views.inspector.live import LivePane
from app.views.inspector.patterns import PatternLegend
from app.views.inspector.phase_times import PhaseTimes
from app.views.inspector.speed_chart import SpeedChart
from engine import Stepped, replay_trace
from tests.app.inspector.long_replies import grow, started_reply
from tests.app.inspector.traced import NAMES, raw_of, reply_of
from tests.app.trace_replies import trace


def percent(part, whole, digits=1):
    return f"{part / whole * 100:.{digits}f}\u00a0%" if whole else "–"


def expected_counters(raw):
    steps, start = raw.steps, raw.start
    rebuilt = [s for s in steps if s["accepted"] and s["rollback"] in ("local", "carry", "replay")]
    return {
        "acceptance": percent(raw.total("accepted"), raw.total("draft")),
        "tokens per step": f"{raw.total('emitted') / len(steps):.1f}",
        "steps with a draft": percent(len(raw.with_draft), len(steps)),
        "time to first token": f"{steps[0]['time']:.2f} s",
        "prompt tokens reused": str(start["reused"]),
        "prompt tokens read": str(len(start["prompt_ids"]) - start["reused"]),
        "forwards": str(raw.total("forwards")),
        "tokens": str(raw.total("emitted")),
        "replay attempts": str(len(rebuilt)),
        "replay emitted": str(sum(len(s["emitted"]) for s in rebuilt)),
        "replay failures": "0",
        "near-ties decided alone": str(raw.total("guarded")),
        "excluded tokens": str(raw.total("cut")),
        "dropped tokens": str(raw.total("dropped")),
        "kept for reuse": "–",
    }


@pytest.mark.parametrize("name", NAMES)
def test_counters_equal_a_recomputation(pane, inspection, name):
    inspection.show_reply(reply_of(name))
    counters, raw = pane.counters, raw_of(name)
    shown = {name: counters.value(name) for name in counters.names}
    expected = expected_counters(raw)
    kept = raw.finish["kept"]
    if kept is not None:
        expected["kept for reuse"] = shown["kept for reuse"]
        assert (shown["kept for reuse"] == "off") == (kept["budget_bytes"] == 0)
    assert shown == expected


@pytest.mark.parametrize("name", NAMES)
def test_speed_equals_a_recomputation(pane, inspection, name):
    inspection.show_reply(reply_of(name))
    raw = raw_of(name)
    first, last = raw.steps[0], raw.steps[-1]
    span = last["time"] - first["time"]
    tokens = raw.total("emitted") - len(first["emitted"])
    assert pane.speed.text() == (f"{tokens / span:.1f}" if span else "–")
    known = [raw.start["plain_seconds"]]
    known += [s["choice"]["plain_seconds"] for s in raw.steps if s["choice"]]
    assert pane.plain.text() == f"plain {1 / known[-1]:.1f}, measured"
    assert not pane.chart.points or pane.chart.points[-1].time == last["time"]
    for point in pane.chart.points:
        assert point.speed == pytest.approx(speed_at(raw.steps, point.time))


def speed_at(steps, time):
    """Tokens a second since the newest step that is at least a second older, or the first one."""
    since = max((s["time"] for s in steps if time - s["time"] >= 1), default=steps[0]["time"])
    made = sum(len(s["emitted"]) for s in steps if since < s["time"] <= time)
    return made / (time - since)


@pytest.mark.parametrize("seconds", [0.04, 0.4, 0.7, 3.0])
def test_slow_steps_have_a_curve_up_to_their_end(pane, inspection, seconds):
    reply = started_reply()
    for number in range(8):
        reply.apply(Stepped(1, replace(reply_of("local").log[number], time=1 + number * seconds)))
        pane.chart.show_reply(reply)
    steps = [{"time": record.time, "emitted": record.emitted} for record in reply.log]
    points = pane.chart.points
    assert points[-1].time == reply.log[7].time
    assert len(points) >= 3
    for point in points:
        assert point.speed == pytest.approx(speed_at(steps, point.time))
    assert points[-1].speed == reply.run.speed


def test_the_longest_curve_is_thinned_out_but_for_its_end():
    reply = started_reply()
    for count in range(1, 12):
        grow(reply, 997)
        points = reply.run.speeds
        assert len(points) <= 402
        assert points[-1].time == reply.log[997 * count - 1].time
        assert [p.time for p in points] == sorted({p.time for p in points})


@pytest.mark.parametrize("name", NAMES)
def test_charts_equal_a_recomputation(pane, inspection, name):
    inspection.show_reply(reply_of(name))
    drafted = raw_of(name).with_draft
    lengths = [step["accepted"] for step in drafted]
    assert len(pane.histogram.bars) == (max(lengths) + 1 if lengths else 0)
    for length, bar in enumerate(pane.histogram.bars):
        steps = [s for s in drafted if s["accepted"] == length]
        whole = sum(len(s["draft"]) == length for s in steps)
        assert bar.height == pytest.approx(len(steps) / len(drafted))
        assert bar.parts[0] == ("accepted", whole / len(drafted))
        assert bar.value == (percent(len(steps), len(drafted), 0) if steps else "")
        assert f"{len(steps)} of {len(drafted)}" in bar.words
    longest = max((len(s["draft"]) for s in drafted), default=0)
    assert len(pane.positions.bars) == longest
    for place, bar in enumerate(pane.positions.bars):
        reached = sum(len(s["draft"]) > place for s in drafted)
        accepted = sum(s["accepted"] > place for s in drafted)
        assert bar.height == pytest.approx(accepted / reached)
        assert f"position {place + 1}: {accepted} of {reached} " in bar.words
    num = len(raw_of(name).steps)
    steps = "1 step" if num == 1 else f"{num} steps"
    share = percent(len(drafted), num)
    assert pane.drafting_words.text() == f"{len(drafted)} of {steps} had a draft, {share}"


def test_pacing_is_drawn_and_told(pane, inspection):
    inspection.show_reply(reply_of("paused"))
    raw = raw_of("paused")
    at, aside = raw.asides[0]
    changed = raw.steps[at - 1]["time"]
    assert [band.is_on for band in pane.chart.bands] == [True, False]
    assert pane.chart.bands[1].since == changed
    assert aside["reason"] in pane.pacing.text()
    assert pane.chart.words_at(QPoint(5, 20)).count("drafting, ") == 1
    assert aside["reason"] in pane.chart.words_at(QPoint(325, 20))
    assert aside["reason"] in pane.chart.accessibleDescription()
    inspection.show_reply(reply_of("local"))
    assert not pane.pacing.isVisible()


def test_bars_answer_the_mouse_with_their_numbers(pane, inspection):
    inspection.show_reply(reply_of("local"))
    bar = pane.positions.bars[1]
    assert pane.positions.words_at(QPoint(60, 40)) == bar.words
    assert pane.positions.words_at(QPoint(320, 40)) == ""
    assert bar.words in pane.positions.accessibleDescription()


def test_the_step_is_shown_in_short(pane, inspection):
    inspection.show_reply(reply_of("local"))
    inspection.select_step(6)
    step = raw_of("local").steps[6]
    assert pane.step.heading.text() == "Step 7"
    assert pane.step.durations.value("verify") == f"{step['seconds']['verify'] * 1000:.1f} ms"
    assert pane.step.durations.label("rollback") == "roll back · local"
    said = pane.step.outcome
    assert said.accessibleName().startswith("1 corrected, 1 rejected, 4 behind it. The model chose")
    assert len(said.shown) in (2, 3)
    assert " ".join(said.shown) == said.accessibleName()
    assert said.toolTip() == ""


def test_what_became_of_a_step_leaves_a_long_draft_its_lines(pane, inspection):
    inspection.show_reply(reply_of("local"))
    inspection.select_step(6)
    pane.resize(120, 1450)
    QApplication.processEvents()
    assert pane.step.draft.laid_out(pane.step.draft.width())[-1][1].top() > 28
    assert len(pane.step.outcome.shown) == 2
    assert pane.step.outcome.shown[-1].endswith("…")
    assert pane.step.outcome.toolTip().replace("\n", " ") == pane.step.outcome.accessibleName()


@pytest.mark.parametrize("width", [263, 293, 331])
def test_the_words_of_a_step_come_to_their_answer(pane, inspection, width):
    pane.resize(width, 1450)
    said = pane.step.outcome
    inspection.show_reply(reply_of("local"))
    inspection.select_step(6)
    QApplication.processEvents()
    assert " ".join(said.shown) == said.accessibleName()
    inspection.show_reply(reply_of("paused"))
    inspection.select_step(len(inspection.reply.log) - 1)
    QApplication.processEvents()
    assert " Standing down: drafts do not" in " ".join(said.shown)
    top = said.mapTo(pane, QPoint(0, said.height() - 18 * len(said.shown))).y()
    assert top >= pane.step.heading.mapTo(pane, QPoint(0, pane.step.heading.height())).y()
    # What is cut can be read where it stands.
    if said.shown[-1].endswith("…"):
        for y in range(top, top + 18 * len(said.shown), 9):
            assert pane.childAt(QPoint(30, y)) is said


def labels_of(chart):
    """The values that are written over the bars: text, and where in the chart."""
    margins = QMarginsF(4, 4, 4, 4)
    return [
        (each.textItem.document().toRawText(), each.sceneBoundingRect() - margins)
        for each in chart._labels
        if each.isVisible()
    ]


def share_bars(values):
    """Bars of these heights, told as shares."""
    return tuple(
        Bar(str(n), (("accepted", value),), percent(value, 1, 0) if value else "", "")
        for n, value in values
    )


@pytest.mark.parametrize("width", [263, 293, 331, 600])
@pytest.mark.parametrize(
    "values",
    [
        [1.0] * 10,
        [1.0] * 12,
        [0, 0, 0, 0.25, 0, 0, 0, 0.25, 0, 0.25, 0, 0.25],
        [0.99 - 0.03 * n for n in range(24)],
        [0.03 * n for n in range(24)],
        [0.5 + 0.02 * (n % 5) for n in range(40)],
    ],
)
def test_values_over_bars_keep_apart_and_the_highest_has_one(theme, qtbot, width, values):
    chart = BarChart(theme, "bars", "none", None, None)
    qtbot.addWidget(chart)
    chart.resize(width, chart.height())
    chart.show_bars(share_bars(enumerate(values)))
    chart.show()
    labels = labels_of(chart)
    assert percent(max(values), 1, 0) in [text for text, _ in labels]
    room = chart._view.width()
    pitch = chart._pitch * room / chart.width()
    for text, rect in labels:
        assert rect.left() >= -1
        assert rect.right() <= room + 1
        covered = [
            value
            for number, value in enumerate(values)
            if rect.left() < (number + 0.8) * pitch and (number + 0.2) * pitch < rect.right()
        ]
        assert percent(max(covered), 1, 0) == text, "it stands over what is not its own"
    rects = sorted((rect for _, rect in labels), key=lambda rect: rect.left())
    assert all(after.left() - before.right() > 4 for before, after in pairwise(rects))
    if max(values) > min(values) and len(values) < 13:
        assert len(labels) == sum(value > 0 for value in values)


def test_verdicts_stand_under_the_time(pane, inspection):
    inspection.show_reply(reply_of("replay"))
    assert pane.limits.text().startswith("Verifying takes")
    assert pane.drafting_verdict.text().startswith("A step with a draft took ")
    assert pane.replay_verdict.text().startswith("No, replay did not pay. Rebuilding")
    assert "verify" in pane.time.accessibleDescription()


@pytest.mark.parametrize("name", NAMES)
def test_times_by_phase_equal_a_recomputation(pane, inspection, name):
    inspection.show_reply(reply_of(name))
    phases = ("interface", "draft", "verify", "rollback", "emit")
    seconds = {phase: raw_of(name).phase(phase) for phase in phases}
    total = sum(seconds.values())
    for phase, spent in seconds.items():
        wanted = f"{spent / total * 100:.1f}\u00a0%"
        is_tiny = 0 < spent / total < 0.0005
        assert pane.times.value(phase) == ("<0.1\u00a0%" if is_tiny else wanted)


@pytest.mark.parametrize("width", [263, 300, 331, 600])
def test_figures_of_phases_keep_apart(theme, qtbot, width):
    times = PhaseTimes(theme, "times")
    qtbot.addWidget(times)
    times.resize(width, times.height())
    times.show()
    columns = list(times.columns().values())
    metrics = QFontMetricsF(figures(times._pixels))
    for before, after in pairwise(columns):
        for words in (share(0.0001), share(0.993), share(1.0), "888.8 ms"):
            assert before.left() + metrics.horizontalAdvance(words) + 3 <= after.left()


@pytest.mark.parametrize("width", [300, 320, 368, 900])
def test_nothing_moves_while_numbers_change(theme, inspection, settings, qtbot, qapp, width):
    dock, pane = InspectorDock(), LivePane(theme, inspection, settings)
    qtbot.addWidget(dock)
    dock.add_pane("live", "Live", pane)
    dock.setFixedWidth(width)
    inspection.show_reply(reply_of("local"))
    dock.show()
    for _ in range(3):
        qapp.processEvents()
    steady = (pane.chart, pane.steps, pane.step, pane.step.outcome, pane.step.phases)
    steady += (pane.step.durations, pane.histogram, pane.positions, pane.counters, pane.time)
    seen = set()
    for name in ("local", "paused", "off"):
        reply, source = Reply(), trace(name)
        inspection.show_reply(reply)
        for event in replay_trace(source):
            reply.apply(event)
            if reply.run is not None and len(reply.log):
                pane.refresh()
                qapp.processEvents()
                places = [each.mapTo(pane, QPoint(0, 0)).toTuple() for each in steady]
                columns = [each.getRect() for each in pane.step.durations.columns().values()]
                seen.add((pane.width(), *places, *columns))
    assert len(seen) == 1
    for each in (pane.counters, *pane.findChildren(PatternLegend)):
        assert each.height() == each.heightForWidth(each.width())
    assert pane.width() <= pane.parentWidget().width()
    assert dock.width() - pane.parentWidget().width() <= 20


def test_one_step_is_one_step(pane, inspection):
    reply = Reply()
    for event in replay_trace(trace("off")):
        reply.apply(event)
        if len(reply.log) == 1:
            break
    inspection.show_reply(reply)
    assert pane.drafting_words.text() == "0 of 1 step had a draft, 0.0\u00a0%"
    assert pane.drafting.words_at(QPoint(5, 5)) == "1 step had none"


def test_a_short_reply_has_too_few_points_for_a_curve(pane, inspection):
    events = list(replay_trace(trace("off")))
    reply = Reply()
    for event in events[:4]:
        reply.apply(event)
    inspection.show_reply(reply)
    assert pane.chart.nothing == "No speed yet"
    reply.apply(events[-1])
    assert reply.is_over
    pane.chart.show_reply(reply)
    assert pane.chart.nothing == "Too few points for a curve"
    assert pane.chart.nothing in pane.chart.accessibleDescription()


def test_each_counter_has_a_line_of_its_own(pane, inspection):
    inspection.show_reply(reply_of("local"))
    for width, num_columns in ((263, 1), (331, 1), (863, 2), (1200, 4)):
        cells = pane.counters._cells(width)
        assert len({cell.left() for cell in cells}) == num_columns
        assert len({cell.topLeft().toTuple() for cell in cells}) == len(pane.counters.names)
        assert max(cell.right() for cell in cells) < width
        assert max(cell.bottom() for cell in cells) < pane.counters.heightForWidth(width)
    told = pane.counters.accessibleDescription()
    assert "acceptance 66.1\u00a0%" in told
    assert pane.counters.words_at(QPoint(5, 5)).startswith("acceptance: accepted drafts")


def test_a_pane_without_a_reply_has_no_numbers(pane):
    assert pane.speed.text() == "–"
    assert {pane.counters.value(name) for name in pane.counters.names} == {"–"}
    assert pane.reason.text() == "The switches take effect at the next reply."
    assert not pane.grab().isNull()


def test_switches_write_the_settings_and_follow_them(pane, settings):
    QTest.mouseClick(pane.replay, Qt.MouseButton.LeftButton, pos=QPoint(10, 12))
    next(action for action in pane.menu.actions() if action.text() == "3").trigger()
    assert (settings.params.replay, settings.params.draft_length) == (False, 3)
    assert pane.length.text() == "3 ▾"
    QTest.keyClick(pane.speculation, Qt.Key.Key_Space)
    assert not settings.params.enabled
    assert not pane.replay.isEnabled()


def test_a_reply_of_a_trace_was_asked_nothing_of_the_switches(pane, inspection, settings):
    inspection.show_reply(reply_of("local"))
    settings.set_replay(False)
    assert "Your change" not in pane.reason.text()
    assert pane.effective.accessibleName() == "effective: local, length 5"


def test_a_growing_reply_is_drawn_five_times_a_second_at_most(
    pane, inspection, growing, qtbot, monkeypatch
):
    calls = []
    show = SpeedChart.show_reply
    monkeypatch.setattr(SpeedChart, "show_reply", lambda *a: calls.append(1) or show(*a))
    inspection.show_reply(growing)
    calls.clear()
    for _ in range(50):
        grow(growing, 1)
        inspection.show_reply(growing)
    assert calls == []
    assert pane._due.is_awaited
    qtbot.waitUntil(lambda: pane.counters.value("forwards") == "150")
    assert calls == [1]


def test_a_hidden_pane_does_no_work(qtbot, theme, inspection, settings, growing, monkeypatch):
    calls = []
    for name in ("refresh", "show_step"):
        monkeypatch.setattr(LivePane, name, lambda self, name=name: calls.append(name))
    monkeypatch.setattr(Chart, "_redraw", lambda self: calls.append("chart"))
    pane = LivePane(theme, inspection, settings)
    qtbot.addWidget(pane)
    inspection.show_reply(growing)
    inspection.select_step(3)
    grow(growing, 1)
    inspection.show_reply(growing)
    inspection.show_reply(reply_of("local"))
    assert calls == []
    assert not pane._due.is_awaited
    pane.show()
    assert calls.count("refresh") == 1


def test_charts_follow_the_theme(pane, inspection, theme, monkeypatch):
    inspection.show_reply(reply_of("local"))
    drawn = []
    for chart in (pane.chart, pane.histogram, pane.positions):
        draw = chart.draw
        monkeypatch.setattr(chart, "draw", lambda c=chart, d=draw: drawn.append(c) or d())
    theme.changed.emit()
    assert drawn == [pane.chart, pane.histogram, pane.positions]


def test_the_same_numbers_are_not_drawn_again(pane, inspection, monkeypatch):
    inspection.show_reply(reply_of("local"))
    QApplication.processEvents()
    drawn = []
    monkeypatch.setattr(Chart, "changed", lambda chart: drawn.append(chart))
    pane.refresh()
    assert drawn == []


def test_pyqtgraph_waits_until_a_chart_is_seen(qtbot, pane):
    code = "import sys, app.views.inspector.live; sys.exit('pyqtgraph' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    qtbot.waitUntil(lambda: pane.positions._view is not None)


def test_everything_that_takes_the_focus_has_a_name(pane, inspection):
    inspection.show_reply(reply_of("local"))
    reached = [
        widget
        for widget in pane.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible()
    ]
    assert len(reached) >= 10
    assert [widget for widget in reached if not widget.accessibleName()] == []


@pytest.mark.parametrize("gap", [0.2, 0.8, 1.5])
def test_there_is_room_above_the_plain_line_for_its_label(theme, qtbot, gap):
    chart = SpeedChart(theme)
    qtbot.addWidget(chart)
    chart.resize(293, chart.height())
    chart.plain, chart.nothing = 21.9, ""
    speeds = [21.9 - gap - 0.3 * (n % 3) for n in range(40)]
    chart.points = tuple(SpeedPoint(n * 0.1, speed) for n, speed in enumerate(speeds))
    chart.show()
    label, (low, high) = chart._label.sceneBoundingRect(), chart._y
    scale = chart._view.height() / (high - low)
    assert label.top() >= -1
    assert label.bottom() <= (high - max(speeds)) * scale
