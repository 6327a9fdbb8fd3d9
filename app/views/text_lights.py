"""Outlines around stretches of text: what is selected, under the mouse, or a draft's source.

Shapes tell them apart without colour: the selection is a bold line, a source a thin line on a tint,
the text that matched a dashed line.
"""

from typing import Literal

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.models.sources import Part
from app.theme import Theme

Light = Part | Literal["selected", "hovered"]

MARGIN = 1.5
_RADIUS = 3.5
_WIDTHS: dict[Light, float] = {
    "selected": 2.0,
    "hovered": 1.0,
    "draft": 1.0,
    "token": 1.8,
    "match": 1.2,
}
_TINTS: dict[Light, float] = {"draft": 0.14, "token": 0.26}


def paint_lights(
    painter: QPainter, theme: Theme, light: Light, rects: list[QRectF], width: float
) -> None:
    """Outline each rectangle a little outside of it, but within a text of this `width`."""
    colors = theme.palette
    pen = QPen(QColor(colors.muted if light == "hovered" else colors.accent), _WIDTHS[light])
    if light == "match":
        pen.setDashPattern([2.5, 2.0])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    tint = QColor(colors.accent)
    tint.setAlphaF(_TINTS.get(light, 0.0))
    painter.setPen(pen)
    painter.setBrush(tint if light in _TINTS else Qt.BrushStyle.NoBrush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for rect in rects:
        # An underline ends at the rectangle's foot, and must be seen inside of the outline.
        box = rect.adjusted(-MARGIN + 0.5, -MARGIN, MARGIN - 0.5, MARGIN)
        box.setLeft(max(box.left(), pen.widthF() / 2))
        box.setRight(min(box.right(), width - pen.widthF() / 2))
        painter.drawRoundedRect(box, _RADIUS, _RADIUS)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
