"""What this is, in a small sheet."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox, QWidget


def show_about(parent: QWidget, version: str) -> QMessageBox:
    """Open it over a window; it goes when it is closed."""
    box = QMessageBox(parent)
    box.setWindowModality(Qt.WindowModality.WindowModal)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setWindowTitle(_tr("About Draftscope"))
    box.setText(_tr("Draftscope {0}").format(version))
    box.setInformativeText(
        _tr(
            "Chat with local language models and see where every token came from."
            " Models run on this computer; nothing that you type leaves it.\n\n"
            "Apache License 2.0"
        )
    )
    box.open()
    return box


def _tr(text: str) -> str:
    return QCoreApplication.translate("About", text)
