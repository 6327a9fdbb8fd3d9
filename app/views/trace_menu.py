"""The header's menu: what can be done with the open chat, and with the trace of its reply."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.models.commands import Commands
from app.models.trace_format import SUFFIXES, Format
from app.theme import Theme
from app.views.controls import IconButton
from app.views.file_dialogs import ALL_FILES, OpenDialog, SaveDialog
from app.views.menus import as_shown
from app.views.popup_menu import PopupMenu

_KINDS: dict[Format, str] = {
    "trace": "Traces (*.jsonl)",
    "chrome": "Chrome traces (*.json)",
    "csv": "Tables (*.csv)",
}


_OF_CHAT = ("rename", "export_markdown", "export_json", "delete_chat")


class TraceMenu(IconButton):
    """A button with a menu; asks for a file and emits what is to be done with it."""

    open_requested = Signal(object)
    save_requested = Signal(object, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("more", self.tr("This chat, and traces"), theme, parent)
        self._menu = PopupMenu(self)
        self.open = self._menu.addAction(self.tr("Open trace…"))
        self._menu.addSeparator()
        self.save = self._menu.addAction(self.tr("Save this reply's trace…"))
        self.chrome = self._menu.addAction(self.tr("Export for the Chrome trace viewer…"))
        self.csv = self._menu.addAction(self.tr("Export steps as CSV…"))
        self.open.triggered.connect(self._ask_open)
        self.save.triggered.connect(lambda: self._ask_save("trace"))
        self.chrome.triggered.connect(lambda: self._ask_save("chrome"))
        self.csv.triggered.connect(lambda: self._ask_save("csv"))
        self.of_chat: dict[str, QAction] = {}
        self.clicked.connect(self._show_menu)
        # What to call a file of a kind, until the person says otherwise.
        self.suggest: Callable[[Format], str] = lambda kind: f"reply{SUFFIXES[kind]}"
        self.set_has_reply(False)

    def offer(self, commands: Commands) -> None:
        """Have what can be done with the open chat above all else."""
        menus: dict[str, PopupMenu] = {"": self._menu}
        before = self._menu.insertSeparator(self.open)
        for command in (commands[id] for id in _OF_CHAT):
            if command.submenu not in menus:
                menus[command.submenu] = made = PopupMenu(self._menu)
                made.setTitle(command.submenu)
                self._menu.insertMenu(before, made)
            # The key is told, not bound: the window has it.
            words = "\t".join((command.title, *map(as_shown, command.keys[:1])))
            action = QAction(words, menus[command.submenu])
            action.triggered.connect(lambda _=False, id=command.id: commands.run(id))
            if command.submenu:
                menus[command.submenu].addAction(action)
            else:
                self._menu.insertAction(before, action)
            self.of_chat[command.id] = action

        def refresh() -> None:
            for id, action in self.of_chat.items():
                action.setEnabled(commands.is_possible(id))

        self._menu.aboutToShow.connect(refresh)

    def set_has_reply(self, has_reply: bool) -> None:
        """Whether there is a reply with steps to save."""
        for action in (self.save, self.chrome, self.csv):
            action.setEnabled(has_reply)

    def _show_menu(self) -> None:
        self._menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))

    def _ask_open(self) -> None:
        kinds = f"{_KINDS['trace']};;{ALL_FILES}"
        dialog = OpenDialog(self.window(), self.tr("Open a trace"), kinds)
        dialog.fileSelected.connect(lambda name: self.open_requested.emit(Path(name)))
        dialog.open()

    def _ask_save(self, kind: Format) -> None:
        dialog = SaveDialog(self.window(), self.tr("Save as"), self.suggest(kind), _KINDS[kind])
        dialog.fileSelected.connect(lambda name: self.save_requested.emit(Path(name), kind))
        dialog.open()
