"""One line of a text on screen: its characters, and the height of its text."""

from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextBlock, QTextLine


@dataclass(frozen=True, slots=True)
class LineBox:
    """Its characters are without a paragraph's end; coordinates are the document's."""

    line: QTextLine
    block: QTextBlock
    start: int
    end: int
    x: float
    top: float
    bottom: float

    def x_of(self, position: int) -> float:
        """Where a character begins."""
        # The binding gives a pair that its stub calls an object.
        x, _ = cast(tuple[float, int], self.line.cursorToX(position - self.block.position()))
        return self.x + x

    def rect(self, start: int, end: int) -> QRectF:
        """The part of the line that a range covers."""
        left = self.x_of(max(start, self.start))
        right = self.x_of(min(end, self.end))
        return QRectF(left, self.top, right - left, self.bottom - self.top)

    def position_at(self, x: float) -> int:
        """The character at `x`; right of the line its last one, or its break."""
        if x >= self.x_of(self.end):
            ends_paragraph = self.end == self.block.position() + self.block.length() - 1
            return self.end if ends_paragraph else max(self.end - 1, self.start)
        where = QTextLine.CursorPosition.CursorOnCharacter
        return self.block.position() + self.line.xToCursor(x - self.x, where)
