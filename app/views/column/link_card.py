"""Where a link leads, in full, before anything opens."""

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QTextOption
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.theme import Theme, mono
from app.views.column.actions import ActionButton
from app.views.escape import EscapeKeeper

SCHEMES = ("http", "https", "mailto")
_MOST_LINES = 5


def real_target(target: str) -> QUrl | None:
    """A link's target as it would be opened; None where it leads nowhere that may be opened."""
    url = QUrl(target.strip(), QUrl.ParsingMode.StrictMode)
    if not url.isValid() or url.scheme().lower() not in SCHEMES:
        return None
    return url if url.host() or url.scheme().lower() == "mailto" else None


class LinkCard(QFrame):
    """`opened` is said once the person, who has read the target, wants it."""

    opened = Signal(QUrl)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("floating")
        self._url: QUrl | None = None
        self.title = QLabel(self)
        self.title.setObjectName("small")
        self.close_button = ActionButton("close", self.tr("Close"), theme, self)
        self.target = QPlainTextEdit(self)
        self.target.setObjectName("target")
        self.target.setReadOnly(True)
        self.target.setFont(mono(12))
        self.target.setFrameShape(QFrame.Shape.NoFrame)
        self.target.setTabChangesFocus(True)
        self.target.setAccessibleName(self.tr("Where the link leads"))
        self.target.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.target.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        self.target.viewport().setAutoFillBackground(False)
        self.open = QPushButton(self.tr("Open"), self)
        self.copy = QPushButton(self.tr("Copy"), self)
        self._arrange()
        self.open.clicked.connect(self._on_open)
        self.copy.clicked.connect(self._on_copy)
        self.close_button.clicked.connect(self.hide)
        EscapeKeeper(self)
        self.hide()

    def show_link(self, target: str) -> None:
        """Offer a link's target; one that may not be opened is only told."""
        self._url = real_target(target)
        may_open = self._url is not None
        shown = target
        if self._url is not None:
            # As it is sent: a foreign letter that looks like another shows as what it is.
            shown = bytes(self._url.toEncoded().data()).decode("ascii", "replace")
        self.title.setText(
            self.tr("This link opens outside of Draftscope:")
            if may_open
            else self.tr("This link is not opened; it leads to no web page or mail address:")
        )
        self.open.setVisible(may_open)
        self.target.setPlainText(shown)
        self.show()
        self.raise_()
        (self.open if may_open else self.copy).setFocus()

    def fit(self, width: int) -> None:
        """Take this width, and the height that the target needs."""
        self.setFixedWidth(width)
        columns = max((width - 48) // max(self.target.fontMetrics().horizontalAdvance("m"), 1), 1)
        lines = -(-len(self.target.toPlainText()) // columns)
        policies = Qt.ScrollBarPolicy
        is_long = lines > _MOST_LINES
        self.target.setVerticalScrollBarPolicy(
            policies.ScrollBarAsNeeded if is_long else policies.ScrollBarAlwaysOff
        )
        lines = min(max(lines, 1), _MOST_LINES)
        self.target.setFixedHeight(lines * self.target.fontMetrics().lineSpacing() + 14)
        self.adjustSize()

    def _arrange(self) -> None:
        head, foot = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.close_button)
        foot.setSpacing(8)
        foot.addStretch(1)
        foot.addWidget(self.copy)
        foot.addWidget(self.open)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 10, 10)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.target)
        column.addLayout(foot)

    def _on_open(self) -> None:
        if self._url is not None:
            self.hide()
            self.opened.emit(self._url)

    def _on_copy(self) -> None:
        QGuiApplication.clipboard().setText(self.target.toPlainText())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
