"""Gives a window the look of the theme in force, and has all that is in it follow another one.

The sheet holds the rules of every theme, and the window's name tells which of them hold: with
another sheet Qt would do all widgets, most of them hidden, and each of them twice, in one turn.
"""

from collections import deque
from time import perf_counter

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

from app.theme import Theme
from app.views.stylesheet import theme_mark, window_sheet

SLICE_SECONDS = 0.012


class Restyling(QTimer):
    """A few milliseconds a turn; what is seen comes first, and is painted when it is done."""

    def __init__(self, theme: Theme, window: QWidget) -> None:
        super().__init__(window)
        self._theme, self._window = theme, window
        self._seen: deque[QWidget] = deque()
        self._hidden: deque[QWidget] = deque()
        # Windows that are not painted meanwhile.
        self._still: list[QWidget] = []
        self.timeout.connect(self._turn)
        theme.changed.connect(self._follow)
        self._wear()
        window.setStyleSheet(window_sheet())

    def _wear(self) -> None:
        self._window.setObjectName(theme_mark(self._theme.palette))
        self._window.setPalette(self._theme.qt_palette())

    def _follow(self) -> None:
        self._wear()
        self._seen.clear()
        self._hidden.clear()
        # Parents come before what is in them.
        for widget in (self._window, *self._window.findChildren(QWidget)):
            (self._seen if widget.isVisible() else self._hidden).append(widget)
            if widget.isWindow() and widget.isVisible() and widget.updatesEnabled():
                widget.setUpdatesEnabled(False)
                self._still.append(widget)
        self.start(0)

    def _turn(self) -> None:
        ends = perf_counter() + SLICE_SECONDS
        while self._seen or self._hidden:
            _restyle((self._seen or self._hidden).popleft())
            if perf_counter() > ends:
                break
        if not self._seen:
            self._show()
            if not self._hidden:
                self.stop()

    def _show(self) -> None:
        for widget in self._still:
            if Shiboken.isValid(widget):
                widget.setUpdatesEnabled(True)
                # A request for an update that came meanwhile was passed over, and no other would be
                # made: the window would stand still for ever.
                widget.repaint()
        self._still.clear()


def _restyle(widget: QWidget) -> None:
    if Shiboken.isValid(widget):
        widget.style().polish(widget)
