"""Where a card goes: beside what it speaks of, and over none of that where there is any room."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QSize

GAP = 4


def spot_beside(
    size: QSize, room: QRect, target: QRect, spared: Sequence[QRect]
) -> tuple[QPoint, bool]:
    """The nearest place in `room` that covers nothing, and whether there is one.

    Else the place that covers least, the target first, then what is `spared`, in its order.
    """
    kept = (target, *spared)
    spots = [QRect(spot, size) for spot in _spots(size, room, kept)]
    spots.sort(key=lambda spot: _distance(spot, target))
    for spot in spots:
        if not any(spot.intersects(each) for each in kept):
            return spot.topLeft(), True
    return min(spots, key=lambda spot: [_covered(spot, each) for each in kept]).topLeft(), False


def _spots(size: QSize, room: QRect, kept: Sequence[QRect]) -> list[QPoint]:
    """Where a card can touch what it must not cover, or the room's edges.

    Wherever there is a free place, there is one among these: moved left and up as far as it goes.
    """
    last_x = max(room.left() + room.width() - size.width(), room.left())
    last_y = max(room.top() + room.height() - size.height(), room.top())
    xs, ys = {room.left(), last_x, kept[0].left()}, {room.top(), last_y}
    for each in kept:
        xs |= {each.left() + each.width() + GAP, each.left() - GAP - size.width()}
        ys |= {each.top() + each.height() + GAP, each.top() - GAP - size.height()}
    in_x = {min(max(x, room.left()), last_x) for x in xs}
    in_y = {min(max(y, room.top()), last_y) for y in ys}
    return [QPoint(x, y) for x in in_x for y in in_y]


def _distance(spot: QRect, target: QRect) -> tuple[int, int, int]:
    """How far from the target; as near as others, below it is best, then above, then beside."""
    above, below = target.top() - spot.bottom(), spot.top() - target.bottom()
    left, right = target.left() - spot.right(), spot.left() - target.right()
    side = 0 if below > 0 else 1 if above > 0 else 2
    away = max(above, below, 0) + max(left, right, 0)
    return away, side, abs(spot.left() - target.left())


def _covered(spot: QRect, other: QRect) -> int:
    common = spot.intersected(other)
    return max(common.width(), 0) * max(common.height(), 0)
