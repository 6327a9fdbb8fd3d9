"""The menu bar, and the keys of all commands: both made from the table of commands."""

import sys
from functools import partial

from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QMenuBar, QWidget

from app.models.commands import Command, Commands, Role

_ROLES: dict[Role, QAction.MenuRole] = {
    # No guessing by titles: "Settings" is a pane here.
    "": QAction.MenuRole.NoRole,
    "about": QAction.MenuRole.AboutRole,
    "preferences": QAction.MenuRole.PreferencesRole,
    "quit": QAction.MenuRole.QuitRole,
}
_EDITS = {
    "undo": QKeySequence.StandardKey.Undo,
    "redo": QKeySequence.StandardKey.Redo,
    "cut": QKeySequence.StandardKey.Cut,
    "copy": QKeySequence.StandardKey.Copy,
    "paste": QKeySequence.StandardKey.Paste,
    "select_all": QKeySequence.StandardKey.SelectAll,
}


class Menus:
    """Shown on a Mac, where the bar outlives a hidden window; elsewhere only its keys work.

    What is impossible is greyed while a menu is open. A key asks at the moment it is pressed, so
    that no action has to follow every change.
    """

    def __init__(
        self, commands: Commands, window: QMainWindow, *, is_mac: bool = sys.platform == "darwin"
    ) -> None:
        self._commands = commands
        self.bar = QMenuBar(None if is_mac else window)
        self.bar.setNativeMenuBar(is_mac)
        self.bar.setVisible(is_mac)
        self.actions: dict[str, QAction] = {}
        self._menus: dict[tuple[str, str], QMenu] = {}
        self._groups: dict[QMenu, int] = {}
        for command in commands.items:
            action = self._action(command, window)
            if command.menu:
                self._place(command, action)
        commands.bound.connect(self._show)
        window.destroyed.connect(self.bar.deleteLater)

    def menu(self, name: str, submenu: str = "") -> QMenu:
        """The menu of this name, made when it is first asked for."""
        if (name, submenu) not in self._menus:
            made = self.menu(name).addMenu(submenu) if submenu else self.bar.addMenu(name)
            made.aboutToShow.connect(self._refresh)
            made.aboutToHide.connect(self._allow_all)
            self._menus[name, submenu] = made
        return self._menus[name, submenu]

    def _action(self, command: Command, window: QWidget) -> QAction:
        title = command.title
        if command.hint and not command.keys:
            title = f"{title}\t{command.hint}"
        action = QAction(title, window)
        action.setMenuRole(_ROLES[command.role])
        action.setShortcuts([QKeySequence(key) for key in command.keys])
        action.setVisible(self._commands.is_bound(command.id))
        action.triggered.connect(lambda: self._commands.run(command.id))
        # The keys of a bar that is not shown would be dead.
        window.addAction(action)
        self.actions[command.id] = action
        return action

    def _place(self, command: Command, action: QAction) -> None:
        top = self.menu(command.menu)
        if self._groups.setdefault(top, command.group) != command.group:
            top.addSeparator()
            self._groups[top] = command.group
        self.menu(command.menu, command.submenu).addAction(action)

    def _show(self, id: str) -> None:
        action = self.actions[id]
        action.setCheckable(self._commands.is_switch(id))
        action.setVisible(True)

    def _refresh(self) -> None:
        for id, action in self.actions.items():
            action.setEnabled(self._commands.is_possible(id))
            action.setChecked(self._commands.is_on(id))

    def _allow_all(self) -> None:
        for action in self.actions.values():
            action.setEnabled(True)


def bind_edits(commands: Commands) -> None:
    """Undo, copy and the like go to whatever has the focus, as if their keys had been pressed."""
    edits = _Edits()
    for id, key in _EDITS.items():
        commands.bind(id, partial(edits.press, key), lambda: QApplication.focusWidget() is not None)


class _Edits:
    """Sends keys to what has the focus; what does not know one gives it back as a shortcut."""

    def __init__(self) -> None:
        self._is_pressing = False

    def press(self, standard: QKeySequence.StandardKey) -> None:
        """One key, once: given back, it is nobody's."""
        focus = QApplication.focusWidget()
        keys = QKeySequence.keyBindings(standard)
        if focus is None or not keys or self._is_pressing:
            return
        combination = keys[0][0]  # type: ignore[index]
        self._is_pressing = True
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            event = QKeyEvent(kind, combination.key(), combination.keyboardModifiers())
            QApplication.sendEvent(focus, event)
        self._is_pressing = False


def as_shown(key: str) -> str:
    """A key as this system writes it: ⌘K on a Mac, Ctrl+K elsewhere."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
