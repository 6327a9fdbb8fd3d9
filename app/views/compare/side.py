"""One of two replies side by side: its name and key numbers over its scrolling text."""

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.models.comparison import Comparison, Row
from app.models.display import TokenDisplay
from app.theme import Theme
from app.views.compare.figures import headline
from app.views.compare.mark import MARGIN, DifferenceMark
from app.views.compare.places import TokenPlaces
from app.views.controls import ElidedLabel
from app.views.reply_text import ReplyText

_LOOK_AHEAD = 0.35


class ReplySide(QWidget):
    """Shows a row's reply as it grows."""

    scrolled = Signal()

    def __init__(self, theme: Theme, display: TokenDisplay, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._display = theme, display
        self._row: Row | None = None
        self._num_pieces = 0
        self.name, self.numbers = ElidedLabel("", self), ElidedLabel("", self)
        self.name.setObjectName("title")
        self.numbers.setObjectName("small")
        self.area = QScrollArea(self)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.area.installEventFilter(self)
        self.area.verticalScrollBar().valueChanged.connect(self.scrolled)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 9, 3, 8)
        column.setSpacing(2)
        column.addWidget(self.name)
        column.addWidget(self.numbers)
        column.addSpacing(4)
        column.addWidget(self.area, 1)
        self._begin("")
        display.changed.connect(self._follow_display)

    def show_row(self, comparison: Comparison, row: Row) -> None:
        """Show this row, or what is new in it."""
        if row is not self._row:
            self._row = row
            self._begin(row.label)
        self.name.set_full_text(row.label)
        self.numbers.set_full_text(headline(row, comparison))
        pieces = row.reply.pieces
        self.text.append_pieces(pieces[self._num_pieces :])
        self._num_pieces = len(pieces)
        self._nothing.setVisible(not pieces)
        self._nothing.setText(row.failure or self.tr("No text yet"))
        self.mark.update()

    def top(self) -> tuple[int, float]:
        """The token at the upper edge, and how far its line is scrolled beyond it."""
        y = self.area.verticalScrollBar().value() - self.text.y()
        token = self.places.token_at(max(y, 0.0))
        return token, y - self.places.top_of(token)

    def scroll_to(self, token: int, beyond: float) -> None:
        """Have a token at the upper edge, scrolled that far beyond it."""
        y = self.places.top_of(token) + beyond + self.text.y()
        self.area.verticalScrollBar().setValue(round(y))

    def reveal(self, token: int) -> None:
        """Have a token in sight, with what leads to it above."""
        self.scroll_to(token, -_LOOK_AHEAD * self.area.viewport().height())

    def _begin(self, name: str) -> None:
        """A new text: what was shown before goes."""
        content = QWidget(self.area)
        content.setObjectName("scroll_content")
        self.text = ReplyText(self._theme, content)
        self.text.setAccessibleName(self.tr("Text of {0}").format(name))
        self.area.setAccessibleName(self.tr("Scrolling text of {0}").format(name))
        self.places = TokenPlaces(self.text)
        self._nothing = QLabel(content)
        self._nothing.setObjectName("muted")
        self._nothing.setWordWrap(True)
        column = QVBoxLayout(content)
        column.setContentsMargins(MARGIN, 4, 10, 16)
        column.setSpacing(0)
        column.addWidget(self._nothing)
        column.addWidget(self.text)
        column.addStretch(1)
        self.mark = DifferenceMark(self.text, self._theme, content)
        self.mark.hide()
        content.installEventFilter(self)
        self._num_pieces = 0
        self._follow_display()
        self.area.setWidget(content)

    def _follow_display(self) -> None:
        self.text.show_origins(self._display.shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = QEvent.Type
        content = self.area.widget()
        if event.type() == kinds.Resize and content is not None and watched is content:
            self.mark.setGeometry(content.rect())
            self.mark.raise_()
        elif event.type() in (kinds.FocusIn, kinds.FocusOut) and watched is self.area:
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.palette
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            has_focus = self.area.hasFocus()
            edge = QPen(
                QColor(colors.accent if has_focus else colors.border), 2 if has_focus else 1
            )
            painter.setPen(edge)
            painter.setBrush(QColor(colors.main))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 10, 10)
