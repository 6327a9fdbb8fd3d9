"""Where Tab leads in a column whose turns are built in any order: down the screen, then out of it.

Qt's own chain has widgets in the order of their making, and earlier turns are made later.
"""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QWidget

from app.views.column.turn import Turn


def tab_target(
    area: QWidget, turns: Sequence[Turn], focus: QWidget | None, *, is_forward: bool
) -> QWidget | None:
    """What Tab leads to from a widget of a turn; None where Qt's own order is right."""
    at = next((n for n, turn in enumerate(turns) if focus and turn.isAncestorOf(focus)), None)
    if at is None or focus is None:
        return None
    inside = _reachable(turns[at])
    step = 1 if is_forward else -1
    place = inside.index(focus) + step if focus in inside else len(inside)
    while not 0 <= place < len(inside):
        at += step
        if not 0 <= at < len(turns):
            target = _outside(area, is_forward=is_forward)
            if target is not None:
                return target
            at %= len(turns)
        inside = _reachable(turns[at])
        place = 0 if is_forward else len(inside) - 1
    return inside[place]


def _reachable(turn: Turn) -> list[QWidget]:
    """What Tab reaches in a turn, from its top to its foot."""
    found = [(widget.mapTo(turn, QPoint(0, 0)), widget) for widget in turn.findChildren(QWidget)]
    found.sort(key=lambda each: (each[0].y(), each[0].x()))
    return [widget for _, widget in found if _takes_tab(widget)]


def _outside(area: QWidget, *, is_forward: bool) -> QWidget | None:
    """What stands below the column, or above it, in its width.

    Not by Qt's chain: the binding takes a widget that the chain names for a child of the one that
    was asked, and with that one it would be taken for deleted.
    """
    window = area.window()
    place = QRect(area.mapTo(window, QPoint(0, 0)), area.size())
    found: list[tuple[int, int, QWidget]] = []
    for widget in window.findChildren(QWidget):
        if _takes_tab(widget) and not area.isAncestorOf(widget):
            middle = widget.mapTo(window, widget.rect().center())
            is_beyond = middle.y() > place.bottom() if is_forward else middle.y() < place.top()
            if is_beyond and place.left() <= middle.x() <= place.right():
                found.append((middle.y(), middle.x(), widget))
    if not found:
        return None
    pick = min if is_forward else max
    return pick(found, key=lambda each: each[:2])[2]


def _takes_tab(widget: QWidget) -> bool:
    takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
    return takes and widget.isVisible() and widget.isEnabled()
