"""Where the keyboard goes when the button it was on goes away: to what took its place."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def show_only(widgets: Sequence[QWidget], shown: Collection[QWidget]) -> None:
    """Show these of them, hide the others; the first shown one takes over a focus that would go.

    Left to itself Qt gives it to whatever comes next, and that may be a button that destroys.
    """
    kept = [each for each in widgets if each in shown]
    for each in kept:
        if each.isHidden():
            each.show()
    held = next((each for each in widgets if has_focus(each)), None)
    if held is not None and held not in shown and kept:
        kept[0].setFocus(Qt.FocusReason.OtherFocusReason)
    for each in widgets:
        if each not in shown and not each.isHidden():
            each.hide()


def has_focus(widget: QWidget) -> bool:
    """Whether the keyboard is on it, or will be once its window is in front."""
    return widget.window().focusWidget() is widget


def holds_focus(widget: QWidget) -> bool:
    """Whether the keyboard is on it or on something in it."""
    focus = widget.window().focusWidget()
    return focus is widget or widget.isAncestorOf(focus)
