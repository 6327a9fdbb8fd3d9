"""One line of a text on screen: its characters, and the height of its text."""

import re
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QTextBlock, QTextLine

# Parts that are no further apart are one.
_TOUCHING = 0.5
# Letters that go from right to left, and signs that have others do so.
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


def has_right_to_left(text: str) -> bool:
    """Whether a part of this may go from right to left."""
    return _RIGHT_TO_LEFT.search(text) is not None


@dataclass(frozen=True, slots=True)
class LineBox:
    """Its characters are without a paragraph's end; coordinates are the document's.

    In a line that `is_mixed`, some go from right to left: a range of it can be in several places.
    """

    line: QTextLine
    block: QTextBlock
    start: int
    end: int
    x: float
    top: float
    bottom: float
    is_mixed: bool = False

    @property
    def is_rtl(self) -> bool:
        """Whether it begins at the right."""
        return self.is_mixed and self.block.textDirection() == Qt.LayoutDirection.RightToLeft

    @property
    def ends(self) -> tuple[float, float]:
        """Where its text ends at the left and at the right."""
        whole = self.rect(self.start, self.end)
        return whole.left(), whole.right()

    def x_of(self, position: int) -> float:
        """Where a character begins."""
        # The binding gives a pair that its stub calls an object.
        x, _ = cast(tuple[float, int], self.line.cursorToX(position - self.block.position()))
        return self.x + x

    def parts(self, start: int, end: int) -> list[QRectF]:
        """The parts of the line that a range covers, from the left."""
        start, end = max(start, self.start), min(end, self.end)
        if not self.is_mixed:
            return [self._between(self.x_of(start), self.x_of(end))]
        runs = self.line.glyphRuns(start - self.block.position(), end - start)
        found: list[QRectF] = []
        for rect in sorted((run.boundingRect() for run in runs), key=QRectF.left):
            part = self._between(self.x + rect.left(), self.x + rect.right())
            if found and part.left() - found[-1].right() <= _TOUCHING:
                found[-1] = found[-1].united(part)
            else:
                found.append(part)
        return found

    def rect(self, start: int, end: int) -> QRectF:
        """What bounds the part of the line that a range covers."""
        parts = self.parts(start, end)
        if not parts:
            at = self.x_of(max(start, self.start))
            return self._between(at, at)
        return self._between(parts[0].left(), parts[-1].right())

    def position_at(self, x: float) -> int:
        """The character at `x`; behind the end of the line its last one, or its break."""
        left, right = self.ends
        if x <= left if self.is_rtl else x >= right:
            ends_paragraph = self.end == self.block.position() + self.block.length() - 1
            return self.end if ends_paragraph else max(self.end - 1, self.start)
        if self.is_mixed:
            # Qt is one off where the direction changes.
            for position in range(self.start, self.end):
                if any(
                    part.left() <= x < part.right() for part in self.parts(position, position + 1)
                ):
                    return position
        where = QTextLine.CursorPosition.CursorOnCharacter
        return self.block.position() + self.line.xToCursor(x - self.x, where)

    def _between(self, left: float, right: float) -> QRectF:
        return QRectF(left, self.top, right - left, self.bottom - self.top)
