"""A question and the reply to it, as one widget of the column."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.models.display import TokenDisplay
from app.models.exchange import Exchange
from app.models.inspection import Inspection
from app.models.text_size import TextSize
from app.theme import Theme
from app.views.column.cut_line import CutLine
from app.views.column.intents import Intents
from app.views.column.question_view import QuestionView
from app.views.messages import PromptBubble
from app.views.reply_view import ReplyView


class Turn(QWidget):
    """Builds both, and says together what both are to know."""

    def __init__(
        self,
        exchange: Exchange,
        theme: Theme,
        display: TokenDisplay,
        inspection: Inspection,
        intents: Intents,
        size: TextSize,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
        self.exchange, self._intents, self._size = exchange, intents, size
        self._cut: CutLine | None = None
        # Whether it has not been laid out since it was made or changed its look.
        self.is_fresh = True
        self.question = QuestionView(exchange, intents, theme, self)
        self.reply = ReplyView(exchange, theme, display, inspection, intents, size.pixels, self)
        self.question.set_pixels(size.pixels)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self._column.addWidget(self.question)
        self._column.addWidget(self.reply)

    @property
    def bubble(self) -> PromptBubble:
        """The question's text."""
        return self.question.bubble

    def refresh(self) -> None:
        """Show what is new in the exchange."""
        self.question.refresh()
        self.reply.refresh()

    def follow(self) -> None:
        """Take over the look and the size of the text."""
        self.is_fresh = True
        self._set_pixels()
        self.reply.follow_display()

    def _set_pixels(self) -> None:
        self.question.set_pixels(self._size.pixels)
        self.reply.body.set_pixels(self._size.pixels)

    def set_cut(self, is_cut: bool) -> None:
        """Whether the prompt begins here, and leaves out what stands above."""
        if is_cut == (self._cut is not None):
            return
        if self._cut is not None:
            self._cut.hide()
            self._cut.deleteLater()
            self._cut = None
        else:
            self._cut = CutLine(self._intents, self)
            self._column.insertWidget(0, self._cut)

    def show_focus(self, focus: QWidget | None) -> None:
        """Where the keyboard is, if it is in here."""
        self.question.set_focused(focus is not None and self.question.isAncestorOf(focus))
        self.reply.set_focused(focus is not None and self.reply.isAncestorOf(focus))

    @property
    def is_busy(self) -> bool:
        """Whether somebody is at work in it, so that it must not go."""
        return self.question.editor is not None
