"""A question in place: one sentence, a button that does it, and one that does not."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.views.escape import EscapeKeeper
from app.views.library.succession import holds_focus
from app.views.switch_row import quiet


class Confirm(QFrame):
    """Hidden until it is asked; Escape is no. The focus goes back to where it was asked from."""

    agreed = Signal()
    asked = Signal()

    def __init__(self, parent: QWidget | None = None, no: str = "") -> None:
        super().__init__(parent)
        self.setObjectName("confirm")
        self._asker: QWidget | None = None
        self.sentence = quiet("", self)
        self.sentence.setObjectName("confirm_words")
        self.yes = QPushButton(self.tr("Yes"), self)
        self.no = QPushButton(no or self.tr("Cancel"), self)
        for button in (self.yes, self.no):
            button.setAutoDefault(False)
            EscapeKeeper(button, self.isVisible)
        self.yes.clicked.connect(self._on_yes)
        self.no.clicked.connect(self.put_away)
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

    def ask(self, sentence: str, words: str, asker: QWidget) -> None:
        """Show the question; `words` stand on the button that does it, `asker` was pressed."""
        self._asker = asker
        self.sentence.setText(sentence)
        self.yes.setText(words)
        self.yes.setAccessibleDescription(sentence)
        self.no.setAccessibleDescription(sentence)
        self.show()
        self.no.setFocus()
        self.asked.emit()

    def put_away(self) -> None:
        """The question is over; whoever asked has the keyboard again."""
        if self.isHidden():
            return
        asker = self._asker
        if asker is not None and not asker.isHidden() and holds_focus(self):
            asker.setFocus(Qt.FocusReason.OtherFocusReason)
        self.hide()

    def _on_yes(self) -> None:
        self.put_away()
        self.agreed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.put_away()
        else:
            super().keyPressEvent(event)
