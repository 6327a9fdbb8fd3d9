"""A prompt as a bubble."""

from collections.abc import Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from app.models.prose import is_code_line, is_fence
from app.models.question import Attachment, Question
from app.theme import Theme, mono, sans
from app.views.column.fold import Fold
from app.views.paragraph_style import FENCE_INDENT, TEXT_PIXELS, code_pixels
from app.views.reply_text import ReplyText, SourceRange

BUBBLE_WIDTH = 448
FOLD_CHARACTERS = 6_000
SHOWN_CHARACTERS = 2_000
_SIDE = 16
# What an unfolded prompt gets a turn of the event loop.
_HELPING = 12_000


class PromptBubble(QWidget):
    """What the person asked, or a whole prompt, at the right.

    What is attached to the words is folded away behind them, and so is the end of very long ones.
    """

    unfolded = Signal()

    def __init__(
        self,
        text: str,
        theme: Theme,
        parent: QWidget | None = None,
        question: Question | None = None,
    ) -> None:
        super().__init__(parent)
        self._text, self._pixels = text, TEXT_PIXELS
        self._fold: Fold | None = None
        self._sources: tuple[SourceRange, ...] = ()
        self._num_shown = len(text)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(0)
        self._rest.timeout.connect(self._show_more)
        self._bubble = QFrame(self)
        self._bubble.setObjectName("bubble")
        self.body = ReplyText(theme, self._bubble)
        self.body.setAccessibleName(self.tr("Your message"))
        column = QVBoxLayout(self._bubble)
        column.setContentsMargins(_SIDE, 12, _SIDE, 8)
        column.addWidget(self.body)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(self._bubble)
        self._begin(question.attachments if question is not None else (), question)
        self._measure()

    @property
    def text(self) -> str:
        """All of it."""
        return self._text

    @property
    def pixels(self) -> int:
        """The size of its text."""
        return self._pixels

    @property
    def num_shown(self) -> int:
        """How many characters of the text are shown."""
        return self._num_shown

    @property
    def fold(self) -> Fold | None:
        """What stands for the folded part, if there is one."""
        return self._fold

    @property
    def is_folded(self) -> bool:
        """Whether only the beginning is shown."""
        return self._fold is not None

    def show_source(self, ranges: Sequence[SourceRange]) -> None:
        """Light up these characters of the text, and no others; what is folded away waits."""
        self._sources = tuple(ranges)
        self.body.show_source([each for each in ranges if each.end <= self._num_shown])

    def reveal_source(self) -> None:
        """Unfold, if what was to be lit up is folded away."""
        self.reveal(max((each.end for each in self._sources), default=0))

    def reveal(self, end: int) -> None:
        """Unfold, and show the text at least as far as this character, at once."""
        if end > self._num_shown:
            self.unfold()
            while end > self._num_shown:
                self._show_more()

    def unfold(self) -> None:
        """Show all of it, in helpings."""
        if self._fold is not None:
            fold, self._fold = self._fold, None
            has_focus = fold.button.hasFocus()
            fold.hide()
            fold.deleteLater()
            self.body.show()
            if has_focus:
                self.body.setFocus()
            self._measure()
            self._show_more()

    def set_pixels(self, pixels: int) -> None:
        """The size of the text."""
        if pixels != self._pixels:
            self._pixels = pixels
            self.body.set_pixels(pixels)
            self._measure()

    def _begin(self, attachments: tuple[Attachment, ...], question: Question | None) -> None:
        """Show the typed words, or the beginning of very many."""
        if question is not None and attachments:
            # A blank text is no part of a prompt.
            self._num_shown = len(question.text) if question.text.strip() else 0
        is_cut = self._num_shown > FOLD_CHARACTERS
        if is_cut:
            self._num_shown = _end_of_word(self._text, SHOWN_CHARACTERS)
        if self._num_shown < len(self._text):
            self._fold = Fold(len(self._text), attachments, is_cut=is_cut, parent=self._bubble)
            self._fold.unfold_requested.connect(self.unfold)
            layout = self._bubble.layout()
            assert layout is not None
            layout.addWidget(self._fold)
        if self._num_shown or self._fold is None:
            self.body.set_text(self._text[: self._num_shown])
        else:
            self.body.hide()

    def _show_more(self) -> None:
        start, self._num_shown = self._num_shown, min(self._num_shown + _HELPING, len(self._text))
        self.body.set_text(self._text[start : self._num_shown])
        self.show_source(self._sources)
        if self._num_shown < len(self._text):
            self._rest.start()
        else:
            self._rest.stop()
        self.unfolded.emit()

    def _measure(self) -> None:
        num_measured = self._num_shown if self._fold is not None else FOLD_CHARACTERS
        widest = self._widest_line(self._text[:num_measured])
        self._ideal = max(widest, self._fold.ideal_width if self._fold is not None else 0) + 36
        self._fit_width()

    def _widest_line(self, text: str) -> int:
        code = code_pixels(self._pixels)
        metrics = {False: QFontMetrics(sans(self._pixels)), True: QFontMetrics(mono(code))}
        lines = text.splitlines()
        card = 2 * int(FENCE_INDENT) if any(map(is_fence, lines)) else 0
        return card + max(
            metrics[is_code_line(line)].horizontalAdvance(line) for line in lines or [""]
        )

    def _fit_width(self) -> None:
        widest = min(BUBBLE_WIDTH, max(self.width() - 24, 160))
        width = min(self._ideal, widest)
        self._bubble.setFixedWidth(width)
        if self._fold is not None:
            self._fold.fit(width - 2 * _SIDE)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()


def _end_of_word(text: str, most: int) -> int:
    """Where to cut a text: at a blank, unless its words are longer than anybody's."""
    end = max(text.rfind(blank, 0, most + 1) for blank in " \n\t")
    return end if end > most // 2 else most
