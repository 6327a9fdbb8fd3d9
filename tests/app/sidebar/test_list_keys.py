"""Where keys go in the window while the list of chats is used: F2, Del and Ctrl-Z."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox

from app.models.grouping import Place

CONTROL = Qt.KeyboardModifier.ControlModifier


class Room:
    """A window with three chats, the first of them open."""

    def __init__(self, desk) -> None:
        self.desk, self.chats, self.window = desk, desk.chats, desk.window
        self.list, self.edit = desk.window.sidebar.list, desk.window.composer.edit
        self.window.activateWindow()
        self.made = [self._made(name) for name in ("c", "b", "a")][::-1]
        self.settle()

    def _made(self, name: str):
        chat = self.chats.new()
        chat.ask(name).reply.phase = "finished"
        chat.rename(name)
        return chat

    def settle(self) -> None:
        self.desk.settle(0.02)
        self.list.regroup()

    def at(self, thing) -> QPoint:
        return self.list.visualRect(self.list.rows.index_of(thing)).center()

    def click(self, thing) -> None:
        left = Qt.MouseButton.LeftButton
        self.desk.do(lambda: QTest.mouseClick(self.list.viewport(), left, pos=self.at(thing)))
        self.settle()

    def right_click(self, thing) -> None:
        """Open the menu of a row, and shut it."""
        view, place = self.list.viewport(), self.at(thing)
        right, reason = Qt.MouseButton.RightButton, QContextMenuEvent.Reason.Mouse

        def act() -> None:
            QTest.mouseClick(view, right, pos=place)
            self.list.setFocus(Qt.FocusReason.MouseFocusReason)
            event = QContextMenuEvent(reason, place, view.mapToGlobal(place))
            QApplication.sendEvent(view, event)
            menu = QApplication.activePopupWidget()
            assert menu is not None
            QTest.keyClick(menu, Qt.Key.Key_Escape)

        self.desk.do(act)
        # Without a window manager a shut menu leaves it inactive.
        self.window.activateWindow()
        self.settle()

    def key(self, key: Qt.Key, keys=Qt.KeyboardModifier.NoModifier) -> None:
        self.desk.do(lambda: QTest.keyClick(self.window.focusWidget(), key, keys))
        self.settle()

    def type(self, words: str) -> None:
        self.desk.do(lambda: QTest.keyClicks(self.window.focusWidget(), words))


@pytest.fixture
def room(make_desk) -> Room:
    return Room(make_desk())


def test_f2_renames_the_open_chat_wherever_keys_go_and_then_they_go_back(room):
    first, second, _ = room.made
    room.click(second)
    assert room.edit.hasFocus()
    room.key(Qt.Key.Key_F2)
    assert isinstance(room.window.focusWidget(), QLineEdit)
    room.key(Qt.Key.Key_F2)
    room.type("lamps")
    room.key(Qt.Key.Key_Return)
    assert (first.title, second.title) == ("a", "lamps")
    assert room.edit.hasFocus()
    room.type("and")
    assert room.edit.toPlainText() == "and"


def test_f2_brings_the_side_bar_if_it_is_hidden(room):
    room.desk.do(room.window.sides.toggle_sidebar)
    assert not room.window.sidebar.isVisible()
    room.key(Qt.Key.Key_F2)
    room.type("lamps")
    room.key(Qt.Key.Key_Return)
    assert room.made[0].title == "lamps"


def test_f2_in_the_list_renames_its_row(room):
    first, second, _ = room.made
    room.list.setFocus()
    room.key(Qt.Key.Key_Down)
    room.key(Qt.Key.Key_F2)
    room.type("lamps")
    room.key(Qt.Key.Key_Return)
    assert (first.title, second.title) == ("a", "lamps")
    assert room.list.hasFocus()
    assert room.chats.current is first


def test_after_del_keys_stay_in_the_list_on_the_next_row_and_undo_brings_it_back(room):
    first, second, third = room.made
    room.right_click(first)
    room.key(Qt.Key.Key_Delete)
    assert first.trashed is not None
    assert room.list.hasFocus()
    assert room.chats.current is second
    assert room.list.chosen == (second,)
    room.key(Qt.Key.Key_Z, CONTROL)
    assert first.trashed is None
    assert room.list.hasFocus()
    assert room.chats.current is first
    assert not room.window.sidebar.undo_bar.isVisible()
    room.key(Qt.Key.Key_Delete)
    room.key(Qt.Key.Key_Delete)
    assert [chat.trashed is not None for chat in room.made] == [True, True, False]
    assert room.chats.current is third
    assert room.edit.toPlainText() == ""


def test_del_on_a_chat_that_is_not_open_goes_on_to_the_next(room):
    first, second, third = room.made
    room.right_click(second)
    assert room.list.chosen == (second,)
    assert room.chats.current is first
    room.key(Qt.Key.Key_Delete)
    assert [chat.trashed is not None for chat in room.made] == [False, True, False]
    assert room.list.chosen == (third,)
    assert room.chats.current is first


def test_deleted_for_ever_by_keys_the_list_keeps_them(room):
    first = room.made[0]
    room.list.setFocus()
    room.key(Qt.Key.Key_Delete)
    room.window.sidebar.show_place(Place("trash"))
    room.settle()
    room.click(first)
    room.list.setFocus()
    room.key(Qt.Key.Key_Delete)
    (box,) = room.window.findChildren(QMessageBox)
    (delete,) = (each for each in box.buttons() if each.text() == "Delete")
    room.desk.do(delete.click)
    room.settle()
    assert first not in room.chats.items
    assert room.window.focusWidget() is room.list


def test_a_menu_of_one_among_several_leaves_them_selected(room):
    room.list.select(tuple(room.made[:2]))
    room.right_click(room.made[1])
    assert room.list.chosen == tuple(room.made[:2])
    room.right_click(room.made[2])
    assert room.list.chosen == (room.made[2],)
