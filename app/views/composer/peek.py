"""A look at the text of an attachment, which can be turned back into typed text."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.models.question import Attachment
from app.theme import mono
from app.views.composer.draft import Draft

SHOWN_CHARACTERS = 200_000
# A longer text would make every key slow.
TYPED_CHARACTERS = 50_000


class Peek(QDialog):
    """Made for one attachment, and gone when it is closed."""

    inserted = Signal()
    removed = Signal()

    def __init__(self, attachment: Attachment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sheet")
        self.setWindowTitle(attachment.name)
        self.setModal(True)
        self.resize(620, 460)
        text = attachment.text
        title = QLabel(attachment.name, self)
        title.setObjectName("title")
        title.setWordWrap(True)
        self.words = QPlainTextEdit(text[:SHOWN_CHARACTERS], self)
        self.words.setObjectName("peek_text")
        self.words.setReadOnly(True)
        self.words.setFont(mono(12))
        self.words.setAccessibleName(self.tr("Text of {0}").format(attachment.name))
        self.note = QLabel(self._note(text), self)
        self.note.setObjectName("small")
        self.note.setWordWrap(True)
        self.note.setVisible(bool(self.note.text()))
        self.insert = QPushButton(self.tr("Insert as text"), self)
        self.insert.setEnabled(len(text) <= TYPED_CHARACTERS)
        self.insert.clicked.connect(self.inserted)
        self.insert.clicked.connect(self.accept)
        remove = QPushButton(self.tr("Remove"), self)
        remove.clicked.connect(self.removed)
        remove.clicked.connect(self.reject)
        close = QPushButton(self.tr("Close"), self)
        close.setDefault(True)
        close.clicked.connect(self.reject)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.insert)
        row.addWidget(remove)
        row.addStretch(1)
        row.addWidget(close)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 16)
        column.setSpacing(10)
        column.addWidget(title)
        column.addWidget(self.words, 1)
        column.addWidget(self.note)
        column.addLayout(row)
        self.finished.connect(self.deleteLater)

    def _note(self, text: str) -> str:
        if len(text) > SHOWN_CHARACTERS:
            return self.tr(
                "The first {0:,} of {1:,} characters are shown; all of it is sent."
            ).format(SHOWN_CHARACTERS, len(text))
        if len(text) > TYPED_CHARACTERS:
            return self.tr("Too long to be typed text; it is sent whole.")
        return ""


def open_peek(draft: Draft, number: int, parent: QWidget) -> Peek:
    """Look at an attachment of a draft, which may be changed from there."""
    peek = Peek(draft.attachments[number], parent)
    peek.inserted.connect(lambda: draft.insert_as_text(number))
    peek.removed.connect(lambda: draft.detach(number))
    peek.open()
    return peek
