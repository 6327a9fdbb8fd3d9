"""What is said above a reply: its notices, and how far the prompt was read."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QProgressBar, QVBoxLayout, QWidget

from app.models.quiet import is_quiet
from app.models.reply import Reply

# Read one by one; of more only their number is told.
MOST_NOTICES = 8


class ReplyHead(QWidget):
    """In the order they were said; then what is waited for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notices: list[QLabel] = []
        self._num_told = 0
        self.waiting = QLabel(self.tr("Waiting for the model"), self)
        self.waiting.setObjectName("muted")
        self.progress = QProgressBar(self)
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(4)
        self.progress.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(10)
        self._column.addWidget(self.waiting)
        self._column.addWidget(self.progress)

    def begin(self) -> None:
        """Another reply will be told of."""
        self._num_told = 0
        for notice in self.notices:
            notice.hide()
            notice.deleteLater()
        self.notices.clear()
        self.progress.hide()

    def show_reply(self, reply: Reply) -> None:
        """What there is to say now; nothing, and no room, once it is answered without notices."""
        self._show_notices(reply)
        is_waiting = reply.phase == "waiting"
        self.waiting.setVisible(is_waiting)
        self.progress.setVisible(is_waiting and reply.prefill is not None)
        if reply.prefill is not None and is_waiting:
            done, total = reply.prefill
            self.waiting.setText(
                self.tr("Reading the prompt, {0:,} of {1:,} tokens").format(done, total)
            )
            self.progress.setRange(0, max(total, 1))
            self.progress.setValue(done)
        self.setVisible(is_waiting or bool(self.notices))

    def _show_notices(self, reply: Reply) -> None:
        """Of a great many the first, and how many more there are."""
        fresh, self._num_told = reply.notices[self._num_told :], len(reply.notices)
        for sentence in fresh:
            if len(self.notices) == MOST_NOTICES:
                break
            self._add(sentence)
        more = self._num_told - MOST_NOTICES
        if fresh and more > 0:
            last = reply.notices[MOST_NOTICES - 1]
            self.notices[-1].setText(self.tr("{0} (and {1:,} more)").format(last, more))

    def _add(self, sentence: str) -> None:
        notice = QLabel(sentence, self)
        notice.setObjectName("small" if is_quiet(sentence) else "notice")
        notice.setTextFormat(Qt.TextFormat.PlainText)
        notice.setWordWrap(True)
        self._column.insertWidget(len(self.notices), notice)
        self.notices.append(notice)
