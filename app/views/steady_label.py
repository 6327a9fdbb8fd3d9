"""Labels whose words change often: they ask for a layout only where these need other room.

A plain label asks at every change, and all around it is laid out anew.
"""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


class SteadyLabel(QLabel):
    """One line, exactly as large as its words; Qt lets a widget of a fixed size be."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)

    def show_words(self, words: str) -> None:
        """Other words."""
        if words != self.text():
            self.setText(words)
            if self.isVisible():
                self._fit()

    def _fit(self) -> None:
        # Not its size hint: that never gets less than the least size that is set.
        size = self.fontMetrics().size(0, self.text())
        self.setFixedSize(size.grownBy(self.contentsMargins()))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        is_font = event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange)
        if is_font and self.isVisible():
            self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        # Not before: only now its font is known for good.
        super().showEvent(event)
        self._fit()


class SteadyWords(QWidget):
    """Small words over as many lines as they need."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # In no layout: where it asks for one, this widget hears of it and decides.
        self._label = QLabel(self)
        self._label.setObjectName("small")
        self._label.setWordWrap(True)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setAlignment(Qt.AlignmentFlag.AlignTop)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def text(self) -> str:
        """The words."""
        return self._label.text()

    def show_words(self, words: str) -> None:
        """Other words."""
        if words == self._label.text():
            return
        before = self._label.heightForWidth(self.width())
        self._label.setText(words)
        if self._label.heightForWidth(self.width()) != before:
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        return self._label.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._label.minimumSizeHint()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._label.heightForWidth(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._label.setGeometry(self.rect())
