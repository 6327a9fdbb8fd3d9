"""A reply as it grows: its text, progress, notices, legend, numbers, failure, follow-up."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.models.conversation import Exchange
from app.models.display import TokenDisplay
from app.models.reply import Reply
from app.models.summary import summary_line
from app.theme import Theme
from app.views.legend import Legend
from app.views.messages import FailureBlock
from app.views.reply_text import ReplyText
from engine import Origin

NUMBERS_MS = 200


class ReplyView(QWidget):
    """Text follows at once; the numbers follow five times a second."""

    retry_requested = Signal(object)
    follow_up_requested = Signal(str)

    def __init__(
        self, exchange: Exchange, theme: Theme, display: TokenDisplay, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._exchange, self._display = exchange, display
        self._shown_reply: Reply | None = None
        self._num_pieces = self._num_notices = 0
        self._failure: FailureBlock | None = None
        self.text = ReplyText(theme, self)
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
        display.changed.connect(self._follow_display)
        self._follow_display()
        self.refresh()

    def refresh(self) -> None:
        """Show what is new in the reply."""
        reply = self._exchange.reply
        if reply is not self._shown_reply:
            self._begin(reply)
        if len(reply.pieces) > self._num_pieces:
            self.text.append_pieces(reply.pieces[self._num_pieces :])
            self._num_pieces = len(reply.pieces)
        for sentence in reply.notices[self._num_notices :]:
            self._add_notice(sentence)
        self._num_notices = len(reply.notices)
        self._show_progress(reply)
        if reply.is_over:
            self._show_end(reply)
        elif not self._slow.isActive():
            self._slow.start()

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
        self.legend.setVisible(bool(reply.pieces))
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
        if reply.failure is not None and self._failure is None:
            self._failure = FailureBlock(
                reply.failure, self.tr("This reply could not be made"), self
            )
            self._failure.retry_requested.connect(self._on_retry)
            self._column.addWidget(self._failure)
        if self._exchange.follow_up and reply.phase == "finished":
            self.follow_up.setText(self.tr("Then: {0}").format(self._exchange.follow_up))
            self.follow_up.show()

    def _add_notice(self, sentence: str) -> None:
        notice = QLabel(sentence, self)
        notice.setObjectName("notice")
        notice.setTextFormat(Qt.TextFormat.PlainText)
        notice.setWordWrap(True)
        self._column.insertWidget(0, notice)

    def _follow_display(self) -> None:
        self.text.show_origins(self._display.shown)

    def _on_follow_up(self) -> None:
        self.hide_follow_up()
        self.follow_up_requested.emit(self._exchange.follow_up)

    def _on_retry(self) -> None:
        self.retry_requested.emit(self._exchange)
