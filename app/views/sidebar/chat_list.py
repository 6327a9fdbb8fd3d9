"""The list of chats in the side bar: what keys and the mouse do in it."""

import sys

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, Qt
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QMenu, QWidget

from app.models.chats import Chats
from app.models.conversation import Conversation
from app.theme import Theme
from app.views.escape import EscapeKeeper
from app.views.sidebar.chat_menu import ChatMenus
from app.views.sidebar.dragging import Dragged, Dragging
from app.views.sidebar.drop_target import DropTarget
from app.views.sidebar.grouped_list import GroupedList
from app.views.sidebar.intents import Intents
from app.views.sidebar.rows import Heading

_NONE, _KEYPAD = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier
_CONTROL = Qt.KeyboardModifier.ControlModifier
_RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
# Reasons to lose the focus that are no leaving.
_BRIEF = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
_FLAG = QItemSelectionModel.SelectionFlag
_RENAMES_ON_RETURN = sys.platform == "darwin"


class ChatList(GroupedList):
    """A click opens a chat, arrows only go to it; everything that is asked for is an intent."""

    def __init__(
        self, theme: Theme, chats: Chats, intents: Intents, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, chats, intents, parent)
        self._theme, self._intents = theme, intents
        self.menus = ChatMenus(chats, intents, self)
        self.drag = Dragging(self)
        self.drag.moved.connect(self._follow_drag)
        self.target = DropTarget(self, self.rows, chats, intents)
        self._pressed: object | None = None
        EscapeKeeper(self, lambda: self.drag.is_on)

    def menu_at(self, index: QModelIndex) -> QMenu | None:
        """What can be done with a row, or with all that is selected if the row is of it."""
        row = self.rows.row(index)
        if isinstance(row, Conversation):
            chosen = self.chosen if row in self.chosen else (row,)
            kind = _kind(row)
            alike = tuple(chat for chat in chosen if _kind(chat) == kind)
            return self.menus.of_chats(alike, lambda: self.rename(row))
        if isinstance(row, Heading) and row.place.kind == "trash":
            return self.menus.of_trash()
        folder = self.folder_of(row)
        if folder is None or not isinstance(row, Heading):
            return None
        return self.menus.of_folder(folder, lambda: self.rename(row.place))

    def _act_on(self, row: object) -> None:
        """What a click does, or Space."""
        if isinstance(row, Conversation):
            # One that was deleted a moment ago may still stand here.
            if row in self._chats.items:
                self._intents.chat_chosen.emit(row)
        elif isinstance(row, Heading):
            self.fold(row.place, not row.is_folded)

    def _delete(self) -> None:
        """Into the trash; from there nothing goes without being asked for. Of a folder, itself."""
        chosen = self.chosen
        kept = tuple(chat for chat in chosen if chat.trashed is None)
        folder = self.folder_of(self.rows.row(self.currentIndex()))
        if kept:
            self._intents.trash_requested.emit(kept)
        elif chosen:
            self.menus.ask_delete(chosen)
        elif folder is not None:
            self._intents.folder_removed.emit(folder)

    def _go_sideways(self, *, is_left: bool) -> None:
        """Left folds a group, or goes up to its heading; Right unfolds it."""
        index = self.currentIndex()
        row = self.rows.row(index)
        if isinstance(row, Heading):
            self.fold(row.place, is_left)
        elif is_left and (place := self.rows.place_at(index)) is not None:
            heading = self.rows.index_of(place)
            if heading.isValid():
                self.setCurrentIndex(heading)

    def _go_to(self, index: QModelIndex) -> None:
        """Have keys mean this row; what else is selected with it stays so."""
        is_chosen = self.selectionModel().isSelected(index)
        flags = _FLAG.NoUpdate if is_chosen else _FLAG.ClearAndSelect
        if index.isValid():
            self.selectionModel().setCurrentIndex(index, flags)

    def _offer(self, row: object) -> Dragged | None:
        """What would be dragged from a row: it, or all that is selected if it is of it."""
        if isinstance(row, Conversation) and not row.is_read_only:
            chats = self.chosen if row in self.chosen else (row,)
            more = self.tr("{0} chats").format(len(chats))
            title = self.fontMetrics().elidedText(row.title, Qt.TextElideMode.ElideRight, 150)
            return Dragged(chats, None, title if len(chats) == 1 else more)
        folder = self.folder_of(row)
        return Dragged((), folder, folder.name) if folder is not None else None

    def _follow_drag(self, at: QPoint) -> None:
        if self.drag.dragged is not None:
            self.target.follow(self.drag.dragged, at)
        self._show_target()

    def _end_drag(self, *, drops: bool) -> bool:
        dragged = self.drag.end()
        if dragged is not None and drops:
            self.target.drop(dragged)
        self.target.clear()
        self._show_target()
        return dragged is not None

    def _show_target(self) -> None:
        self.painter.target = self.target.place
        self.viewport().update()

    def _on_key(self, key: int, keys: Qt.KeyboardModifier) -> bool:
        """Whether a key means something here."""
        row, plain = self.rows.row(self.currentIndex()), keys in (_NONE, _KEYPAD)
        thing = self.current_thing()
        if key == Qt.Key.Key_Escape and self.drag.is_on:
            self._end_drag(drops=False)
        elif thing is not None and (
            key == Qt.Key.Key_F2 or (key in _RETURN and _RENAMES_ON_RETURN)
        ):
            self.rename(thing)
        elif plain and (key in _RETURN or key == Qt.Key.Key_Space):
            self._act_on(row)
        elif keys == _CONTROL and key == Qt.Key.Key_Z:
            self._intents.undo_requested.emit()
        elif (plain and key == Qt.Key.Key_Delete) or (
            keys == _CONTROL and key == Qt.Key.Key_Backspace
        ):
            self._delete()
        elif plain and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._go_sideways(is_left=key == Qt.Key.Key_Left)
        else:
            return False
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # The field in which a name is typed lets Return through.
        if self.is_editing or not self._on_key(event.key(), event.modifiers()):
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        # The right button only opens a menu.
        if event.button() != Qt.MouseButton.LeftButton:
            return
        at, is_plain = event.position().toPoint(), event.modifiers() == _NONE
        row = self.rows.row(self.indexAt(at))
        self._pressed = row if is_plain else None
        self.drag.press(at, self._offer(row))
        # Of several that are selected, one stays for now: all of them may be dragged.
        if not (is_plain and len(self.chosen) > 1 and row in self.chosen):
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.drag.move(event.position().toPoint())
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if event.button() != Qt.MouseButton.LeftButton or self._end_drag(drops=True):
            return
        super().mouseReleaseEvent(event)
        row = self.rows.row(self.indexAt(event.position().toPoint()))
        if pressed is None or row != pressed:
            return
        if isinstance(row, Conversation):
            self.select((row,))
        self._act_on(row)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_asked_by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if is_asked_by_key else self.indexAt(event.pos())
        # The keys that the menu tells are meant for its row, and the list has them once it shuts.
        self._go_to(index)
        menu = self.menu_at(index)
        if menu is not None:
            at = self.visualRect(index).center() if is_asked_by_key else event.pos()
            menu.popup(self.viewport().mapToGlobal(at))

    def event(self, event: QEvent) -> bool:
        # Elsewhere in the window these mean something else.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_undo = (event.key(), event.modifiers()) == (Qt.Key.Key_Z, _CONTROL)
            if is_undo or (event.key() == Qt.Key.Key_F2 and self.current_thing() is not None):
                event.accept()
                return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in _BRIEF and not self.is_editing:
            self.show_open(scrolls=False)

    def paintEvent(self, event: QPaintEvent) -> None:
        self.painter.shows_chosen = len(self.selectedIndexes()) > 1
        super().paintEvent(event)
        if self.target.line is not None:
            with QPainter(self.viewport()) as painter:
                painter.setPen(QPen(QColor(self._theme.palette.accent), 2))
                line = self.target.line
                painter.drawLine(8, line, self.viewport().width() - 8, line)


def _kind(chat: Conversation) -> tuple[bool, bool]:
    """Chats of one kind have one menu."""
    return chat.trashed is not None, chat.is_read_only
