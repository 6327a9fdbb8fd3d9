"""A chart of pyqtgraph in the window's style, which is made when it is first seen.

Importing pyqtgraph takes half a second, so that is left to this file, and in a window to a thread
beside it: while it is on its way, a chart is empty. Where there is nothing to draw yet, the plot is
made in the moment after the window has appeared: neither the start nor a reply waits for it.
The plot lets the mouse and the keyboard through: this frame answers for it, in words.
"""

import threading
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QBrush,
    QColor,
    QPainter,
    QResizeEvent,
    QShowEvent,
    QTransform,
)
from PySide6.QtWidgets import QFrame, QWidget

from app.theme import Theme, sans
from app.views.inspector.frame import Frame
from app.views.inspector.patterns import Kind, Patterns

if TYPE_CHECKING:
    import pyqtgraph

_MARGIN = 2
_AXIS = 16
_SOON_MS = 50
LABEL_PIXELS = 10
LIBRARY = "pyqtgraph"
# Set while a thread imports it; it must not be imported twice, nor Qt's classes be made meanwhile.
LIBRARY_COMING = threading.Event()


class Chart(Frame):
    """A subclass makes its items in `build`, fills them in `draw`, and calls `changed`."""

    def __init__(self, theme: Theme, name: str, height: int, parent: QWidget | None = None) -> None:
        super().__init__(theme, name, parent)
        self.patterns = Patterns(theme)
        self._view: Any = None
        self._is_stale = True
        self._ticks: list[tuple[float, str]] = []
        self.nothing = ""
        self.setFixedHeight(height)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._make_soon)

    def changed(self) -> None:
        """There is something else to draw: at once where it is seen, else when it is."""
        self._is_stale = True
        if self.isVisible():
            self._redraw()

    def build(self, box: "pyqtgraph.ViewBox") -> None:
        """Make the items, once."""
        raise NotImplementedError

    def draw(self) -> None:
        """Give the items their values."""
        raise NotImplementedError

    def color(self) -> None:
        """Give the items the colours of the theme, where `draw` does not."""

    def restyle(self) -> None:
        """Other colours."""
        super().restyle()
        if self._view is not None:
            self.color()
        self.changed()

    def set_range(self, x: tuple[float, float], y: tuple[float, float]) -> None:
        """What the plot shows."""
        # A pixel more below: the outline of what stands on the ground lies half under it.
        pixel = (y[1] - y[0]) / max(self._view.height() - 1, 1)
        self._x, self._y = x, (y[0] - pixel, y[1])
        self._box.setRange(xRange=self._x, yRange=self._y, padding=0)

    def set_ticks(self, ticks: list[tuple[float, str]]) -> None:
        """The labels under the plot."""
        self._ticks = ticks

    def brush(self, kind: Kind) -> QBrush:
        """The fill of a kind for items that are drawn in the plot's units."""
        brush = QBrush(self.patterns.tile(kind, self.devicePixelRatioF()))
        across = (self._x[1] - self._x[0]) / max(self._box.width(), 1.0)
        down = (self._y[1] - self._y[0]) / max(self._box.height(), 1.0)
        brush.setTransform(QTransform.fromScale(across, down))
        return brush

    def text_item(self, anchor: tuple[float, float]) -> "pyqtgraph.TextItem":
        """A small label in the plot."""
        import pyqtgraph

        item = pyqtgraph.TextItem(anchor=anchor)
        item.setFont(sans(LABEL_PIXELS))
        self._box.addItem(item, ignoreBounds=True)
        return item

    def _redraw(self) -> None:
        if self._view is None:
            if self.nothing or LIBRARY_COMING.is_set():
                self._soon.start(_SOON_MS)
                self.update()
                return
            self._make()
        self._is_stale = False
        self._view.setVisible(not self.nothing)
        if not self.nothing:
            self.draw()
            # Left to the paint event, this would ask for a second one.
            self._box.prepareForPaint()
        self.update()

    def _make_soon(self) -> None:
        if LIBRARY_COMING.is_set():
            self._soon.start(_SOON_MS)
        elif self._view is None and self.isVisible():
            self._make()
            self._redraw()

    def _make(self) -> None:
        import pyqtgraph

        self._view = view = pyqtgraph.GraphicsView(self, useOpenGL=False, background=None)
        view.setFrameShape(QFrame.Shape.NoFrame)
        view.setStyleSheet("background: transparent")
        view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        # Not a PlotItem: that brings menus and buttons, which nobody could reach.
        self._box = box = pyqtgraph.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
        box.disableAutoRange()
        view.setCentralItem(box)
        self._place()
        view.setVisible(not self.nothing)
        self.build(box)

    def _place(self) -> None:
        if self._view is not None:
            plot = self.rect().adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN - _AXIS + 1)
            self._view.setGeometry(plot)

    def paint(self, painter: QPainter) -> None:
        if self.nothing:
            painter.setPen(QColor(self.theme.palette.muted))
            painter.setFont(sans(12))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.nothing)
        elif self._view is not None:
            self._paint_ticks(painter)

    def _paint_ticks(self, painter: QPainter) -> None:
        """Painted here: an axis of pyqtgraph's is made anew whenever the range is another one."""
        painter.setPen(QColor(self.theme.palette.muted))
        painter.setFont(sans(LABEL_PIXELS))
        plot, (begin, end) = self._view.geometry(), self._x
        for place, words in self._ticks:
            x = plot.left() + (place - begin) / (end - begin) * plot.width()
            room = QRectF(x - plot.width(), plot.bottom(), 2.0 * plot.width(), _AXIS)
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)

    def sizeHint(self) -> QSize:
        return QSize(320, self.height())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._redraw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()
        self.changed()
