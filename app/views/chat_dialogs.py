"""Asks for files of chats: which one to take in, where to write one."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFileDialog, QWidget


def ask_import(window: QWidget, chosen: Callable[[Path], object]) -> QFileDialog:
    """Ask for a file that holds chats."""
    kinds = _tr("Chats (*.json *.zip);;All files (*)")
    dialog = QFileDialog(window, _tr("Import chats of Draftscope or ChatGPT"), "", kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    return _shown(dialog, chosen)


def ask_export(window: QWidget, name: str, chosen: Callable[[Path], object]) -> QFileDialog:
    """Ask where to write a file; its name's end says of which kind it is."""
    dialog = QFileDialog(window, _tr("Export"), name)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(Path(name).suffix)
    return _shown(dialog, chosen)


def _shown(dialog: QFileDialog, chosen: Callable[[Path], object]) -> QFileDialog:
    dialog.fileSelected.connect(lambda name: chosen(Path(name)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog


def _tr(text: str) -> str:
    return QCoreApplication.translate("ChatDialogs", text)
