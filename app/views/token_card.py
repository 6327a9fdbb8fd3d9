"""A card with all there is to know of one token, laid over the window beside it.

A child of the window and no window of its own: it never takes the focus from the text, and it goes
when something else is clicked, when the window changes its size, and with Escape.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.models.token_facts import TokenFacts
from app.theme import Theme, mono, sans
from app.views.card_place import GAP, spot_beside
from app.views.controls import ElidedLabel
from app.views.escape import EscapeKeeper
from app.views.origin_marks import paint_mark
from app.views.token_rows import rows_of
from engine import Origin

WIDTH = 348
_SHADOW = 12
_SHADE = QMargins(_SHADOW, _SHADOW, _SHADOW, _SHADOW)
_RADIUS = 10.0
_MOST_ROWS = 8


class _Swatch(QWidget):
    """An origin's tint and underline, as in the legend."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self.origin: Origin = "generated"
        self.setFixedSize(18, 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self.origin == "generated":
                painter.fillRect(self.rect(), self._theme.tint(self.origin))
            paint_mark(painter, self._theme, self.origin, QRectF(self.rect()))


class TokenCard(QWidget):
    """Shows facts and offers the way to the source and back."""

    source_requested = Signal()
    back_requested = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._host = theme, parent
        EscapeKeeper(self)
        self.setFixedWidth(WIDTH + 2 * _SHADOW)
        self.word = ElidedLabel("", self)
        font = mono(13)
        font.setWeight(font.Weight.DemiBold)
        self.word.setFont(font)
        self._swatch = _Swatch(theme, self)
        self.origin = QLabel(self)
        self.origin.setFont(sans(13, font.Weight.DemiBold))
        self.rows = [(QLabel(self), ElidedLabel("", self)) for _ in range(_MOST_ROWS)]
        self.note = QLabel(self)
        self.source = QPushButton(self.tr("Show source"), self)
        self.back = QPushButton(self.tr("Back"), self)
        self._arrange()
        self.hide()

    def show_facts(self, facts: TokenFacts, has_source: bool, is_at_source: bool) -> None:
        """Fill in a token's facts; which of the two ways lies open."""
        self.word.set_full_text(f"“{facts.text}”" if facts.text else self.tr("no text"))
        self._swatch.origin = facts.origin
        self._swatch.update()
        self.origin.setText(facts.origin)
        self.origin.setToolTip(_sentence(facts.meaning))
        rows = rows_of(facts)
        for number, (name, value) in enumerate(self.rows):
            name.setVisible(number < len(rows))
            value.setVisible(number < len(rows))
            if number < len(rows):
                name.setText(rows[number][0])
                value.set_full_text(rows[number][1])
        notes = [facts.note, facts.meaning]
        if facts.is_guarded:
            notes.append(self.tr("a near-tie in this step was left to a forward of one token"))
        self.note.setText("\n".join(_sentence(note) for note in notes if note))
        for button, is_open in ((self.source, not is_at_source), (self.back, is_at_source)):
            button.setVisible(has_source)
            button.setEnabled(has_source and is_open)
        self.setAccessibleName(self.tr("Token {0:,}").format(facts.number))
        told = [f"{name}: {value}" for name, value in rows]
        self.setAccessibleDescription(". ".join([facts.text, facts.origin, *told]))

    @property
    def host(self) -> QWidget:
        """The widget it lies over."""
        return self._host

    @property
    def body(self) -> QRect:
        """Where it lies in the window, without its shadow."""
        return self.geometry() - _SHADE

    def value(self, name: str) -> str | None:
        """What a row says; None where there is none of this name."""
        found = (value for label, value in self.rows if label.text() == name)
        shown = next((value for value in found if not value.isHidden()), None)
        return shown.accessibleName() if shown is not None else None

    def place_beside(self, target: QRect, spared: Sequence[QRect] = ()) -> None:
        """Show beside `target` and over none of `spared`, all in the window's coordinates.

        Where there is no room for that, without what the token is in words; where there is none at
        all, over what comes last.
        """
        room = self._host.rect() - QMargins(GAP, GAP, GAP, GAP)
        for is_whole in (True, False):
            self.note.setVisible(is_whole)
            self._fit()
            body = self.size().shrunkBy(_SHADE)
            spot, is_clear = spot_beside(body, room, target, spared)
            if is_clear:
                break
        self.move(spot - QPoint(_SHADOW, _SHADOW))
        self.show()
        self.raise_()

    def close_card(self) -> None:
        """Hide it; nothing happens where it is hidden."""
        if not self.isHidden():
            self.hide()
            self.closed.emit()

    def _fit(self) -> None:
        """As high as what it says now; a hidden widget's layout does not do that by itself."""
        column = self.layout()
        assert column is not None
        column.invalidate()
        column.activate()
        wraps = column.hasHeightForWidth()
        needed = column.totalHeightForWidth(self.width()) if wraps else -1
        self.resize(self.width(), needed if needed > 0 else column.totalSizeHint().height())

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(7)
        head.addWidget(self.word, 1)
        head.addWidget(self._swatch)
        head.addWidget(self.origin)
        grid = QGridLayout()
        grid.setVerticalSpacing(6)
        grid.setHorizontalSpacing(14)
        grid.setColumnStretch(1, 1)
        for number, (name, value) in enumerate(self.rows):
            name.setObjectName("small")
            name.setFont(sans(12))
            value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            value.setFont(sans(12))
            grid.addWidget(name, number, 0)
            grid.addWidget(value, number, 1)
        self.note.setObjectName("small")
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setWordWrap(True)
        ways = QHBoxLayout()
        for button in (self.source, self.back):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            ways.addWidget(button)
        ways.addStretch(1)
        self.source.setToolTip(self.tr("Go to where this draft was copied from (S)"))
        self.back.setToolTip(self.tr("Go back to the token (S)"))
        self.source.clicked.connect(self.source_requested)
        self.back.clicked.connect(self.back_requested)
        column = QVBoxLayout(self)
        edge = _SHADOW + 14
        column.setContentsMargins(edge, edge - 2, edge, edge - 1)
        column.setSpacing(9)
        column.addLayout(head)
        column.addLayout(grid)
        column.addWidget(self.note)
        column.addLayout(ways)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_card()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self.isHidden():
            return False
        if event.type() == QEvent.Type.Resize or (
            event.type() == QEvent.Type.MouseButtonPress
            and isinstance(event, QMouseEvent)
            and not self.body.contains(event.position().toPoint())
        ):
            self.close_card()
        return False

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        handle = self.window().windowHandle()
        if handle is not None:
            # Once is enough; it goes when either of the two does.
            handle.installEventFilter(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.palette
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            body = QRectF(self.rect()).adjusted(_SHADOW, _SHADOW, -_SHADOW, -_SHADOW)
            painter.setPen(Qt.PenStyle.NoPen)
            for spread in range(_SHADOW, 0, -2):
                painter.setBrush(QColor(0, 0, 0, 14 if colors.is_dark else 6))
                grown = body.adjusted(-spread, -spread + 3, spread, spread)
                painter.drawRoundedRect(grown, _RADIUS + spread, _RADIUS + spread)
            painter.setPen(QPen(QColor(colors.control_border), 1))
            painter.setBrush(QColor(colors.raised))
            painter.drawRoundedRect(body.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + "."
