"""How kinds are filled where they are bars: a colour and a pattern each, so that grey tells them.

Accepted is solid, replayed hatched, corrected a zigzag, bonus dotted, generated hollow. Phases of a
step follow the same idea: verify solid, draft dark, roll back hatched, emit dotted, interface
hollow.
"""

from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.models.phases import PhaseName
from app.theme import Theme, sans
from engine import ORIGINS, Origin

TILE = 6
Mark = Literal["rejected", "excluded"]
Kind = Origin | PhaseName | Mark
_Style = Literal["solid", "hatch", "zigzag", "dots", "hollow"]
_STYLES: dict[Kind, _Style] = {
    "generated": "hollow",
    "accepted": "solid",
    "replayed": "hatch",
    "corrected": "zigzag",
    "bonus": "dots",
    "interface": "hollow",
    "draft": "solid",
    "verify": "solid",
    "rollback": "hatch",
    "emit": "dots",
}
_GROUND: dict[_Style, float] = {"hatch": 0.28, "zigzag": 0.22, "dots": 0.22, "hollow": 0.16}
_LINE = 1.5
# No pattern can be seen in less.
_NARROW = 3.0
_WORDS_PIXELS = 12


class Patterns:
    """Tiles of every kind in a theme's colours, made once each."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._palette = theme.palette
        self._colors: dict[Kind, QColor] = {}
        self._tiles: dict[tuple[Kind, float], QPixmap] = {}

    def color(self, kind: Kind) -> QColor:
        """The full colour of a kind."""
        if self._theme.palette is not self._palette:
            self._palette = self._theme.palette
            self._colors.clear()
            self._tiles.clear()
        if kind not in self._colors:
            self._colors[kind] = self._chosen(kind)
        return self._colors[kind]

    def _chosen(self, kind: Kind) -> QColor:
        for origin in ORIGINS:
            if kind == origin:
                return self._theme.origin(origin)
        colors = self._palette
        named = {"draft": colors.text, "verify": colors.accent, "rollback": colors.accent}
        return QColor(named.get(kind, colors.muted))

    def tile(self, kind: Kind, ratio: float) -> QPixmap:
        """A square of `TILE` pixels to fill bars with, for a screen of this pixel ratio."""
        color = self.color(kind)
        if (kind, ratio) not in self._tiles:
            self._tiles[kind, ratio] = _tile(_STYLES[kind], color, ratio)
        return self._tiles[kind, ratio]

    def fill(self, painter: QPainter, kind: Kind, rect: QRectF) -> None:
        """Fill a bar; rejected drafts are only outlined, excluded ones crossed."""
        if rect.width() <= 0 or rect.height() <= 0:
            return
        if kind == "rejected":
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.color(kind), 1, Qt.PenStyle.DotLine))
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
            return
        if kind == "excluded":
            self.cross(painter, rect)
            return
        if min(rect.width(), rect.height()) < _NARROW:
            painter.fillRect(rect, self.color(kind))
            return
        painter.drawTiledPixmap(rect, self.tile(kind, painter.device().devicePixelRatioF()))
        if _STYLES[kind] != "solid":
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.color(kind), 1))
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))

    def cross(self, painter: QPainter, rect: QRectF) -> None:
        """The mark of excluded drafts."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(QPen(QColor(self._theme.palette.text), 1.3))
        size = min(rect.width(), rect.height(), 6.0) / 2
        center = rect.center()
        painter.drawLine(center + QPointF(-size, -size), center + QPointF(size, size))
        painter.drawLine(center + QPointF(-size, size), center + QPointF(size, -size))
        painter.restore()


def _tile(style: _Style, color: QColor, ratio: float) -> QPixmap:
    pixmap = QPixmap(round(TILE * ratio), round(TILE * ratio))
    pixmap.setDevicePixelRatio(ratio)
    ground = QColor(color)
    ground.setAlphaF(_GROUND.get(style, 1.0))
    pixmap.fill(ground)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(QPen(color, _LINE))
        size = float(TILE)
        if style == "hatch":
            # The same line again over the corners, so that tiles join.
            for shift in (-size, 0.0, size):
                painter.drawLine(QPointF(shift - 1, size + 1), QPointF(shift + size + 1, -1))
        elif style == "zigzag":
            points = [QPointF(0, 5), QPointF(size / 2, 1.5), QPointF(size, 5)]
            painter.drawPolyline(QPolygonF(points))
        elif style == "dots":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            painter.drawEllipse(QPointF(size / 2, size / 2), 1.4, 1.4)
    return pixmap


class PatternLegend(QWidget):
    """What the fills mean, in one or more lines."""

    _ROW = 18
    _SWATCH = 12
    _GAP = 12

    def __init__(
        self, theme: Theme, entries: tuple[tuple[Kind, str], ...], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._entries = theme, entries
        self._patterns = Patterns(theme)
        self._placed: dict[int, list[QPointF]] = {}
        # Not fixed: that would hold it to the height of its size hint, which is for one width.
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(", ".join(words for _, words in entries))
        theme.changed.connect(self.update)

    def _laid_out(self, width: int) -> list[QPointF]:
        """Where each entry is; remembered, as layouts ask whenever a number beside it changes."""
        if width not in self._placed:
            self._placed[width] = self._places(width)
        return self._placed[width]

    def _places(self, width: int) -> list[QPointF]:
        metrics = QFontMetricsF(sans(_WORDS_PIXELS))
        places, x, y = [], 0.0, 0.0
        for _, words in self._entries:
            needed = self._SWATCH + 5 + metrics.horizontalAdvance(words)
            if x and x + needed > width:
                x, y = 0.0, y + self._ROW
            places.append(QPointF(x, y))
            x += needed + self._GAP
        return places

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(320))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._laid_out(width)[-1].y()) + self._ROW

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setFont(sans(_WORDS_PIXELS))
            middle = Qt.AlignmentFlag.AlignVCenter
            for (kind, words), at in zip(self._entries, self._laid_out(self.width()), strict=True):
                swatch = QRectF(at.x(), at.y() + 3, self._SWATCH, self._SWATCH)
                self._patterns.fill(painter, kind, swatch)
                painter.setPen(QColor(self._theme.palette.muted))
                room = QRectF(at.x() + self._SWATCH + 5, at.y(), self.width(), self._ROW)
                painter.drawText(room, middle, words)
