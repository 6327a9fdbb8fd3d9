"""Bars side by side: how much of the drafts was accepted, by length and by place in the draft."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QFontMetricsF
from PySide6.QtWidgets import QWidget

from app.models.run import RunStatistics
from app.models.summary import percent
from app.theme import Theme, sans
from app.views.inspector.chart import LABEL_PIXELS, Chart
from app.views.inspector.patterns import Kind
from engine import Statistics

if TYPE_CHECKING:
    import pyqtgraph

_HEIGHT = 104
_KINDS: tuple[Kind, ...] = ("accepted", "corrected", "generated")
_WIDEST = 46.0
_NAMED = 14.0
_ROOM = 1.3
_BAR = 0.34
# Between two values, in pixels.
_GAP = 8.0


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of stacked parts, from the bottom up; its name below, its value above, its words."""

    name: str
    parts: tuple[tuple[Kind, float], ...]
    value: str
    words: str

    @property
    def height(self) -> float:
        """Of all parts."""
        return sum(height for _, height in self.parts)


class BarChart(Chart):
    """Bars from the left edge on, no wider than they read well."""

    def __init__(
        self, theme: Theme, name: str, nothing: str, top: float | None, parent: QWidget | None
    ) -> None:
        super().__init__(theme, name, _HEIGHT, parent)
        self.bars: tuple[Bar, ...] = ()
        self._none = self.nothing = nothing
        self._top = top
        self._labels: list[Any] = []

    def set_nothing(self, words: str) -> None:
        """What to say where there are no bars."""
        if words != self._none:
            self._none = words
            if not self.bars:
                self.nothing = words
                self.changed()

    def show_bars(self, bars: tuple[Bar, ...]) -> None:
        """Other bars."""
        if bars != self.bars:
            self.bars = bars
            self.nothing = "" if bars else self._none
            self.describe(". ".join(bar.words for bar in bars))
            self.changed()

    def build(self, box: "pyqtgraph.ViewBox") -> None:
        """One item for each fill."""
        import pyqtgraph

        self._items = {kind: pyqtgraph.BarGraphItem(x0=[], x1=[], y0=0, y1=0) for kind in _KINDS}
        for item in self._items.values():
            box.addItem(item, ignoreBounds=True)

    def draw(self) -> None:
        """The whole of it."""
        import pyqtgraph

        pitch = self._pitch
        top = self._top or max(bar.height for bar in self.bars)
        self.set_range((0.0, self.width() / pitch), (0.0, top * _ROOM))
        every = 1 if pitch >= _NAMED else 5
        names = enumerate(bar.name for bar in self.bars)
        self.set_ticks([(n + 0.5, name) for n, name in names if n % every == every - 1 or n == 0])
        for kind, item in self._items.items():
            rects = [
                (number + 0.5, *span)
                for number, bar in enumerate(self.bars)
                for span in _spans(bar, kind)
            ]
            item.setOpts(
                x0=[x - _BAR for x, _, _ in rects],
                x1=[x + _BAR for x, _, _ in rects],
                y0=[low for _, low, _ in rects],
                y1=[high for _, _, high in rects],
                brush=self.brush(kind),
                pen=pyqtgraph.mkPen(self.patterns.color(kind), width=1),
            )
        self._draw_labels()

    def words_at(self, place: QPoint) -> str:
        """The bar under the mouse."""
        number = int(place.x() // self._pitch) if self.bars else 0
        return self.bars[number].words if 0 <= number < len(self.bars) else ""

    @property
    def _pitch(self) -> float:
        return min(self.width() / max(len(self.bars), 1), _WIDEST)

    def _draw_labels(self) -> None:
        shown = self._value_places()
        while len(self._labels) < len(shown):
            self._labels.append(self.text_item((0.5, 0.95)))
        for number, label in enumerate(self._labels):
            label.setVisible(number < len(shown))
        for label, (number, middle) in zip(self._labels, shown.items(), strict=False):
            label.setColor(QColor(self.theme.palette.muted))
            label.setText(self.bars[number].value)
            label.setPos(middle, self.bars[number].height)

    def _value_places(self) -> dict[int, float]:
        """Bars that have their value above them, the highest first, and the middle of each value.

        It stands over no higher bar and beside no other value.
        """
        width, pitch = QFontMetricsF(sans(LABEL_PIXELS)).horizontalAdvance, self._pitch
        room = self.width() / pitch
        taken: list[tuple[float, float]] = []
        found: dict[int, float] = {}
        for number, bar in sorted(enumerate(self.bars), key=lambda each: -each[1].height):
            half, gap = width(bar.value) / 2 / pitch, _GAP / pitch
            middle = min(max(number + 0.5, half), room - half)
            left, right = middle - half, middle + half
            below = self.bars[max(ceil(left - 0.5 - _BAR), 0) : int(right + 0.5 + _BAR)]
            is_free = all(right + gap <= begin or end + gap <= left for begin, end in taken)
            if bar.value and is_free and all(each.height <= bar.height for each in below):
                taken.append((left, right))
                found[number] = middle
        return found


def _spans(bar: Bar, kind: Kind) -> list[tuple[float, float]]:
    found, low = [], 0.0
    for part, height in bar.parts:
        if part == kind and height > 0:
            found.append((low, low + height))
        low += height
    return found


def histogram_bars(stats: Statistics | None, whole: Mapping[int, int]) -> tuple[Bar, ...]:
    """Steps with a draft by how many tokens of it were accepted, in shares of them all."""
    counts = stats.histogram if stats is not None else {}
    total = sum(counts.values())
    bars = []
    for length in range(max(counts, default=-1) + 1):
        count = counts.get(length, 0)
        kept = whole.get(length, 0)
        parts: tuple[tuple[Kind, float], ...] = (
            ("accepted", kept / total),
            ("corrected" if length else "generated", (count - kept) / total),
        )
        share = percent(count / total)
        words = f"{length} accepted: {count} of {total} steps with a draft, {share}"
        if length and count:
            words += f"; {kept} of them the whole draft"
        bars.append(Bar(str(length), parts, share if count else "", words))
    return tuple(bars)


def position_bars(run: RunStatistics | None) -> tuple[Bar, ...]:
    """How many of the drafts that reached a place had their token there accepted."""
    if run is None:
        return ()
    bars = []
    for place in range(max(run.drafted_at, default=-1) + 1):
        drafted, accepted = run.drafted_at[place], run.accepted_at[place]
        share = accepted / drafted
        words = (
            f"position {place + 1}: {accepted} of {drafted} drafted tokens accepted, "
            f"{percent(share)}"
        )
        bars.append(Bar(str(place + 1), (("accepted", share),), percent(share), words))
    return tuple(bars)
