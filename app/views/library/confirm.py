"""A question in place: one sentence, a button that does it, and one that does not."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.views.escape import EscapeKeeper
from app.views.switch_row import quiet


class Confirm(QFrame):
    """Hidden until it is asked; Escape is no."""

    agreed = Signal()
    asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("confirm")
        self.sentence = quiet("", self)
        self.sentence.setObjectName("confirm_words")
        self.yes = QPushButton(self.tr("Yes"), self)
        self.no = QPushButton(self.tr("Cancel"), self)
        for button in (self.yes, self.no):
            button.setAutoDefault(False)
            EscapeKeeper(button, self.isVisible)
        self.yes.clicked.connect(self._on_yes)
        self.no.clicked.connect(self.hide)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        row.addWidget(self.no)
        row.addWidget(self.yes)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(8)
        column.addWidget(self.sentence)
        column.addLayout(row)
        self.hide()

    def ask(self, sentence: str, words: str) -> None:
        """Show the question; `words` stand on the button that does it."""
        self.sentence.setText(sentence)
        self.yes.setText(words)
        self.yes.setAccessibleDescription(sentence)
        self.show()
        self.no.setFocus()
        self.asked.emit()

    def _on_yes(self) -> None:
        self.hide()
        self.agreed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
