"""Which columns of a long row are in sight: pixels to columns and back. No widgets."""

from dataclasses import dataclass

PITCH = 8
MARGIN = 2
_SHORTEST_HANDLE = 24.0


@dataclass
class Viewport:
    """`left` pixels of `num` columns lie to the left of a window of `width` pixels."""

    left: float = 0.0
    width: int = 0
    num: int = 0

    @property
    def most(self) -> float:
        """The largest `left`; 0 where everything is in sight."""
        return max(0.0, float(self.num * PITCH + 2 * MARGIN - self.width))

    @property
    def page(self) -> int:
        """How many columns fit."""
        return max(1, (self.width - 2 * MARGIN) // PITCH)

    @property
    def visible(self) -> range:
        """The columns that are in sight, wholly or in part."""
        first = int(self.left // PITCH)
        last = int((self.left + self.width - MARGIN) // PITCH) + 1
        return range(first, max(first, min(last, self.num)))

    def fit(self, left: float) -> float:
        """The nearest `left` there is."""
        return min(max(left, 0.0), self.most)

    def x(self, column: int) -> float:
        """Where a column begins in the window."""
        return MARGIN + column * PITCH - self.left

    def column_at(self, x: float) -> int | None:
        """The column at a place in the window."""
        column = int((x - MARGIN + self.left) // PITCH)
        return column if 0 <= column < self.num else None

    def reveal(self, column: int) -> None:
        """Move as little as brings a column in sight, with a neighbour on either side."""
        begin, end = (column - 1) * PITCH, (column + 2) * PITCH - self.width + 2 * MARGIN
        self.left = self.fit(min(max(self.left, end), begin))

    @property
    def handle(self) -> tuple[float, float]:
        """Where the overview's handle begins, and how long it is."""
        length = min(
            max(self.width * self.width / (self.most + self.width or 1), _SHORTEST_HANDLE),
            float(self.width),
        )
        return (self.left / self.most * (self.width - length) if self.most else 0.0), length

    def left_for_handle(self, x: float) -> float:
        """The `left` that puts the middle of the handle at x."""
        _, length = self.handle
        room = self.width - length
        return self.fit((x - length / 2) / room * self.most) if room > 0 else self.left
