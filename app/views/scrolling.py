"""Scrolling to a part of a widget inside a scroll area, wherever it lies once all is laid out."""

from PySide6.QtCore import QCoreApplication, QEvent, QRectF
from PySide6.QtWidgets import QScrollArea, QWidget

# What is nearer than this to an edge of the screen is scrolled to.
EDGE = 40
# Where on the screen, from its top, what was scrolled to stands.
_STAND = 0.3


def lay_out(area: QScrollArea, widget: QWidget) -> None:
    """Do at once, from `widget` outwards, what Qt would do over some turns of the event loop."""
    inside: QWidget | None = widget
    while inside is not None and inside is not area:
        layout = inside.layout()
        if layout is not None:
            layout.activate()
        inside = inside.parentWidget()
    QCoreApplication.sendEvent(area, QEvent(QEvent.Type.LayoutRequest))


def settle(area: QScrollArea, widget: QWidget) -> None:
    """Do at once what is in `widget`, from the inside out, now that its width is known."""
    for inside in reversed(widget.findChildren(QWidget)):
        layout = inside.layout()
        if layout is not None and not inside.isHidden():
            layout.activate()
    lay_out(area, widget)


def scroll_to(area: QScrollArea, widget: QWidget, rect: QRectF) -> None:
    """Bring a part of `widget` on screen; nothing moves where it is there already."""
    bar, height = area.verticalScrollBar(), area.viewport().height()
    top = widget.mapTo(area.viewport(), rect.topLeft()).y() + bar.value()
    bottom = top + min(rect.height(), height / 2)
    if top < bar.value() + EDGE or bottom > bar.value() + height - EDGE:
        bar.setValue(int(top - _STAND * height))
