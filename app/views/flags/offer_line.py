"""A line to type in that offers what it may hold."""

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCompleter, QLineEdit, QWidget


class OfferLine(QLineEdit):
    """It offers while one types; Down offers all of it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._offers = QStringListModel(self)
        completer = QCompleter(self._offers, self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompleter(completer)

    def offer(self, texts: list[str]) -> None:
        """What can be chosen."""
        self._offers.setStringList(texts)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and not self.text():
            self.completer().setCompletionPrefix("")
            self.completer().complete()
            return
        super().keyPressEvent(event)
