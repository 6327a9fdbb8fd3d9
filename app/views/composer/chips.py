"""What is attached to a question, as chips that flow onto lines, and the files being read."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.models.attaching import estimated_tokens
from app.models.question import Attachment
from app.theme import Theme
from app.views.controls import IconButton
from app.views.flags.flow import FlowBox

# A file that is being read: its key, its name, how far it is.
Reading = tuple[int, str, str]

_NAME_PIXELS = 150
_HEIGHT = 30


def size_words(length: int) -> str:
    """The size of a text in the unit that reads best."""
    if length < 1_000:
        return f"{length} B"
    return f"{length / 1e3:.0f} KB" if length < 1e6 else f"{length / 1e6:.1f} MB"


class Chip(QFrame):
    """A name with some facts, and a cross to take it away."""

    opened = Signal()
    removed = Signal()

    def __init__(
        self, name: str, facts: str, remove: str, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("attachment")
        self.setFixedHeight(_HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.button = QPushButton(self)
        self.button.setObjectName("attachment_name")
        shown = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, _NAME_PIXELS)
        # An ampersand in a file's name is no shortcut.
        words = f"{shown} · {facts}" if facts else shown
        self.button.setText(words.replace("&", "&&"))
        self.button.setAccessibleName(f"{name}, {facts}" if facts else name)
        self.button.clicked.connect(self.opened)
        self.cross = IconButton("close", remove.format(name), theme, self)
        self.cross.setFixedSize(22, 22)
        self.cross.clicked.connect(self.removed)
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(0)
        row.addWidget(self.button)
        row.addWidget(self.cross)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), _HEIGHT)


class Chips(FlowBox):
    """Shows what it is told, from the first to the last; hidden where that is nothing."""

    opened = Signal(int)
    removed = Signal(int)
    reading_cancelled = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(6, 6, parent)
        self._theme = theme
        self._shown: tuple[object, object, object] = ((), (), ())
        self.hide()

    def show_all(
        self,
        attachments: tuple[Attachment, ...],
        counts: tuple[int | None, ...],
        readings: tuple[Reading, ...],
    ) -> None:
        """Attachments, each with its tokens where counted; then the files on the way."""
        shown = (attachments, counts, readings)
        if shown == self._shown:
            return
        self._shown = shown
        self.clear()
        for number, attachment in enumerate(attachments):
            chip = self._chip(attachment.name, _facts(attachment, counts[number]))
            chip.button.setToolTip(self.tr("Look at the text"))
            chip.opened.connect(lambda n=number: self.opened.emit(n))
            chip.removed.connect(lambda n=number: self.removed.emit(n))
        for key, name, words in readings:
            chip = self._chip(name, words, self.tr("Stop reading {0}"))
            chip.button.setEnabled(False)
            chip.removed.connect(lambda k=key: self.reading_cancelled.emit(k))
        self.setVisible(bool(attachments or readings))

    def _chip(self, name: str, facts: str, remove: str = "") -> Chip:
        chip = Chip(name, facts, remove or self.tr("Remove {0}"), self._theme, self)
        self.add(chip)
        return chip


def _facts(attachment: Attachment, count: int | None) -> str:
    size = size_words(len(attachment.text.encode("utf-8", "replace")))
    if count is None:
        return f"{size} · ≈ {estimated_tokens(len(attachment.text)):,} tokens"
    return f"{size} · {count:,} tokens"
