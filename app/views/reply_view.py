"""A reply as it grows: its text, progress, notices, legend, numbers, failure, follow-up.

A token chosen in its text becomes the inspection's; what the inspection looks at is outlined here.
"""

from itertools import islice

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.models.conversation import Exchange
from app.models.display import TokenDisplay
from app.models.inspection import Inspection
from app.models.reply import Reply
from app.models.summary import summary_line
from app.theme import Theme
from app.views.legend import Legend
from app.views.messages import FailureBlock
from app.views.token_text import TokenText
from engine import Origin

NUMBERS_MS = 200
# One helping of text, and the notices that are read one by one.
MOST_PIECES, MOST_CHARACTERS = 2_000, 30_000
MOST_NOTICES = 8


class ReplyView(QWidget):
    """Text follows at once; the numbers follow five times a second."""

    retry_requested = Signal(object)
    follow_up_requested = Signal(str)

    def __init__(
        self,
        exchange: Exchange,
        theme: Theme,
        display: TokenDisplay,
        inspection: Inspection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._exchange, self._display, self._inspection = exchange, display, inspection
        self._shown_reply: Reply | None = None
        self._num_pieces = self._num_notices = 0
        self._failure: FailureBlock | None = None
        self._notices: list[QLabel] = []
        self.is_choosing_by_mouse = False
        self.text = TokenText(theme, self)
        self.text.setAccessibleName(self.tr("The model's reply"))
        self.waiting = QLabel(self.tr("Waiting for the model"), self)
        self.waiting.setObjectName("muted")
        self.progress = QProgressBar(self)
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(4)
        self.legend = Legend(theme, display, self)
        self.numbers = QLabel(self)
        self.numbers.setObjectName("small")
        self.numbers.setWordWrap(True)
        self.follow_up = QPushButton(self)
        self.follow_up.setObjectName("chip")
        self.follow_up.clicked.connect(self._on_follow_up)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(10)
        for widget in (self.waiting, self.progress, self.text, self.legend, self.numbers):
            self._column.addWidget(widget)
        self._column.addWidget(self.follow_up, 0, Qt.AlignmentFlag.AlignLeft)
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(NUMBERS_MS)
        self._slow.timeout.connect(self._show_numbers)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(0)
        self._rest.timeout.connect(self.refresh)
        self.text.token_clicked.connect(self._on_clicked)
        self.text.token_reached.connect(self._choose)
        display.changed.connect(self._follow_display)
        for changed in (inspection.moved, inspection.reply_changed):
            changed.connect(self._follow_inspection)
        self._follow_display()
        self.refresh()
        self._follow_inspection()

    @property
    def reply(self) -> Reply:
        """The reply shown."""
        return self._exchange.reply

    def refresh(self) -> None:
        """Show what is new in the reply."""
        reply = self._exchange.reply
        if reply is not self._shown_reply:
            self._begin(reply)
        self._append(reply)
        self.text.num_tokens = reply.log.num_tokens
        self._show_notices(reply)
        self._show_progress(reply)
        if reply.is_over:
            self._show_end(reply)
        elif not self._slow.isActive():
            self._slow.start()

    def _append(self, reply: Reply) -> None:
        """Add new text; of very much of it a helping a turn, so that the window keeps answering."""
        first, count, size = self._num_pieces, 0, 0
        for piece in islice(reply.pieces, first, None):
            if count >= MOST_PIECES or (count and size + len(piece.text) > MOST_CHARACTERS):
                break
            count, size = count + 1, size + len(piece.text)
        if count:
            self.text.append_pieces(reply.pieces[first : first + count])
            self._num_pieces += count
        if self._num_pieces < len(reply.pieces):
            self._rest.start()

    def hide_follow_up(self) -> None:
        """The suggestion was taken, or the talk went elsewhere."""
        self.follow_up.hide()

    def _begin(self, reply: Reply) -> None:
        """Another attempt at the same prompt starts from nothing."""
        self._shown_reply, self._num_pieces, self._num_notices = reply, 0, 0
        if self._failure is not None:
            self._failure.hide()
            self._failure.deleteLater()
            self._failure = None
        for notice in self._notices:
            notice.hide()
            notice.deleteLater()
        self._notices.clear()
        self.text.clear_text()
        self._follow_inspection()
        for widget in (self.text, self.legend, self.numbers, self.follow_up, self.progress):
            widget.hide()

    def _show_progress(self, reply: Reply) -> None:
        is_waiting = reply.phase == "waiting"
        self.waiting.setVisible(is_waiting)
        is_reading = is_waiting and reply.prefill is not None
        self.progress.setVisible(is_reading)
        if reply.prefill is not None and is_reading:
            done, total = reply.prefill
            self.waiting.setText(
                self.tr("Reading the prompt, {0:,} of {1:,} tokens").format(done, total)
            )
            self.progress.setRange(0, max(total, 1))
            self.progress.setValue(done)
        self.text.setVisible(bool(reply.pieces))
        self.legend.setVisible(bool(reply.pieces) and reply.run is not None)
        self.numbers.setVisible(reply.run is not None)

    def _show_numbers(self) -> None:
        reply = self._exchange.reply
        if reply.run is not None:
            counts: dict[Origin, int] = dict(reply.run.origins)
            self.legend.show_counts(counts)
        self.numbers.setText(summary_line(reply))

    def _show_end(self, reply: Reply) -> None:
        self._slow.stop()
        self._show_numbers()
        # Escape has nothing to stop any more.
        self.text.takes_escape = self.text.takes_escape or self.text.selected is not None
        if reply.failure is not None and self._failure is None:
            self._failure = FailureBlock(
                reply.failure, self.tr("This reply could not be made"), self
            )
            self._failure.retry_requested.connect(self._on_retry)
            self._column.addWidget(self._failure)
        if self._exchange.follow_up and reply.phase == "finished":
            self.follow_up.setText(self.tr("Then: {0}").format(self._exchange.follow_up))
            self.follow_up.show()

    def _show_notices(self, reply: Reply) -> None:
        """In the order they were said; of a great many the first, and how many more there are."""
        fresh, self._num_notices = reply.notices[self._num_notices :], len(reply.notices)
        for sentence in fresh:
            if len(self._notices) == MOST_NOTICES:
                break
            self._add_notice(sentence)
        more = self._num_notices - MOST_NOTICES
        if fresh and more > 0:
            last = reply.notices[MOST_NOTICES - 1]
            self._notices[-1].setText(self.tr("{0} (and {1:,} more notices)").format(last, more))

    def _add_notice(self, sentence: str) -> None:
        notice = QLabel(sentence, self)
        notice.setObjectName("notice")
        notice.setTextFormat(Qt.TextFormat.PlainText)
        notice.setWordWrap(True)
        self._column.insertWidget(len(self._notices), notice)
        self._notices.append(notice)

    def _follow_display(self) -> None:
        self.text.show_origins(self._display.shown)
        self.text.set_token_view(self._display.is_on)

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

    def _on_retry(self) -> None:
        self.retry_requested.emit(self._exchange)
