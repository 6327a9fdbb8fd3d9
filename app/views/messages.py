"""A prompt as a bubble, and a failure as a block with its sentence and a fold of details."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.models.prose import is_code_line
from app.theme import Theme, mono, sans
from app.views.paragraph_style import CODE_PIXELS, TEXT_PIXELS
from app.views.reply_text import ReplyText, SourceRange
from engine import Failed

BUBBLE_WIDTH = 448
FOLD_CHARACTERS = 6_000
SHOWN_CHARACTERS = 2_000


class PromptBubble(QWidget):
    """What the person asked, or a whole prompt, at the right; a very long one is folded."""

    def __init__(self, text: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._unfold_button: QPushButton | None = None
        self._sources: tuple[SourceRange, ...] = ()
        self._bubble = QFrame(self)
        self._bubble.setObjectName("bubble")
        self.body = ReplyText(theme, self._bubble)
        self.body.setAccessibleName(self.tr("Your message"))
        column = QVBoxLayout(self._bubble)
        column.setContentsMargins(16, 12, 16, 12)
        column.addWidget(self.body)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(self._bubble)
        if len(text) > FOLD_CHARACTERS:
            self.body.set_text(text[:SHOWN_CHARACTERS])
            self._add_unfold(column)
        else:
            self.body.set_text(text)
        self._ideal = self._widest_line(text[:FOLD_CHARACTERS]) + 36
        self._fit_width()

    @property
    def text(self) -> str:
        """All of it."""
        return self._text

    @property
    def is_folded(self) -> bool:
        """Whether only the beginning is shown."""
        return self._unfold_button is not None

    def show_source(self, ranges: Sequence[SourceRange]) -> None:
        """Light up these characters of the text, and no others; what is folded away waits."""
        self._sources = tuple(ranges)
        shown = len(self._text) if not self.is_folded else SHOWN_CHARACTERS
        self.body.show_source([each for each in ranges if each.end <= shown])

    def reveal_source(self) -> None:
        """Unfold, if what was to be lit up is folded away."""
        if any(each.end > SHOWN_CHARACTERS for each in self._sources):
            self.unfold()

    def unfold(self) -> None:
        """Show all of it."""
        if self._unfold_button is not None:
            self._unfold_button.hide()
            self._unfold_button.deleteLater()
            self._unfold_button = None
            self.body.set_text(self._text[SHOWN_CHARACTERS:])
            self.show_source(self._sources)

    def _widest_line(self, text: str) -> int:
        metrics = {False: QFontMetrics(sans(TEXT_PIXELS)), True: QFontMetrics(mono(CODE_PIXELS))}
        lines = text.splitlines()
        return max(metrics[is_code_line(line)].horizontalAdvance(line) for line in lines or [""])

    def _add_unfold(self, column: QVBoxLayout) -> None:
        button = QPushButton(self.tr("… Show all {0:,} characters").format(len(self._text)), self)
        button.setObjectName("quiet")
        button.clicked.connect(self.unfold)
        self._unfold_button = button
        column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

    def _fit_width(self) -> None:
        widest = min(BUBBLE_WIDTH, max(self.width() - 24, 160))
        self._bubble.setFixedWidth(min(self._ideal, widest))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()


class FailureBlock(QFrame):
    """What could not be done and why, with what can be done about it."""

    retry_requested = Signal()

    def __init__(self, failure: Failed, what: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("error")
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(8)
        title = QLabel(what, self)
        title.setObjectName("error_title")
        self.sentence = QLabel(failure.sentence, self)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setWordWrap(True)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.retry = QPushButton(self.tr("Try again"), self)
        self.retry.clicked.connect(self.retry_requested)
        self.fold = QPushButton(self.tr("Details ▸"), self)
        self.fold.setObjectName("quiet")
        self.fold.setCheckable(True)
        self.fold.setVisible(bool(failure.details))
        self.fold.toggled.connect(self._on_folded)
        self.details = QPlainTextEdit(failure.details, self)
        self.details.setObjectName("details")
        self.details.setReadOnly(True)
        self.details.setFont(mono(12))
        self.details.setAccessibleName(self.tr("Details of the failure"))
        self.details.setFixedHeight(160)
        self.details.hide()
        row = QHBoxLayout()
        row.addWidget(self.retry)
        row.addWidget(self.fold)
        row.addStretch(1)
        for widget in (title, self.sentence):
            column.addWidget(widget)
        column.addLayout(row)
        column.addWidget(self.details)

    def _on_folded(self, is_open: bool) -> None:
        self.details.setVisible(is_open)
        self.fold.setText(self.tr("Details ▾") if is_open else self.tr("Details ▸"))
