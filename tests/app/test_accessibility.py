"""Whoever cannot see or point: every control has a name, and the keyboard gets to all of them."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QScrollBar, QWidget

from app.models.talk_state import talk_state

LOCAL = Path(__file__).parents[1] / "traces" / "local.jsonl"
PANES = ("live", "step", "compare", "settings")


def name_of(widget: QWidget) -> str:
    """What a screen reader says of it."""
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return widget.accessibleName() or text


def open_trace(desk) -> None:
    """Show a trace, with everything that comes with one."""

    async def opening() -> None:
        assert await desk.session.traces.open(LOCAL) is not None

    desk.wait(opening())
    desk.settle(0.3)


@pytest.mark.parametrize("pane", PANES)
def test_every_control_has_a_name(make_desk, pane):
    desk = make_desk()
    open_trace(desk)
    desk.window.show_pane(pane)
    desk.settle(0.1)
    controls = [
        widget
        for widget in desk.window.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not isinstance(widget, QScrollBar)
        and widget.objectName() != "qt_spinbox_lineedit"
    ]
    assert len(controls) > 10
    assert [repr(widget) for widget in controls if not name_of(widget)] == []


@pytest.mark.parametrize("pane", PANES)
def test_tab_reaches_every_control_of_a_pane(make_desk, pane):
    desk = make_desk()
    open_trace(desk)
    desk.window.resize(1440, 4_000)
    desk.window.show_pane(pane)
    desk.settle(0.1)
    front = desk.window.inspector
    wanted = {
        widget
        for widget in front.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        # Arrow keys go between the tabs; Tab gets to the one in front.
        and (widget.objectName() != "tab" or widget.isChecked())
    }
    reached: set[QWidget] = set()
    desk.window.activateWindow()
    desk.window.header.panel.setFocus()
    for _ in range(300):
        QTest.keyClick(QApplication.focusWidget() or desk.window, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        if focused is None or focused in reached:
            break
        reached.add(focused)
    missing = [f"{name_of(widget)}: {widget!r}" for widget in wanted - reached]
    assert missing == []


def test_panes_open_by_number(make_desk):
    desk = make_desk()
    desk.window.activateWindow()
    for number, pane in enumerate(PANES, 1):
        key = getattr(Qt.Key, f"Key_{number}")
        QTest.keyClick(desk.window, key, Qt.KeyboardModifier.ControlModifier)
        assert desk.window.inspector.pane == pane


def test_a_dropped_trace_is_opened_and_nothing_can_be_asked_in_it(make_desk):
    desk = make_desk()
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(LOCAL)), QUrl("https://example.org/a.jsonl")])
    how = Qt.DropAction.CopyAction, files, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter, drop = QDragEnterEvent(QPoint(5, 5), *how), QDropEvent(QPointF(5, 5), *how)

    async def dropping() -> None:
        QApplication.sendEvent(desk.window, enter)
        assert enter.isAccepted()
        QApplication.sendEvent(desk.window, drop)
        await desk.until(lambda: desk.chats.current.is_read_only)

    desk.wait(dropping())
    assert desk.chats.current.title == "local.jsonl"
    assert desk.window.composer.isHidden()
    desk.do(lambda: desk.controller.send("more"))
    assert len(desk.chats.current.exchanges) == 1
    assert desk.worker.requests == []


def test_the_composer_says_why_nothing_can_be_sent(make_desk):
    desk = make_desk()
    chat, model, comparison = desk.chats.current, desk.session.model, desk.session.comparison
    assert talk_state(chat, model, None).blocked == ""
    assert talk_state(chat, model, comparison).blocked == "A comparison is running"
    assert "another chat" in talk_state(chat, model, object()).blocked
