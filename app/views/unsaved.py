"""Asks before the window closes on chats that are not on disk."""

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget


def ask_to_lose(parent: QWidget, why: str, go_on: Callable[[], None]) -> None:
    """Say what would be lost; `go_on` is called if the person wants that."""
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setText(box.tr("Quit and lose what is not saved?"))
    box.setInformativeText(why)
    quit_button = box.addButton(box.tr("Quit anyway"), QMessageBox.ButtonRole.DestructiveRole)
    stay = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    quit_button.clicked.connect(go_on)
    box.finished.connect(box.deleteLater)
    box.open()
