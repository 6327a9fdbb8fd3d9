"""Where on a line across a chart a label is free of the curve."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple


class Spot(NamedTuple):
    """How far along the line, from 0 to 1, and whether above it."""

    along: float
    is_above: bool


# The ends first: in the middle a label looks like a part of the curve.
SPOTS = tuple(Spot(along, above) for along in (1.0, 0.0, 0.5) for above in (True, False))


def free_spot(
    curve: Sequence[tuple[float, float]],
    line: float,
    size: tuple[float, float],
    top: float,
    taken: Sequence[tuple[float, float]] = (),
    first: Spot = SPOTS[0],
) -> Spot:
    """The first spot, `first` before all, where a label of `size` keeps off the curve.

    All is in the chart's units; it goes from 0 to `top`. `taken` are stretches of height at its
    left end where other words stand. Where the curve is everywhere, the spot farthest from it.
    """

    def clearance(spot: Spot) -> float:
        low = line if spot.is_above else line - size[1]
        high = low + size[1]
        if low < 0 or high > top:
            return -2 * top
        begin, end = curve[0][0], curve[-1][0]
        left = begin + (end - begin - size[0]) * spot.along
        lowest, highest = _extent(curve, left, left + size[0])
        away = max(lowest - high, low - highest)
        if spot.along == 0.0 and any(low < over and under < high for under, over in taken):
            return min(away, -top)
        return away

    order = (first, *SPOTS)
    return next((spot for spot in order if clearance(spot) > 0), max(order, key=clearance))


def _extent(curve: Sequence[tuple[float, float]], left: float, right: float) -> tuple[float, float]:
    """The lowest and the highest of a curve between two places, drawn as straight lines."""
    times = [time for time, _ in curve]
    inside = [value for time, value in curve if left <= time <= right]
    values = [*inside, _value_at(curve, times, left), _value_at(curve, times, right)]
    return min(values), max(values)


def _value_at(curve: Sequence[tuple[float, float]], times: Sequence[float], time: float) -> float:
    behind = min(bisect_right(times, time), len(curve) - 1)
    before = max(min(bisect_left(times, time), len(curve)) - 1, 0)
    (x0, y0), (x1, y1) = curve[before], curve[behind]
    if x1 <= x0:
        return y0
    return y0 + (y1 - y0) * min(max((time - x0) / (x1 - x0), 0.0), 1.0)
