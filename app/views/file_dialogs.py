"""The dialogs that files and folders are chosen in: where they begin, and that they look alike."""

from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QSize, QStandardPaths
from PySide6.QtGui import QColor, QIcon, QPainter, QShowEvent
from PySide6.QtWidgets import QFileDialog, QToolButton, QWidget

ALL_FILES = "All files (*)"
# What Qt calls those of its own dialog's buttons whose signs are black on any ground.
_ARROWS = ("backButton", "forwardButton", "toParentButton")


class FileDialog(QFileDialog):
    """Begins in the folder that was used last, and is gone when it is closed."""

    # For all of them, until the app ends.
    _used: ClassVar[Path | None] = None

    def __init__(self, parent: QWidget, title: str, kinds: str = "") -> None:
        super().__init__(parent, title, str(first_folder(FileDialog._used)), kinds)
        self.filesSelected.connect(self._remember)
        self.finished.connect(self.deleteLater)

    def _remember(self, names: list[str]) -> None:
        if names:
            FileDialog._used = Path(names[0]).parent

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        for name in _ARROWS:
            button = self.findChild(QToolButton, name)
            if isinstance(button, QToolButton):
                color = self.palette().windowText().color()
                button.setIcon(_painted(button.icon(), button.iconSize(), color))


class OpenDialog(FileDialog):
    """Asks for a file that is there."""

    def __init__(self, parent: QWidget, title: str, kinds: str = "") -> None:
        super().__init__(parent, title, kinds)
        self.setFileMode(QFileDialog.FileMode.ExistingFile)


class SaveDialog(FileDialog):
    """Asks where to write a file of a kind; `name` is what it may be called."""

    def __init__(self, parent: QWidget, title: str, name: str, kind: str) -> None:
        super().__init__(parent, title, f"{kind};;{ALL_FILES}")
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setDefaultSuffix(Path(name).suffix)
        self.selectFile(name)


def first_folder(used: Path | None) -> Path:
    """Where a dialog begins: the folder used last, else the person's documents, else home."""
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    choices = (used, Path(documents) if documents else None)
    return next((each for each in choices if each is not None and each.is_dir()), Path.home())


def _painted(icon: QIcon, size: QSize, color: QColor) -> QIcon:
    """The same sign in another colour, and fainter where it cannot be clicked."""
    result, faint = QIcon(), QColor(color)
    faint.setAlphaF(0.4)
    for mode, shade in ((QIcon.Mode.Normal, color), (QIcon.Mode.Disabled, faint)):
        sign = icon.pixmap(size)
        with QPainter(sign) as painter:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
            painter.fillRect(sign.rect(), shade)
        result.addPixmap(sign, mode)
    return result
