"""The bar of a trace: everything by mouse and by keyboard, and what it says is where we are."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QVBoxLayout, QWidget

from app.models.playback import SPEEDS, Playback
from app.theme import Theme
from app.views.scrubber import RANGE
from app.views.stylesheet import style_sheet
from app.views.trace_bar import TraceBar
from engine import read_trace

LOCAL = Path(__file__).parents[1] / "traces" / "local.jsonl"
KEYS = Qt.Key


@pytest.fixture
def trace():
    return read_trace(LOCAL)


@pytest.fixture
def bar(qtbot, trace):
    host = QWidget()
    qtbot.addWidget(host)
    theme = Theme("light", host)
    host.setStyleSheet(style_sheet(theme.palette))
    bar = TraceBar(theme, host)
    QVBoxLayout(host).addWidget(bar)
    host.resize(640, 90)
    host.show()
    bar.playback = Playback(trace, parent=host)
    bar.show_playback(bar.playback)
    qtbot.waitUntil(lambda: bar.playback.is_settled)
    yield bar
    bar.playback.close()


def test_it_says_where_we_are_and_of_what(bar, trace):
    end = trace.steps[-1].time
    assert bar.place.text() == f"step 17 of 17 · {end:.2f} s of {end:.2f} s"
    assert bar.source.text() == "Demo model · format 2"
    assert bar.scrubber.value() == RANGE
    bar.playback.seek_step(5)
    now = trace.steps[4].time
    assert bar.place.text() == f"step 5 of 17 · {now:.2f} s of {end:.2f} s"
    assert bar.scrubber.value() == round(now / end * RANGE)
    assert bar.scrubber.accessibleDescription() == bar.place.text()


def test_without_a_trace_it_is_not_there(bar):
    playback = bar.playback
    bar.show_playback(None)
    assert bar.isHidden()
    playback.seek_step(3)
    bar.play.click()
    assert not playback.is_playing
    bar.show_playback(playback)
    assert not bar.isHidden()
    assert bar.place.text().startswith("step 3 of 17")


def test_space_plays_and_pauses(bar, qtbot):
    for widget in (bar.scrubber, bar.play):
        widget.setFocus()
        qtbot.keyClick(widget, KEYS.Key_Space)
        assert bar.playback.is_playing
        assert bar.play.accessibleName() == "Pause"
        qtbot.keyClick(widget, KEYS.Key_Space)
        assert not bar.playback.is_playing
        assert bar.play.accessibleName() == "Play the trace"


def test_arrows_go_by_steps_from_anywhere_in_it(bar, qtbot):
    bar.playback.seek_step(8)
    for widget in (bar.scrubber, bar.play, bar.speed):
        qtbot.keyClick(widget, KEYS.Key_Left)
        assert bar.playback.step == 7
        qtbot.keyClick(widget, KEYS.Key_Right)
        assert bar.playback.step == 8
    qtbot.keyClick(bar.scrubber, KEYS.Key_Home)
    assert (bar.playback.step, bar.playback.time) == (0, 0.0)
    qtbot.keyClick(bar.scrubber, KEYS.Key_PageUp)
    assert bar.playback.step == 10
    qtbot.keyClick(bar.scrubber, KEYS.Key_End)
    assert bar.playback.step == 17


def test_the_mouse_goes_by_time(bar, qtbot, trace):
    slider = bar.scrubber
    for share in (0.75, 0.25, 0.5):
        place = QPoint(round(6.5 + (slider.width() - 13) * share), 10)
        qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=place)
        assert bar.playback.time == pytest.approx(share * trace.steps[-1].time, rel=0.02)
        assert bar.playback.step == sum(s.time <= bar.playback.time for s in trace.steps)
    qtbot.mouseMove(slider, QPoint(slider.width() - 1, 10))
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))


def test_speeds_are_chosen_from_the_menu(bar):
    actions = bar.speed.menu().actions()
    assert [action.text() for action in actions][2:4] == ["0.5×", "1×"]
    for speed, action in zip(SPEEDS, actions, strict=True):
        action.trigger()
        assert bar.playback.speed == speed
        assert [each.isChecked() for each in actions].count(True) == 1
        assert action.isChecked()
    assert bar.speed.text() == "Max"
    assert bar.speed.accessibleName() == "Speed: As fast as possible"


def test_every_control_has_a_name_and_takes_the_keyboard(bar):
    controls = [bar.scrubber, *bar.findChildren(QAbstractButton)]
    assert len(controls) == 3
    for control in controls:
        assert control.accessibleName()
        assert control.focusPolicy() & Qt.FocusPolicy.TabFocus
    bar.setFocus()
    assert bar.focusProxy() is bar.scrubber


def test_ticks_are_drawn_where_they_can_be_told_apart(bar):
    slider = bar.scrubber
    assert len(slider._ticks) in (0, 17)
    slider.show_steps(tuple(number / 10 for number in range(11)))
    assert len(slider._ticks) == 11
    assert slider._ticks[0] == pytest.approx(6.5)
    assert slider._ticks[-1] == pytest.approx(slider.width() - 6.5, abs=1)
    slider.show_steps(tuple(number / 50_000 for number in range(50_001)))
    assert slider._ticks == ()


def test_a_narrow_bar_elides_its_words_and_keeps_its_controls(bar, qtbot):
    bar.window().setFixedWidth(430)
    qtbot.waitUntil(lambda: bar.width() < 430)
    for control in (bar.play, bar.scrubber, bar.speed):
        assert bar.rect().contains(control.geometry())
    assert bar.scrubber.width() > 200
    for label in bar.findChildren(QLabel):
        assert bar.rect().contains(label.geometry())
    assert bar.place.text().startswith("step 17 of 17 ·")
