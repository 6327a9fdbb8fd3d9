"""A reply as it grows: its text, progress, notices, legend, numbers, failure, follow-up, actions.

A token chosen in its text becomes the inspection's; what the inspection looks at is outlined here.
"""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.models.display import TokenDisplay
from app.models.exchange import Exchange
from app.models.inspection import Inspection
from app.models.markdown.thinking import split_thinking
from app.models.reply import Reply
from app.models.summary import summary_line
from app.theme import Theme
from app.views.column.body import ReplyBody
from app.views.column.intents import Intents
from app.views.column.notices import ReplyHead
from app.views.column.reply_actions import ReplyActions
from app.views.due import Due
from app.views.legend import Legend
from app.views.problem import FailureBlock
from app.views.steady_label import SteadyWords
from app.views.token_text import TokenText
from engine import Origin

NUMBERS_MS = 400
# A longer reply is taken to say something.
_BLANK = 200


class ReplyView(QWidget):
    """Text follows at once; the numbers follow about twice a second."""

    retry_requested = Signal(object)
    follow_up_requested = Signal(str)

    def __init__(
        self,
        exchange: Exchange,
        theme: Theme,
        display: TokenDisplay,
        inspection: Inspection,
        intents: Intents,
        pixels: int,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
        self._exchange, self._display, self._inspection = exchange, display, inspection
        self._theme = theme
        self._shown_reply: Reply | None = None
        self._failure: FailureBlock | None = None
        self._state: tuple[object, ...] = ()
        self._is_last = self._is_focused = self._is_followed_up = False
        self.is_choosing_by_mouse = False
        self.head = ReplyHead(self)
        self.body = ReplyBody(theme, self)
        self.body.set_pixels(pixels)
        self.nothing = QLabel(self.tr("No text"), self)
        self.nothing.setObjectName("muted")
        self.legend = Legend(theme, display, self)
        self.numbers = SteadyWords(self)
        self.follow_up = QPushButton(self)
        self.follow_up.setObjectName("chip")
        self.follow_up.clicked.connect(self._on_follow_up)
        self.row = ReplyActions(exchange, intents, theme, self)
        self._numbers_due = Due(self)
        self._numbers_due.waited.connect(self._show_numbers)
        self._arrange()
        self.text.token_clicked.connect(self._on_clicked)
        self.text.token_reached.connect(self._choose)
        self.body.link_requested.connect(intents.link_requested)
        for changed in (inspection.moved, inspection.reply_changed):
            changed.connect(self._follow_inspection)
        self.follow_display()
        self.refresh()
        self._follow_inspection()
        self._follow_attention()

    @property
    def reply(self) -> Reply:
        """The reply shown."""
        return self._exchange.reply

    @property
    def text(self) -> TokenText:
        """Its text as tokens."""
        return self.body.text

    def refresh(self) -> None:
        """Show what is new in the reply."""
        reply = self._exchange.reply
        if reply is not self._shown_reply or (self._failure is not None and not reply.is_over):
            self._begin(reply)
        self.body.show_reply(reply)
        self.head.show_reply(reply)
        state = reply, reply.phase, bool(reply.pieces), reply.started is not None
        # A growing reply is told of at every beat; what is there, and can be done, is not.
        if reply.is_over or state != self._state:
            self._state = state
            self._show_parts(reply)
            self.row.refresh()
        if reply.is_over:
            self._show_end(reply)
        elif self._numbers_due.is_now:
            self._show_numbers()
        elif not self._numbers_due.is_awaited:
            self._numbers_due.start(NUMBERS_MS)

    def follow_display(self) -> None:
        """Take over the look, and which kinds of token are tinted."""
        self.text.show_origins(self._display.shown)
        self.body.show_look(self._display.is_on)
        self._show_parts(self._exchange.reply)

    def hide_follow_up(self) -> None:
        """The suggestion was taken, or the talk went elsewhere."""
        self._is_followed_up = True
        self.follow_up.hide()

    def set_last(self, is_last: bool) -> None:
        """The last reply's actions are always there; what it suggests is over with the next one."""
        self._is_last = is_last
        if not is_last:
            self.hide_follow_up()
        self._follow_attention()

    def set_focused(self, is_focused: bool) -> None:
        """Whether the keyboard is in this reply."""
        self._is_focused = is_focused
        self._follow_attention()

    def _arrange(self) -> None:
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(10)
        for widget in (self.head, self.body, self.nothing, self.legend, self.numbers):
            self._column.addWidget(widget)
        self._column.addWidget(self.follow_up, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(self.row)
        self.follow_up.hide()

    def _begin(self, reply: Reply) -> None:
        """Another attempt at the same prompt starts from nothing."""
        self._shown_reply = reply
        if self._failure is not None:
            self._failure.hide()
            self._failure.deleteLater()
            self._failure = None
        self.head.begin()
        self.follow_up.hide()
        self._follow_inspection()

    def _show_parts(self, reply: Reply) -> None:
        has_tokens = bool(reply.pieces) and reply.run is not None
        self.body.setVisible(bool(reply.pieces))
        self.nothing.setVisible(reply.is_over and reply.failure is None and self._is_blank(reply))
        self.legend.setVisible(has_tokens and self._display.is_on)
        self.numbers.setVisible(reply.statistics is not None)

    def _is_blank(self, reply: Reply) -> bool:
        """Whether nothing is to be read; Markdown does not show the tags of empty thoughts."""
        if sum(len(piece.text) for piece in reply.pieces) > _BLANK:
            return False
        text = reply.text
        if not self._display.is_on:
            parts = split_thinking(text, reply.opens_thinking)
            text = "".join(part.text for part in parts)
        return not text.strip()

    def _show_numbers(self) -> None:
        self._numbers_due.rest()
        reply = self._exchange.reply
        if reply.run is not None:
            counts: dict[Origin, int] = dict(reply.run.origins)
            self.legend.show_counts(counts)
        line, model = summary_line(reply), self._exchange.variant.model
        if line and model and self._exchange.names_model:
            line = f"{model} · {line}"
        self.numbers.show_words(line)
        self.numbers.setToolTip(self.tr("Answered by {0}").format(model) if model else "")

    def _show_end(self, reply: Reply) -> None:
        self._show_numbers()
        # Escape has nothing to stop any more.
        self.text.takes_escape = self.text.takes_escape or self.text.selected is not None
        if reply.failure is not None and self._failure is None:
            what = self.tr("This reply could not be made")
            model = self._exchange.variant.model
            self._failure = FailureBlock(reply.failure, what, model, self._theme, self)
            self._failure.retry_requested.connect(lambda: self.retry_requested.emit(self._exchange))
            self._column.insertWidget(self._column.indexOf(self.follow_up), self._failure)
        is_open = bool(self._exchange.follow_up) and not self._is_followed_up
        if is_open and reply.phase == "finished":
            self.follow_up.setText(self.tr("Then: {0}").format(self._exchange.follow_up))
            self.follow_up.show()

    def _follow_attention(self) -> None:
        self.row.set_drawn(self._is_last or self._is_focused or self.underMouse())

    def _follow_inspection(self) -> None:
        """Outline the token, or all of the step, that is looked at; none while it is followed."""
        reply, inspection = self._exchange.reply, self._inspection
        step, token = inspection.selected_step, inspection.token
        if inspection.reply is not reply or step is None:
            self.text.show_selected(None, None, None)
            self.text.setAccessibleDescription("")
            return
        if token is not None:
            self.text.show_selected(token, token, token)
        else:
            first = reply.log.first_token(step)
            last = first + reply.log.column(step).emitted - 1
            self.text.show_selected(first, last, None)
        self.text.setAccessibleDescription(self._told(reply, step, token))

    def _told(self, reply: Reply, step: int, token: int | None) -> str:
        """What a screen reader says of the selection."""
        record, first = reply.log[step], reply.log.first_token(step)
        if token is None:
            words = "".join(reply.words.get(number, "") for number in record.emitted)
            return self.tr("step {0:,}, “{1}”").format(step + 1, words)
        number = token - first
        word = reply.words.get(record.emitted[number], "")
        told = self.tr("token {0:,}, {1}, “{2}”")
        return told.format(token + 1, record.origins[number], word)

    def _choose(self, token: int) -> None:
        """Another reply is looked at from here on, if it was not this one."""
        if self._inspection.reply is not self._exchange.reply:
            self._inspection.show_reply(self._exchange.reply)
        self._inspection.select_token(token)

    def _on_clicked(self, token: int) -> None:
        self.is_choosing_by_mouse = True
        self._choose(token)
        self.is_choosing_by_mouse = False
        self.text.card_requested.emit()

    def _on_follow_up(self) -> None:
        self.hide_follow_up()
        self.follow_up_requested.emit(self._exchange.follow_up)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._follow_attention()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._follow_attention()
