"""The step strip: selection by mouse and keys, following, scrolling, and how little it paints."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QPixmap, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.models.step_log import StepLog
from app.views.inspector.steps import StepsSection
from app.views.inspector.strip import StepStrip
from app.views.inspector.strip_paint import HEIGHT, StripPainter
from app.views.inspector.viewport import MARGIN, PITCH, Viewport
from tests.app.inspector.long_replies import grow, started_reply
from tests.app.inspector.traced import NAMES, raw_of, reply_of

WIDTH = 331
MIDDLE = HEIGHT // 2
NOT = QPoint()


@pytest.fixture
def strip(qtbot, theme, inspection):
    strip = StepStrip(theme, inspection)
    qtbot.addWidget(strip)
    strip.resize(WIDTH, HEIGHT)
    strip.show()
    return strip


def click(strip, step):
    x = round(strip.view.x(step) + PITCH / 2 - 1)
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(x, MIDDLE))


def turn(strip, *, pixels=NOT, angle=NOT):
    place = QPointF(100, MIDDLE)
    event = QWheelEvent(
        place,
        strip.mapToGlobal(place),
        pixels,
        angle,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(strip, event)
    return event.isAccepted()


def test_a_click_selects_the_step_under_it(strip, inspection):
    inspection.show_reply(reply_of("local"))
    for step in (0, 7, 16):
        click(strip, step)
        assert inspection.selected_step == step
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(WIDTH - 5, MIDDLE))
    assert inspection.selected_step == 16


def test_keys_move_the_selection(strip, inspection, growing):
    inspection.show_reply(growing)
    strip.setFocus()
    page = (WIDTH - 2 * MARGIN) // PITCH
    for key, step in (
        (Qt.Key.Key_Left, 98),
        (Qt.Key.Key_Left, 97),
        (Qt.Key.Key_Right, 98),
        (Qt.Key.Key_Home, 0),
        (Qt.Key.Key_Left, 0),
        (Qt.Key.Key_PageDown, page),
        (Qt.Key.Key_PageUp, 0),
        (Qt.Key.Key_End, 99),
        (Qt.Key.Key_Right, 99),
    ):
        QTest.keyClick(strip, key)
        assert inspection.selected_step == step
        assert step in strip.view.visible


@pytest.mark.parametrize("name", NAMES)
def test_the_description_counts_what_the_trace_holds(strip, inspection, name):
    inspection.show_reply(reply_of(name))
    steps = raw_of(name).steps
    for number, step in enumerate(steps):
        inspection.select_step(number)
        words = strip.accessibleDescription()
        assert words.startswith(f"step {number + 1} of {len(steps)}: ")
        for origin in set(step["origins"]):
            assert f"{step['origins'].count(origin)} {origin}" in words
        assert ("excluded" in words) == bool(step["excluded"])


def test_fifty_thousand_steps_paint_only_the_columns_in_sight(
    strip, inspection, endless, monkeypatch
):
    asked = []
    column = StepLog.column
    monkeypatch.setattr(StepLog, "column", lambda log, i: asked.append(i) or column(log, i))
    inspection.show_reply(endless)
    fit = WIDTH // PITCH + 2
    for move in (
        lambda: None,
        lambda: strip.scroll_to(200_000),
        lambda: strip.scroll_to(0),
        lambda: inspection.select_step(25_000),
    ):
        move()
        asked.clear()
        strip.grab()
        assert 0 < len(asked) <= fit
        assert asked == list(strip.view.visible)
    assert 25_000 in asked


def test_the_newest_end_is_followed_until_the_user_selects(strip, inspection, growing):
    inspection.show_reply(growing)
    assert 99 in strip.view.visible
    grow(growing, 50)
    strip.refresh()
    assert 149 in strip.view.visible
    click(strip, 140)
    left = strip.view.left
    grow(growing, 50)
    strip.refresh()
    assert (inspection.selected_step, strip.view.left) == (140, left)
    inspection.follow()
    assert 199 in strip.view.visible


def test_looking_away_stops_following_and_stays_there(strip, inspection, growing):
    inspection.show_reply(growing)
    assert turn(strip, pixels=QPoint(120, 0))
    left = strip.view.left
    assert left == strip.view.most - 120
    assert not inspection.is_following
    grow(growing, 30)
    strip.refresh()
    assert strip.view.left == left


def test_a_wheel_that_turns_one_way_moves_the_columns_until_they_end(strip, inspection, growing):
    inspection.show_reply(growing)
    assert not turn(strip, angle=QPoint(0, -120))
    assert turn(strip, angle=QPoint(0, 120))
    assert strip.view.left == strip.view.most - 3 * PITCH
    assert not turn(strip, pixels=QPoint(0, 40), angle=QPoint(0, 120))


def test_dragging_moves_the_columns_and_selects_none(strip, inspection, growing):
    inspection.show_reply(growing)
    inspection.select_step(99)
    left = strip.view.left
    QTest.mousePress(strip, Qt.MouseButton.LeftButton, pos=QPoint(100, MIDDLE))
    QTest.mouseMove(strip, QPoint(180, MIDDLE))
    QTest.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=QPoint(180, MIDDLE))
    assert strip.view.left == left - 80
    assert inspection.selected_step == 99


def test_the_overview_is_dragged_from_end_to_end(strip, inspection, endless):
    inspection.show_reply(endless)
    QTest.mousePress(strip, Qt.MouseButton.LeftButton, pos=QPoint(1, HEIGHT - 3))
    assert strip.view.left == 0
    QTest.mouseMove(strip, QPoint(WIDTH - 1, HEIGHT - 3))
    QTest.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=QPoint(WIDTH - 1, HEIGHT - 3))
    assert strip.view.left == strip.view.most


def test_the_tooltip_is_the_step_in_words(strip, inspection):
    inspection.show_reply(reply_of("local"))
    assert strip.words_at(QPoint(round(strip.view.x(4)) + 2, 20)).startswith("step 5 of 17: 5 acc")
    assert strip.words_at(QPoint(WIDTH - 3, 20)) == ""


def test_a_hidden_strip_does_nothing_until_it_is_shown(strip, inspection, monkeypatch):
    strip.hide()
    calls = []
    refresh = StepStrip.refresh
    monkeypatch.setattr(StepStrip, "refresh", lambda self: calls.append(1) or refresh(self))
    inspection.show_reply(reply_of("local"))
    inspection.select_step(3)
    assert calls == []
    strip.show()
    assert strip.accessibleDescription().startswith("step 4 of 17")


def test_a_strip_shown_with_a_shorter_reply_paints_that_one(strip, inspection, monkeypatch):
    """A widget may be painted before it is told that it is shown, by whoever paints the window."""
    inspection.show_reply(long := started_reply())
    grow(long, 97)
    strip.refresh()
    strip.hide()
    inspection.show_reply(short := started_reply())
    grow(short, 2)
    asked = []
    column = StepLog.column
    monkeypatch.setattr(StepLog, "column", lambda log, i: asked.append(i) or column(log, i))
    picture = QPixmap(strip.size())
    strip.render(picture)
    assert asked == [0, 1]
    assert strip.words_at(QPoint(WIDTH - 5, 20)) == ""
    assert (strip.view.left, strip.view.most) == (0.0, 0.0)


@pytest.mark.qt_no_exception_capture
def test_a_painter_ends_where_painting_fails(strip, inspection, growing, monkeypatch):
    kept = []

    def fail(painter, *_):
        kept.append(painter)
        raise IndexError("made up")

    inspection.show_reply(growing)
    monkeypatch.setattr(StripPainter, "columns", lambda self, painter, *_: fail(painter))
    # Nobody paints it later.
    strip.hide()
    with pytest.raises(IndexError):
        strip.grab()
    assert len(kept) == 1
    assert not kept[0].isActive()


def test_without_a_reply_it_says_so(strip):
    strip.refresh()
    assert strip.accessibleDescription() == "no steps yet"
    QTest.keyClick(strip, Qt.Key.Key_Right)
    assert strip.grab().width() == WIDTH


def test_the_follow_button_takes_it_up_again(qtbot, theme, inspection, growing):
    section = StepsSection(theme, inspection)
    qtbot.addWidget(section)
    section.resize(WIDTH, 120)
    section.show()
    inspection.show_reply(growing)
    assert not section.follow.isVisible()
    inspection.select_step(3)
    assert (section.follow.isVisible(), section.follow.text()) == (True, "Follow")
    section.follow.setFocus()
    QTest.keyClick(section.follow, Qt.Key.Key_Space)
    assert inspection.is_following
    assert not section.follow.isVisible()
    inspection.show_reply(reply_of("local"))
    inspection.select_step(3)
    assert section.follow.text() == "Newest"


def test_a_viewport_knows_its_ends():
    view = Viewport(width=100, num=5)
    assert (view.most, list(view.visible), view.handle) == (0.0, [0, 1, 2, 3, 4], (0.0, 100.0))
    view = Viewport(left=80, width=100, num=100)
    assert view.column_at(MARGIN) == 10
    assert view.column_at(-1) == 9
    view.reveal(50)
    assert {49, 50, 51} <= set(view.visible)
    assert view.left_for_handle(-10) == 0.0
    assert view.left_for_handle(1_000) == view.most
    assert list(Viewport().visible) == []
