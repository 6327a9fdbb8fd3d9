"""The menus of the side bar's list: of chats, of a folder, of the trash."""

import sys
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMessageBox, QWidget

from app.models.chats import Chats, Folder
from app.models.conversation import Conversation
from app.views.menus import as_shown
from app.views.popup_menu import PopupMenu
from app.views.sidebar.intents import Intents

# A Mac's keyboard has no other.
_TRASH_KEY = "Ctrl+Backspace" if sys.platform == "darwin" else "Del"


class ChatMenus(QObject):
    """Makes a menu when it is asked for; the menu forgets itself when it shuts."""

    def __init__(self, chats: Chats, intents: Intents, view: QWidget) -> None:
        super().__init__(view)
        self._chats, self._intents, self._view = chats, intents, view

    def of_chats(self, chats: Sequence[Conversation], rename: Callable[[], None]) -> QMenu:
        """For chats of one kind: of the trash, of traces, or others."""
        menu, chosen, say = self._menu(), tuple(chats), self._intents
        one = chosen[0] if len(chosen) == 1 else None
        if chosen[0].trashed is not None:
            self._add(menu, self.tr("Restore"), lambda: say.restore_requested.emit(chosen))
            self._add(menu, self.tr("Delete for ever…"), lambda: self.ask_delete(chosen))
            menu.addSeparator()
            self._add(menu, self.tr("Empty Trash…"), self.ask_empty)
            return menu
        if chosen[0].is_read_only:
            self._add(menu, self.tr("Close"), lambda: say.trash_requested.emit(chosen))
            return menu
        if one is not None:
            self._add(menu, self.tr("Rename"), rename, "F2")
        is_pinned = all(chat.is_pinned for chat in chosen)
        is_archived = all(chat.is_archived for chat in chosen)
        words = self.tr("Unpin") if is_pinned else self.tr("Pin")
        self._add(menu, words, lambda: say.pin_requested.emit(chosen, not is_pinned))
        words = self.tr("Unarchive") if is_archived else self.tr("Archive")
        self._add(menu, words, lambda: say.archive_requested.emit(chosen, not is_archived))
        self._add_folders(menu, chosen)
        if one is not None:
            self._add(menu, self.tr("Duplicate"), lambda: say.duplicate_requested.emit(one))
            export = menu.add_menu(self.tr("Export"))
            for words, kind in (("Markdown…", "markdown"), ("JSON…", "json")):
                self._add(export, words, partial(say.export_requested.emit, one, kind))
        menu.addSeparator()
        trash = self.tr("Move to Trash")
        self._add(menu, trash, lambda: say.trash_requested.emit(chosen), _TRASH_KEY)
        return menu

    def of_folder(self, folder: Folder, rename: Callable[[], None]) -> QMenu:
        """Rename, move, delete."""
        menu, say = self._menu(), self._intents
        order = sorted(self._chats.folders, key=lambda each: each.position)
        at = order.index(folder)
        self._add(menu, self.tr("Rename"), rename, "F2")
        up = self._add(
            menu, self.tr("Move up"), lambda: say.folder_moved.emit(folder, order[at - 1])
        )
        up.setEnabled(at > 0)
        below = order[at + 2] if at + 2 < len(order) else None
        down = self._add(menu, self.tr("Move down"), lambda: say.folder_moved.emit(folder, below))
        down.setEnabled(at + 1 < len(order))
        self._add(menu, self.tr("New folder"), lambda: say.folder_requested.emit(()))
        menu.addSeparator()
        delete = self.tr("Delete folder, keep its chats")
        self._add(menu, delete, lambda: say.folder_removed.emit(folder))
        return menu

    def of_trash(self) -> QMenu:
        """Empty it."""
        menu = self._menu()
        self._add(menu, self.tr("Empty Trash…"), self.ask_empty)
        return menu

    def ask_delete(self, chats: Sequence[Conversation]) -> QMessageBox:
        """Ask once whether chats are to be gone for good."""
        chosen = tuple(chats)
        one = self.tr("Delete “{0}” for ever?").format(chosen[0].title)
        more = self.tr("Delete {0} chats for ever?").format(len(chosen))
        words = one if len(chosen) == 1 else more
        return self._ask(words, lambda: self._intents.delete_requested.emit(chosen))

    def ask_empty(self) -> QMessageBox:
        """Ask once whether everything in the trash is to be gone for good."""
        num = sum(chat.trashed is not None for chat in self._chats.items)
        one = self.tr("Delete the chat in the Trash for ever?")
        more = self.tr("Delete the {0} chats in the Trash for ever?").format(num)
        return self._ask(one if num == 1 else more, self._intents.empty_trash_requested.emit)

    def _add_folders(self, menu: PopupMenu, chats: tuple[Conversation, ...]) -> None:
        folders, say = menu.add_menu(self.tr("Move to folder")), self._intents
        self._add(folders, self.tr("New folder…"), lambda: say.folder_requested.emit(chats))
        folders.addSeparator()
        places = {chat.folder for chat in chats}
        none = self._add(folders, self.tr("None"), lambda: say.move_requested.emit(chats, None))
        none.setCheckable(True)
        none.setChecked(places == {None})
        for folder in sorted(self._chats.folders, key=lambda each: each.position):
            action = self._add(
                folders,
                folder.name.replace("&", "&&"),
                partial(say.move_requested.emit, chats, folder),
            )
            action.setCheckable(True)
            action.setChecked(places == {folder.id})

    def _ask(self, words: str, act: Callable[[], object]) -> QMessageBox:
        buttons = QMessageBox.StandardButton
        box = QMessageBox(self._view.window())
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(words)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(self.tr("This cannot be undone."))
        delete = box.addButton(self.tr("Delete"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(buttons.Cancel)
        box.setDefaultButton(buttons.Cancel)
        box.setEscapeButton(buttons.Cancel)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        delete.clicked.connect(lambda: act())
        box.open()
        return box

    def _menu(self) -> PopupMenu:
        menu = PopupMenu(self._view)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def _add(self, menu: QMenu, words: str, act: Callable[[], object], key: str = "") -> QAction:
        # The key is told, not bound: the list itself listens to it.
        action = menu.addAction(f"{words}\t{as_shown(key)}" if key else words)
        action.triggered.connect(lambda: act())
        return action
