"""Text with marked ranges, in one line or two, elided."""

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QTextCharFormat, QTextLayout

from app.models.search_hit import Ranges
from app.theme import Palette

# So many characters before the first mark stay in sight.
_BEFORE = 18
# One character for one, so that the ranges stay true.
_BREAKS = str.maketrans(dict.fromkeys("\n\r\t\v\f\x00\x85\u2028\u2029", " "))


def draw_marked(
    painter: QPainter,
    rect: QRect,
    text: str,
    ranges: Ranges,
    font: QFont,
    color: str,
    palette: Palette,
    num_lines: int = 1,
) -> None:
    """Draw text from the top of a rectangle; what is marked has a ground."""
    metrics, y = QFontMetrics(font), rect.top()
    text, ranges = _from_first_mark(text.translate(_BREAKS), ranges)
    for number in range(num_lines):
        is_last = number == num_lines - 1
        length = len(text) if is_last else _line_length(text, font, rect.width())
        line = text[:length]
        if is_last:
            line = metrics.elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        _draw_line(painter, QPointF(rect.left(), y), line, ranges, font, color, palette)
        text = text[length:]
        ranges = tuple((start - length, end - length) for start, end in ranges)
        y += metrics.height()
        if not text:
            return


def _draw_line(
    painter: QPainter,
    at: QPointF,
    line: str,
    ranges: Ranges,
    font: QFont,
    color: str,
    palette: Palette,
) -> None:
    layout = QTextLayout(line, font)
    ground = QTextCharFormat()
    ground.setBackground(QColor(palette.selection))
    ground.setForeground(QColor(palette.text))
    formats = []
    for start, end in ranges:
        # Qt counts UTF-16.
        first = _utf16(line[: max(start, 0)])
        length = _utf16(line[max(start, 0) : max(end, 0)])
        if length:
            part = QTextLayout.FormatRange()
            part.start, part.length, part.format = first, length, ground
            formats.append(part)
    layout.setFormats(formats)
    layout.beginLayout()
    layout.createLine()
    layout.endLayout()
    painter.setPen(QColor(color))
    layout.draw(painter, at)


def _line_length(text: str, font: QFont, width: int) -> int:
    """How many characters fit a line that breaks at a word."""
    layout = QTextLayout(text, font)
    layout.beginLayout()
    line = layout.createLine()
    if not line.isValid():
        return len(text)
    line.setLineWidth(width)
    layout.endLayout()
    encoded = text.encode("utf-16-le", "surrogatepass")[: line.textLength() * 2]
    return len(encoded.decode("utf-16-le", "surrogatepass"))


def _from_first_mark(text: str, ranges: Ranges) -> tuple[str, Ranges]:
    """Leave out the beginning, where the first mark would lie out of sight."""
    cut = ranges[0][0] - _BEFORE if ranges else 0
    if cut <= _BEFORE:
        return text, ranges
    space = text.find(" ", cut, ranges[0][0])
    cut = space + 1 if space >= 0 else cut
    return f"…{text[cut:]}", tuple((start - cut + 1, end - cut + 1) for start, end in ranges)


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
