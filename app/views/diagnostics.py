"""The sheet of diagnostics: a report to read, to copy, and the way to the logs."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.models.diagnostics import Section, as_text
from app.theme import Theme, mono
from app.views.controls import section
from app.views.sheet import Sheet
from app.views.switch_row import quiet

_WIDTH, _HEIGHT = 640, 720
_NAMES_WIDTH = 118
_SCROLL_BAR = 12
_COPIED_MS = 2000


class Diagnostics(Sheet):
    """Shows what it is given; `logs_requested` asks for the folder of logs and crash reports."""

    logs_requested = Signal()

    def __init__(self, sections: Sequence[Section], theme: Theme, parent: QWidget) -> None:
        super().__init__(self.tr("Diagnostics"), theme, parent)
        self._text = as_text(sections)
        column = QVBoxLayout(self.body)
        column.setContentsMargins(24, 4, 24, 16)
        column.setSpacing(8)
        words = self.tr("No word of a chat is in here, and nothing is sent anywhere.")
        column.addWidget(quiet(words, self.body))
        for part in sections:
            column.addWidget(section(part.title, self.body))
            column.addWidget(self._card(part))
        column.addStretch(1)
        self.arrange(self._foot())
        self.done_button.setDefault(True)
        self._copied = QTimer(self)
        self._copied.setSingleShot(True)
        self._copied.setInterval(_COPIED_MS)
        self._copied.timeout.connect(self._name_copy)
        size = parent.window().size()
        self.resize(min(_WIDTH, size.width() - 40), min(_HEIGHT, max(size.height() - 60, 360)))

    @property
    def text(self) -> str:
        """The whole report."""
        return self._text

    def _foot(self) -> QWidget:
        foot = QWidget(self)
        row = QHBoxLayout(foot)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        self.copy_button = QPushButton(foot)
        self.logs_button = QPushButton(self.tr("Show logs"), foot)
        self.copy_button.clicked.connect(self._copy)
        self.logs_button.clicked.connect(self.logs_requested)
        for button in (self.copy_button, self.logs_button):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        self._name_copy()
        self.copy_button.setFixedWidth(self.copy_button.sizeHint().width() + 16)
        return foot

    def _card(self, part: Section) -> QFrame:
        card = QFrame(self.body)
        card.setObjectName("prefs_card")
        grid = QGridLayout(card)
        grid.setContentsMargins(14, 9, 14, 9)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(5)
        grid.setColumnMinimumWidth(0, _NAMES_WIDTH)
        grid.setColumnStretch(1, 1)
        for number, (name, value) in enumerate(part.rows):
            label = QLabel(name, card)
            label.setObjectName("muted")
            grid.addWidget(label, number, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(_words(value, f"{part.title}, {name}: {value}", card), number, 1)
        for number, line in enumerate(part.lines, len(part.rows)):
            label = _words(line, f"{part.title}: {line}", card)
            if part.title == "Problems":
                label.setFont(mono(11))
            grid.addWidget(label, number, 0, 1, 2)
        return card

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)
        self.copy_button.setText(self.tr("Copied"))
        self._copied.start()

    def _name_copy(self) -> None:
        self.copy_button.setText(self.tr("Copy"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A scroll area asks how high wrapped words are where they are narrowest.
        layout = self.body.layout()
        if layout is not None:
            self.body.setFixedHeight(layout.totalHeightForWidth(self.width() - _SCROLL_BAR))


def _words(text: str, name: str, parent: QWidget) -> QLabel:
    """A text that breaks where it has to, also in a path, and can be selected."""
    label = QLabel(text, parent)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    label.setAccessibleName(name)
    return label
