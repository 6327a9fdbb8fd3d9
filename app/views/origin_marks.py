"""How an origin is drawn: a faint tint, and an underline whose shape needs no colour vision.

Accepted solid, replayed dashed, corrected wavy, bonus dotted, generated nothing. Glyphs are never
recoloured, so that syntax highlighting survives.
"""

import math

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from app.theme import Theme
from engine import Origin

UNDERLINE = 2.0
_WAVE_PERIOD = 6.0
_WAVE_HEIGHT = 3.0
_DASHES: dict[Origin, list[float]] = {"replayed": [2.5, 1.2], "bonus": [1.0, 1.0]}


def paint_mark(painter: QPainter, theme: Theme, origin: Origin, rect: QRectF) -> None:
    """Tint `rect` and underline it along its lower edge, inside a strip of 2 pixels."""
    if origin == "generated" or rect.width() <= 0:
        return
    painter.fillRect(rect, theme.tint(origin))
    paint_underline(painter, theme, origin, rect)


def paint_underline(painter: QPainter, theme: Theme, origin: Origin, rect: QRectF) -> None:
    """The underline alone, ending at the bottom of `rect`."""
    color = theme.origin(origin)
    if origin == "corrected":
        painter.setPen(QPen(color, 1.4))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.drawPolyline(_wave(rect.left(), rect.right(), rect.bottom() - _WAVE_HEIGHT + 1))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        return
    y = rect.bottom() - UNDERLINE / 2
    if origin not in _DASHES:
        painter.fillRect(QRectF(rect.left(), y - 1, rect.width(), UNDERLINE), color)
        return
    pen = QPen(color, UNDERLINE)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setDashPattern(_DASHES[origin])
    # Dashes keep their rhythm across neighbouring tokens and lines.
    pen.setDashOffset(rect.left() / UNDERLINE % sum(_DASHES[origin]))
    painter.setPen(pen)
    painter.drawLine(QLineF(rect.left(), y, rect.right(), y))


def _wave(left: float, right: float, top: float) -> QPolygonF:
    half = _WAVE_PERIOD / 2

    def height(x: float) -> float:
        phase = (x % _WAVE_PERIOD) / half
        return top + _WAVE_HEIGHT * (phase if phase <= 1 else 2 - phase)

    first = math.floor(left / half) + 1
    corners = [k * half for k in range(first, math.ceil(right / half))]
    return QPolygonF([QPointF(x, height(x)) for x in (left, *corners, right)])
