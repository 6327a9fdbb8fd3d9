"""What is painted around the words of prose: grounds of code, signs of items, bars of quotes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QTextBlock, QTextLine

from app.models.markdown.values import Prose
from app.theme import sans
from app.views.markdown.look import INDENT, MATHS_INSET, MATHS_ROOM, QUOTE_INDENT, Look

CHIP_ROOM = 3.0
_BAR = 3.0
_BULLETS = 3


@dataclass(frozen=True, slots=True)
class Chip:
    """A stretch of a block with a ground of its own."""

    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """A row as it is laid out; `bottom` is where the bar of its quote ends."""

    block: QTextBlock
    bounds: QRectF
    bottom: float
    prose: Prose
    chips: list[Chip]

    @property
    def width(self) -> float:
        """The width of the whole text."""
        return self.block.document().textWidth()

    @property
    def is_right(self) -> bool:
        """Whether it reads from right to left."""
        return self.block.textDirection() == Qt.LayoutDirection.RightToLeft


def paint_row(painter: QPainter, look: Look, row: Drawn) -> None:
    """Everything that lies under or beside a row."""
    bounds, prose, width = row.bounds, row.prose, row.width
    if prose.place.quotes:
        area = QRectF(0, bounds.top(), width, row.bottom - bounds.top())
        paint_bars(painter, look, area, prose.place.quotes, row.is_right)
    if prose.look == "rule":
        painter.setPen(QPen(QColor(look.theme.palette.border), 1))
        y, left = round(bounds.center().y()) + 0.5, float(look.margin(prose))
        painter.drawLine(QPointF(left, y), QPointF(width, y))
    if prose.look == "maths":
        inset = float(look.margin(prose) - look.px(MATHS_INSET))
        ground = QRectF(
            inset, bounds.top() - MATHS_ROOM, width - inset, bounds.height() + 2 * MATHS_ROOM
        )
        _ground(painter, look, ground, 8.0)
    for rect in _chip_rects(row.block, bounds, row.chips):
        _ground(painter, look, rect, 4.0)
    if prose.place.marker:
        _paint_marker(painter, look, row)


def paint_bars(
    painter: QPainter, look: Look, area: QRectF, quotes: int, is_right: bool = False
) -> None:
    """The bars beside a quote, one for each level."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(look.theme.palette.control_border))
    for level in range(quotes):
        x = float(look.px(QUOTE_INDENT * level))
        left = area.right() - x - _BAR if is_right else area.left() + x
        painter.drawRect(QRectF(left, area.top(), _BAR, area.height()))


def _ground(painter: QPainter, look: Look, rect: QRectF, radius: float) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    colors = look.theme.palette
    painter.setBrush(QColor(colors.hover if not colors.is_dark else colors.bubble))
    painter.drawRoundedRect(rect, radius, radius)


def _chip_rects(block: QTextBlock, bounds: QRectF, chips: list[Chip]) -> Iterator[QRectF]:
    """Where chips stand, line by line."""
    layout = block.layout()
    for number in range(layout.lineCount()) if chips else ():
        line = layout.lineAt(number)
        low, high = line.textStart(), line.textStart() + line.textLength()
        baseline = bounds.top() + line.y() + line.ascent()
        for chip in chips:
            start, end = max(chip.start, low), min(chip.start + chip.length, high)
            if start < end:
                left, right = sorted((_x(line, start), _x(line, end)))
                top = baseline - line.ascent() * 0.92
                bottom = baseline + line.descent() * 1.15
                yield QRectF(
                    bounds.left() + left - CHIP_ROOM, top, right - left + CHIP_ROOM, bottom - top
                )


def _x(line: QTextLine, position: int) -> float:
    # The binding gives a pair that its stub calls an object.
    return cast(tuple[float, int], line.cursorToX(position))[0]


def _paint_marker(painter: QPainter, look: Look, row: Drawn) -> None:
    """The sign of an item beside its first line."""
    line, is_right = row.block.layout().lineAt(0), row.is_right
    if not line.isValid():
        return
    place, margin = row.prose.place, look.margin(row.prose)
    baseline = row.bounds.top() + line.y() + line.ascent()
    edge = row.width - margin if is_right else float(margin)
    room = float(look.px(INDENT))
    slot = QRectF(edge if is_right else edge - room, baseline - look.pixels, room, look.pixels)
    middle = QPointF(slot.center().x() + (-2 if is_right else 2), baseline - look.pixels * 0.33)
    color = look.text_color(place.quotes)
    if place.is_done is not None:
        _paint_box(painter, look, middle + QPointF(2 if is_right else -2, 0), place.is_done)
    elif place.marker == "•":
        shape, side = (place.depth - 1) % _BULLETS, look.pixels / 15
        painter.setPen(QPen(color, 1.2) if shape == 1 else Qt.PenStyle.NoPen)
        painter.setBrush(Qt.BrushStyle.NoBrush if shape == 1 else color)
        if shape == 2:
            square = QRectF(0, 0, 4 * side, 4 * side)
            square.moveCenter(middle)
            painter.drawRect(square)
        else:
            painter.drawEllipse(middle, 2.4 * side, 2.4 * side)
    else:
        painter.setFont(sans(look.pixels))
        painter.setLayoutDirection(row.block.textDirection())
        painter.setPen(QColor(look.theme.palette.muted))
        width = QFontMetricsF(painter.font()).horizontalAdvance(place.marker)
        x = edge + look.px(7) if is_right else edge - look.px(7) - width
        painter.drawText(QPointF(x, baseline), place.marker)


def _paint_box(painter: QPainter, look: Look, middle: QPointF, is_done: bool) -> None:
    """A box, ticked where the task is done."""
    colors, side = look.theme.palette, look.px(13)
    box = QRectF(round(middle.x() - side / 2) + 0.5, round(middle.y() - side / 2) + 0.5, side, side)
    painter.setPen(QPen(QColor(colors.accent if is_done else colors.muted), 1.2))
    painter.setBrush(QColor(colors.accent) if is_done else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, 3, 3)
    if is_done:
        painter.setPen(QPen(QColor(colors.on_accent), 1.7))
        at = box.topLeft()
        tick = ((0.24, 0.52), (0.43, 0.7), (0.77, 0.3))
        painter.drawPolyline([at + QPointF(side * x, side * y) for x, y in tick])
