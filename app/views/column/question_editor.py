"""A question being edited in its place: its words in a field, what is attached, send or cancel."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.models.question import Question
from app.theme import sans
from app.views.escape import EscapeKeeper

# As wide as words are well read; narrower where the column is.
_WIDTH, _MOST_LINES = 560, 16
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ASIDE = Qt.KeyboardModifier.ShiftModifier


class _Field(QPlainTextEdit):
    """As tall as its text, up to a limit; Return sends, Shift-Return breaks, Escape leaves."""

    submitted = Signal()
    cancelled = Signal()

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(text, parent)
        self.setObjectName("edit_field")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setAccessibleName(self.tr("Edit your message"))
        self.document().setDocumentMargin(2)
        self.viewport().setAutoFillBackground(False)
        self.document().documentLayout().documentSizeChanged.connect(self._fit_height)
        self._fit_height()
        EscapeKeeper(self)

    def set_pixels(self, pixels: int) -> None:
        """The size of the text; a font's own would give way to the style sheet's."""
        self.setFont(sans(pixels))
        self.setStyleSheet(f"font-size: {pixels}px")
        self.ensurePolished()
        self._fit_height()

    def _fit_height(self) -> None:
        lines = min(max(int(self.document().size().height()), 2), _MOST_LINES)
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 10)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        elif event.key() in _ENTER and not event.modifiers() & _ASIDE:
            self.submitted.emit()
        else:
            super().keyPressEvent(event)


class QuestionEditor(QFrame):
    """`sent` carries the question in place of the old one, its attachments with it."""

    sent = Signal(object)
    cancelled = Signal()

    def __init__(self, question: Question, pixels: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("bubble")
        self._question, self._is_open = question, True
        self.field = _Field(question.text, self)
        self.send = QPushButton(self.tr("Save and send"), self)
        self.send.setObjectName("send")
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.note = QLabel(self)
        self.note.setObjectName("small")
        self.note.setWordWrap(True)
        names = ", ".join(each.name or self.tr("pasted text") for each in question.attachments)
        self.note.setText(self.tr("Stays attached: {0}").format(names) if names else "")
        self.note.setVisible(bool(names))
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addStretch(1)
        foot.addWidget(self.cancel)
        foot.addWidget(self.send)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 12, 10)
        column.setSpacing(8)
        column.addWidget(self.field)
        column.addWidget(self.note)
        column.addLayout(foot)
        self.field.textChanged.connect(self._follow)
        self.field.submitted.connect(self.submit)
        self.field.cancelled.connect(self.cancelled)
        self.send.clicked.connect(self.submit)
        self.cancel.clicked.connect(self.cancelled)
        self.field.set_pixels(pixels)
        self._follow()

    @property
    def question(self) -> Question:
        """What would be asked."""
        return Question(self.field.toPlainText(), self._question.attachments)

    def begin(self) -> None:
        """The keyboard goes behind the last word."""
        self.field.moveCursor(QTextCursor.MoveOperation.End)
        self.field.setFocus()

    def set_open(self, is_open: bool, why: str = "") -> None:
        """Whether it may be sent now, and why not."""
        self._is_open = is_open
        self.send.setToolTip(why)
        self._follow()

    def submit(self) -> None:
        """Send, if there is something to send."""
        if self._is_open and not self.question.is_empty:
            self.sent.emit(self.question)

    def _follow(self) -> None:
        self.send.setEnabled(self._is_open and not self.question.is_empty)

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, super().sizeHint().height())
