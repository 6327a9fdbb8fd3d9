"""What stands for the folded part of a question: what is attached, and the way to all of it."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.models.question import Attachment
from app.views.composer.chips import size_words
from app.views.flags.flow import FlowBox

_MOST = 8
_NAME_PIXELS = 220
_HEIGHT = 30


class NameChip(QFrame):
    """The name of an attachment and its size; nothing to press."""

    def __init__(self, attachment: Attachment, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("attachment")
        name = attachment.name or self.tr("Pasted text")
        size = size_words(len(attachment.text.encode("utf-8", "replace")))
        self.setToolTip(name)
        self.setAccessibleName(f"{name}, {size}")
        shown = QLabel(self)
        shown.setTextFormat(Qt.TextFormat.PlainText)
        middle = Qt.TextElideMode.ElideMiddle
        shown.setText(shown.fontMetrics().elidedText(name, middle, _NAME_PIXELS))
        facts = QLabel(size, self)
        facts.setObjectName("small")
        row = QHBoxLayout(self)
        row.setContentsMargins(11, 0, 11, 0)
        row.setSpacing(7)
        row.addWidget(shown)
        row.addWidget(facts)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), _HEIGHT)


class Fold(QWidget):
    """Says that all of the text is asked for; `is_cut` where it breaks off in typed words."""

    unfold_requested = Signal()

    def __init__(
        self,
        num_characters: int,
        attachments: tuple[Attachment, ...] = (),
        *,
        is_cut: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 2, 0, 0)
        column.setSpacing(4)
        self.chips = FlowBox(6, 6, self)
        for attachment in attachments[:_MOST]:
            self.chips.add(NameChip(attachment, self.chips))
        if len(attachments) > _MOST:
            more = QLabel(self.tr("and {0:,} more").format(len(attachments) - _MOST), self)
            more.setObjectName("small")
            self.chips.add(more)
        self.chips.setVisible(bool(attachments))
        # What is attached is not counted with the words: each chip has its size.
        words = self.tr("… Show all {0:,} characters").format(num_characters)
        self.button = QPushButton(words if is_cut else self.tr("Show what is attached"), self)
        self.button.setObjectName("quiet")
        self.button.clicked.connect(self.unfold_requested)
        column.addWidget(self.chips)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)

    @property
    def ideal_width(self) -> int:
        """With all chips on one line."""
        widths = [chip.sizeHint().width() for chip in self.chips.items]
        return max(sum(widths) + 6 * max(len(widths) - 1, 0), self.button.sizeHint().width())

    def fit(self, width: int) -> None:
        """Take a width; as many lines of chips as it needs."""
        self.chips.setFixedHeight(self.chips.heightForWidth(width))
