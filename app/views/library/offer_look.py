"""How the row of a model that can be fetched looks: its labels, pills, links, bar and button."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.views.controls import ElidedLabel, Pill
from app.views.switch_row import quiet

STEPS, _SIDE = 1000, 124


class OfferLook(QFrame):
    """The parts and their places; what they say is the row's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("offer")
        self.title = ElidedLabel("", self)
        self.title.setObjectName("offer_title")
        self.best, self.kind, self.verdict = Pill(self), Pill(self), Pill(self)
        self.facts = ElidedLabel("", self)
        self.facts.setObjectName("small")
        self.note = quiet("", self)
        self.trouble = quiet("", self)
        self.trouble.setObjectName("download_words")
        self.trouble.hide()
        self.more = QPushButton(self)
        self.more.setCheckable(True)
        self.page = QPushButton(self.tr("Open its page"), self)
        self.button = QPushButton(self)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, STEPS)
        self.bar.setTextVisible(False)
        self.words = QLabel(self)
        self.words.setObjectName("small")
        self.words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        for button in (self.more, self.page):
            button.setObjectName("link")
        for button in (self.more, self.page, self.button):
            button.setAutoDefault(False)
        self.button.setObjectName("get")
        self._arrange()

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title, 1)
        for pill in (self.best, self.kind, self.verdict):
            head.addWidget(pill)
        links = QHBoxLayout()
        links.setSpacing(8)
        links.addWidget(self.facts, 1)
        links.addWidget(self.page)
        links.addWidget(self.more)
        left = QVBoxLayout()
        left.setSpacing(3)
        left.addLayout(head)
        left.addLayout(links)
        left.addWidget(self.note)
        left.addWidget(self.trouble)
        side = QWidget(self)
        side.setFixedWidth(_SIDE)
        right = QVBoxLayout(side)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(5)
        right.addStretch(1)
        for widget in (self.words, self.bar, self.button):
            right.addWidget(widget)
        right.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 10, 14, 10)
        row.setSpacing(16)
        row.addLayout(left, 1)
        row.addWidget(side)
