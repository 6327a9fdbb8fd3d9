"""Asks for files of chats: which one to take in, where to write one."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from app.views.file_dialogs import ALL_FILES, FileDialog, OpenDialog, SaveDialog

_KINDS = {".md": "Markdown (*.md)", ".json": "Chats (*.json)"}


def ask_import(window: QWidget, chosen: Callable[[Path], object]) -> QFileDialog:
    """Ask for a file that holds chats."""
    kinds = _tr("Chats (*.json *.zip);;All files (*)")
    title = _tr("Import chats of Draftscope or ChatGPT")
    return _shown(OpenDialog(window, title, kinds), chosen)


def ask_export(window: QWidget, name: str, chosen: Callable[[Path], object]) -> QFileDialog:
    """Ask where to write a file; its name's end says of which kind it is."""
    kind = _KINDS.get(Path(name).suffix, ALL_FILES)
    return _shown(SaveDialog(window, _tr("Export"), name, kind), chosen)


def _shown(dialog: FileDialog, chosen: Callable[[Path], object]) -> QFileDialog:
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.open()
    return dialog


def _tr(text: str) -> str:
    return QCoreApplication.translate("ChatDialogs", text)
