"""The menu of what can be done with a trace: open one, save or export the shown reply's."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QWidget

from app.models.trace_format import SUFFIXES, Format
from app.theme import Theme
from app.views.controls import IconButton
from app.views.file_dialogs import ALL_FILES, OpenDialog, SaveDialog
from app.views.popup_menu import PopupMenu

_KINDS: dict[Format, str] = {
    "trace": "Traces (*.jsonl)",
    "chrome": "Chrome traces (*.json)",
    "csv": "Tables (*.csv)",
}


class TraceMenu(IconButton):
    """A button with a menu; asks for a file and emits what is to be done with it."""

    open_requested = Signal(object)
    save_requested = Signal(object, str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("more", self.tr("Traces"), theme, parent)
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
        self.clicked.connect(self._show_menu)
        # What to call a file of a kind, until the person says otherwise.
        self.suggest: Callable[[Format], str] = lambda kind: f"reply{SUFFIXES[kind]}"
        self.set_has_reply(False)

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
