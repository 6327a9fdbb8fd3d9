"""Where Tab leads in a column whose turns are built in any order: down the screen, then out of it.

Qt's own chain has widgets in the order of their making, and earlier turns are made later.
"""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget

from app.views.column.turn import Turn


def tab_target(
    column: QWidget, turns: Sequence[Turn], focus: QWidget | None, *, is_forward: bool
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
            target = _outside(column, focus, is_forward=is_forward)
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


def _outside(column: QWidget, focus: QWidget, *, is_forward: bool) -> QWidget | None:
    """The next in Qt's chain that is not in the column."""
    widget: QWidget | None = focus
    while True:
        assert widget is not None
        widget = widget.nextInFocusChain() if is_forward else widget.previousInFocusChain()
        if widget is None or widget is focus:
            return None
        if _takes_tab(widget) and not column.isAncestorOf(widget):
            return widget


def _takes_tab(widget: QWidget) -> bool:
    takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
    return takes and widget.isVisible() and widget.isEnabled()
