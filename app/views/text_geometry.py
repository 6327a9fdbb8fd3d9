"""Where tokens and characters of a document are on screen, and which token is under a point.

Everything is asked of the layout when it is needed, for the lines in question only. Qt lays a text
out when it is first shown: before that nothing is anywhere.
"""

from collections.abc import Iterable, Iterator
from math import inf

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QTextBlock, QTextDocument, QTextLine

from app.theme import mono, sans
from app.views.line_box import LineBox, has_right_to_left
from app.views.origin_marks import UNDERLINE
from app.views.paragraph_style import CODE_PIXELS, TEXT_PIXELS, Mark, code_pixels, mark_of
from app.views.paragraphs import Paragraphs
from app.views.piece_places import Cell
from app.views.token_tail import tail_rects
from engine import Origin

# A line break, or another token without width of its own, in the middle of the text.
THIN = 6.0
# How far behind a line's end its break can still be clicked.
_REACH = 14.0
# So far from the edge of a line one is in its first or last character.
_INSIDE = 0.5
# How far a line's text, with what is below it, can reach beyond the line's own height.
_BEYOND = 2 * UNDERLINE


class TextGeometry:
    """Reads a document and its paragraphs; coordinates are the document's."""

    def __init__(self, document: QTextDocument, paragraphs: Paragraphs) -> None:
        self._document, self._paragraphs = document, paragraphs
        self._heights = _heights(TEXT_PIXELS, CODE_PIXELS)

    def set_pixels(self, pixels: int) -> None:
        """The text is set in another size."""
        self._heights = _heights(pixels, code_pixels(pixels))

    def blocks_from(self, y: float) -> Iterator[tuple[QTextBlock, QRectF]]:
        """Paragraphs with their bounds, from the one at `y` on."""
        layout = self._document.documentLayout()
        fuzzy = Qt.HitTestAccuracy.FuzzyHit
        block = self._document.findBlock(max(layout.hitTest(QPointF(0, y), fuzzy), 0))
        while block.isValid():
            yield block, layout.blockBoundingRect(block)
            block = block.next()

    def lines_of(
        self, block: QTextBlock, top: float = -inf, bottom: float = inf
    ) -> Iterator[LineBox]:
        """The lines of a paragraph whose text reaches into this stretch of the page."""
        self._document.documentLayout().blockBoundingRect(block)  # lays it out if need be
        layout = block.layout()
        above = layout.position().y()
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            y = above + line.y()
            if y > bottom + _BEYOND:
                return
            if y + line.height() >= top - _BEYOND:
                box = self._box(block, line)
                if box.bottom >= top and box.top <= bottom:
                    yield box

    def range_rects(self, start: int, end: int) -> list[QRectF]:
        """A range's parts line by line; a thin one where it has no width, as a break has none."""
        found: list[QRectF] = []
        block = self._document.findBlock(start)
        while block.isValid() and block.position() < end:
            for box in self.lines_of(block):
                if box.start < end and box.end > start:
                    found += [rect for rect in box.parts(start, end) if rect.width() > 0]
            block = block.next()
        return found or self._thin(start)

    def token_rects(self, first: int, last: int) -> list[QRectF]:
        """The parts of the tokens `first..last`, neighbours on a line joined."""
        found: list[QRectF] = []
        tail = {token: rect for token, _, rect in self.tail()}
        for token in range(first, last + 1):
            for rect in [tail[token]] if token in tail else self._parts(token):
                before = found[-1] if found else None
                if before and before.adjusted(-1, 0, 1, 0).intersects(rect):
                    found[-1] = before.united(rect)
                else:
                    found.append(rect)
        return found

    def token_at(self, point: QPointF) -> int | None:
        """The token under a point."""
        for token, _, rect in self.tail():
            if rect.contains(point):
                return token
        box = self._line_at(point.y())
        if box is None:
            return None
        left, right = box.ends
        before, behind = (_REACH, 2) if box.is_rtl else (2, _REACH)
        if not left - before <= point.x() <= right + behind:
            return None
        return self._token_in(box, point.x())

    def tokens_between(self, top: float, bottom: float) -> tuple[int, int] | None:
        """The first and the last token of the lines that lie between two heights."""
        found: list[int] = []
        for block, bounds in self.blocks_from(top):
            if bounds.top() > bottom:
                break
            for box in self.lines_of(block, top, bottom):
                if top <= box.top and box.bottom <= bottom:
                    token = self._token_in(box, box.rect(box.start, box.end).center().x())
                    found += [token] if token is not None else []
        return (self.line_ends(found[0])[0], self.line_ends(found[-1])[1]) if found else None

    def beside(self, token: int, by: int, x: float) -> int | None:
        """The token at `x` on the line above (`by` -1) or below (1) a token; None at the ends."""
        box = self.line_of(token)
        while box is not None:
            box = self._neighbour(box, by)
            if box is None:
                return None
            left, right = box.ends
            found = self._token_in(box, min(max(x, left + _INSIDE), right - _INSIDE))
            if found is not None and found != token:
                return found
        return None

    def line_ends(self, token: int) -> tuple[int, int]:
        """The first and the last token on a token's line."""
        box, tail = self.line_of(token), self.tail()
        if box is None:
            return token, token
        is_last = box.end >= self._paragraphs.end
        left, right = box.ends
        begin, end = (right - _INSIDE, left) if box.is_rtl else (left, right)
        first = self._token_in(box, begin)
        last = tail[-1][0] if tail and is_last else self._token_in(box, end)
        return first if first is not None else token, last if last is not None else token

    def line_of(self, token: int) -> LineBox | None:
        """The line that a token begins on."""
        cell = self._paragraphs.places.cell_of(token)
        return self._line_with(cell.start if cell else self._paragraphs.end)

    def whole_lines(self, first: int, last: int) -> QRectF:
        """What bounds all of each line that the tokens `first..last` are on."""
        rects = self.token_rects(first, last)
        boxes = (self._line_at(rect.center().y()) for rect in rects)
        return bounds_of([*rects, *(box.rect(box.start, box.end) for box in boxes if box)])

    def tail(self) -> list[tuple[int, Origin, QRectF]]:
        """The cells of the tokens without text behind the last text, as a stop token is one."""
        silent = self._paragraphs.places.silent_tail()
        box = self._line_with(self._paragraphs.end) if silent else None
        if box is None:
            return []
        rects = tail_rects(box, len(silent), self._document.textWidth())
        return [(*each, rect) for each, rect in zip(silent, rects, strict=True)]

    def _parts(self, token: int) -> list[QRectF]:
        cell = self._paragraphs.places.cell_of(token)
        if cell is None:
            return self._thin(self._paragraphs.end)
        rects = self.range_rects(cell.start, cell.end)
        return [_part(rect, cell) for rect in rects]

    def _thin(self, position: int) -> list[QRectF]:
        box = self._line_with(position)
        if box is None:
            return []
        return [QRectF(box.x_of(min(position, box.end)), box.top, THIN, box.bottom - box.top)]

    def _token_in(self, box: LineBox, x: float) -> int | None:
        position = box.position_at(x)
        if position >= self._paragraphs.end:
            position = self._paragraphs.end - 1
        piece = self._paragraphs.places.piece_at(position)
        if piece is None:
            return None
        cell = self._paragraphs.places.cell_of(piece.first)
        if cell is None or cell.of == 1:
            return piece.first
        rect = box.rect(cell.start, cell.end)
        share = (x - rect.left()) / rect.width() if rect.width() > 0 else 0.0
        return piece.first + min(max(int(share * cell.of), 0), cell.of - 1)

    def _line_at(self, y: float) -> LineBox | None:
        for block, bounds in self.blocks_from(y):
            if bounds.top() > y:
                return None
            for box in self.lines_of(block):
                if box.top - 3 <= y <= box.bottom + 3:
                    return box
        return None

    def _line_with(self, position: int) -> LineBox | None:
        block = self._document.findBlock(position)
        if not block.isValid():
            block = self._document.lastBlock()
        self._document.documentLayout().blockBoundingRect(block)
        line = block.layout().lineForTextPosition(position - block.position())
        return self._box(block, line) if line.isValid() else None

    def _neighbour(self, box: LineBox, by: int) -> LineBox | None:
        number = box.line.lineNumber() + by
        if 0 <= number < box.block.layout().lineCount():
            return self._box(box.block, box.block.layout().lineAt(number))
        block = box.block.next() if by > 0 else box.block.previous()
        if not block.isValid():
            return None
        count = block.layout().lineCount()
        return self._box(block, block.layout().lineAt(0 if by > 0 else count - 1))

    def _box(self, block: QTextBlock, line: QTextLine) -> LineBox:
        ascent, descent = self._heights[bool(mark_of(block) & Mark.CODE)]
        origin = block.layout().position()
        baseline = origin.y() + line.y() + line.ascent()
        start = block.position() + line.textStart()
        return LineBox(
            line=line,
            block=block,
            start=start,
            end=min(start + line.textLength(), block.position() + block.length() - 1),
            x=origin.x(),
            top=round(baseline - ascent),
            bottom=round(baseline + descent + UNDERLINE),
            is_mixed=has_right_to_left(block.text()),
        )


def _heights(text: int, code: int) -> dict[bool, tuple[float, float]]:
    """How far prose (False) and code (True) reach above and below their baseline."""
    metrics = {False: QFontMetricsF(sans(text)), True: QFontMetricsF(mono(code))}
    return {is_code: (each.ascent(), each.descent()) for is_code, each in metrics.items()}


def bounds_of(rects: Iterable[QRectF]) -> QRectF:
    """What holds all of them; null if there are none."""
    bounds = QRectF()
    for rect in rects:
        bounds = bounds.united(rect)
    return bounds


def _part(rect: QRectF, cell: Cell) -> QRectF:
    width = rect.width() / cell.of
    return QRectF(rect.left() + cell.number * width, rect.top(), width, rect.height())
