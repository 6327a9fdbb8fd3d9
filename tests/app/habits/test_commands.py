"""One table makes the menus, the keys and the palette; no key acts twice, none when impossible."""

from collections import Counter

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QMainWindow, QPlainTextEdit

from app.models.commands import Commands
from app.views.menus import Menus, bind_edits


class Bench:
    """A window with a field, all commands bound to a list of what was done."""

    def __init__(self, qtbot) -> None:
        self.commands, self.window = Commands(), QMainWindow()
        self.field = QPlainTextEdit(self.window)
        self.window.setCentralWidget(self.field)
        self.done: list[str] = []
        self.menus = Menus(self.commands, self.window, is_mac=False)
        qtbot.addWidget(self.window)
        bind_edits(self.commands)
        for command in self.commands.items:
            if not self.commands.is_bound(command.id):
                self.commands.bind(command.id, lambda id=command.id: self.done.append(id))
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        self.field.setFocus()

    def press(self, qtbot, key: str) -> list[str]:
        self.done.clear()
        combination = QKeySequence(key)[0]
        qtbot.keyClick(self.field, combination.key(), combination.keyboardModifiers())
        return list(self.done)


@pytest.fixture
def bench(qtbot):
    return Bench(qtbot)


def test_ids_and_keys_are_given_once():
    commands = Commands().items
    assert max(Counter(command.id for command in commands).values()) == 1
    keys = [QKeySequence(key).toString() for command in commands for key in command.keys]
    assert max(Counter(keys).values()) == 1
    assert all(not QKeySequence(key).isEmpty() for key in keys)


def test_every_key_does_its_command_once_while_the_bar_is_hidden(bench, qtbot):
    assert not bench.menus.bar.isVisible()
    of_a_field = {"undo", "redo", "cut", "copy", "paste", "select_all"}
    for command in bench.commands.items:
        for key in () if command.id in of_a_field else command.keys:
            assert bench.press(qtbot, key) == [command.id], key


def test_what_is_impossible_is_not_done_and_is_grey_in_an_open_menu(bench, qtbot):
    possible = False
    bench.commands.bind("regenerate", lambda: bench.done.append("again"), lambda: possible)
    assert bench.press(qtbot, "Ctrl+R") == []
    menu = bench.menus.menu(bench.commands["regenerate"].menu)
    action = bench.menus.actions["regenerate"]
    menu.aboutToShow.emit()
    assert not action.isEnabled()
    menu.aboutToHide.emit()
    # No menu has to follow: the key works as soon as it is possible.
    possible = True
    assert bench.press(qtbot, "Ctrl+R") == ["again"]


def test_a_switch_shows_whether_it_is_on(bench):
    on = True
    bench.commands.bind("tokens", lambda: None, is_on=lambda: on)
    action = bench.menus.actions["tokens"]
    menu = bench.menus.menu(bench.commands["tokens"].menu)
    menu.aboutToShow.emit()
    assert action.isCheckable()
    assert action.isChecked()
    on = False
    menu.aboutToShow.emit()
    assert not action.isChecked()
    menu.aboutToHide.emit()


def test_edits_go_to_the_focus(bench):
    bench.field.setPlainText("hello")
    for id, left in (("select_all", "hello"), ("cut", ""), ("undo", "hello"), ("redo", "")):
        assert bench.commands.run(id)
        assert bench.field.toPlainText() == left
    assert QGuiApplication.clipboard().text() == "hello"
    bench.commands.run("paste")
    assert bench.field.toPlainText() == "hello"


def test_what_nobody_does_is_in_no_menu(qtbot):
    commands, window = Commands(), QMainWindow()
    qtbot.addWidget(window)
    menus = Menus(commands, window, is_mac=False)
    assert not menus.actions["diagnostics"].isVisible()
    commands.bind("diagnostics", lambda: None)
    assert menus.actions["diagnostics"].isVisible()
    assert not commands.run("about")


def test_roles_move_what_belongs_to_the_apps_own_menu(bench):
    roles = {id: action.menuRole() for id, action in bench.menus.actions.items()}
    assert roles.pop("about") == QAction.MenuRole.AboutRole
    assert roles.pop("preferences") == QAction.MenuRole.PreferencesRole
    assert roles.pop("quit") == QAction.MenuRole.QuitRole
    assert set(roles.values()) == {QAction.MenuRole.NoRole}


def test_a_mac_keeps_the_bar_when_the_window_goes(qtbot):
    commands, window = Commands(), QMainWindow()
    menus = Menus(commands, window, is_mac=True)
    assert menus.bar.parent() is None
    window.deleteLater()
    QGuiApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)


def test_escape_goes_to_what_takes_it_first(bench, qtbot):
    taken = []

    class Field(QPlainTextEdit):
        def event(self, event):
            if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
            return super().event(event)

        def keyPressEvent(self, event):
            taken.append(event.key())

    field = Field(bench.window)
    bench.window.setCentralWidget(field)
    field.setFocus()
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert (taken, bench.done) == ([Qt.Key.Key_Escape], [])
