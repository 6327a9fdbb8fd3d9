"""Where the cells stand of tokens that have no text, behind the end of a reply's last line."""

from PySide6.QtCore import QRectF

from app.views.line_box import LineBox

_WIDTH = 16.0
_GAP = 5.0
_STEP = _WIDTH + 2


def tail_rects(line: LineBox, count: int, width: float) -> list[QRectF]:
    """As many cells, in order; below the line where it has no room for them in that width."""
    left, right = line.ends
    # From the right, places are measured from there.
    begin, top = (width - left if line.is_rtl else right) + _GAP, line.top
    if begin + count * _STEP > width > 0:
        begin, top = 2.0, line.bottom + 6
    places = [begin + number * _STEP for number in range(count)]
    if line.is_rtl:
        places = [width - place - _WIDTH for place in places]
    return [QRectF(place, top, _WIDTH, line.bottom - line.top) for place in places]
