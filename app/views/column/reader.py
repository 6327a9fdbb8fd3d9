"""Where the reader is: at the end, which grows, or at a place that must not move.

What is built or changed above that place moves the scroll bar, not the text under the eyes.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Signal
from PySide6.QtWidgets import QScrollArea, QWidget
from shiboken6 import Shiboken

from app.views.column.turn import Turn
from app.views.scrolling import lay_out, settle

_AT_END = 24
_AT_TOP = 12


@dataclass(frozen=True, slots=True)
class Place:
    """A point of a widget, by its share of the height, and where below the viewport's top it is."""

    widget: QWidget
    share: float
    offset: int


class Reader(QObject):
    """`moved`: another part is on screen, or there is more or less of it."""

    moved = Signal()

    def __init__(
        self, area: QScrollArea, column: QWidget, turns: Callable[[], Sequence[Turn]]
    ) -> None:
        super().__init__(area)
        self._area, self._column, self._turns = area, column, turns
        self._place: Place | None = None
        self._is_placing = False
        self._width = 0
        self.follows_end = True
        # Whether the end of what is built is the end of the chat.
        self.has_end = True
        bar = area.verticalScrollBar()
        bar.rangeChanged.connect(self._on_range_changed)
        bar.valueChanged.connect(self._on_scrolled)

    @property
    def is_at_end(self) -> bool:
        """Whether the newest text is on screen."""
        bar = self._area.verticalScrollBar()
        return self.has_end and bar.value() >= bar.maximum() - _AT_END

    @property
    def distance(self) -> int:
        """How far the end of what is built is below the screen."""
        bar = self._area.verticalScrollBar()
        return bar.maximum() - bar.value()

    def to_end(self) -> None:
        """Show the newest text, and stay there."""
        self.follows_end, self._place = True, None
        self._set(self._area.verticalScrollBar().maximum())

    def to(self, widget: QWidget) -> None:
        """Show a widget at the top, and stay there."""
        lay_out(self._area, widget)
        self.follows_end = False
        self._place = Place(widget, 0.0, _AT_TOP)
        self._restore()

    def stay(self) -> None:
        """Stay where we are, even if that is the end."""
        self.follows_end = False
        self._place = self._find()

    def look(self, is_looking: bool) -> None:
        """Who looks at a token is not taken away from it by a growing end."""
        if is_looking:
            self.stay()
        else:
            self.follows_end = self.follows_end or self.is_at_end

    def hold_share(self) -> None:
        """Stay at the same part of a text that will be set in another way."""
        if self.follows_end:
            return
        for turn in self._turns():
            body = turn.reply.body
            top = self._top_of(body)
            if body.isVisible() and top <= 0 < top + body.height():
                self._place = Place(body, -top / max(body.height(), 1), 0)
                return
        self._place = self._find()

    @contextmanager
    def still(self) -> Iterator[None]:
        """What is done to the column in here moves nothing on screen."""
        if self.follows_end:
            self._place = None
        elif self._place is None or not self._is_there(self._place.widget):
            self._place = self._find()
        self._is_placing = True
        yield
        self.settle()
        self._is_placing = False
        # All of it is painted anew anyway.
        self._restore(is_growth=False)
        self.moved.emit()

    def settle(self, *, is_whole: bool = False) -> None:
        """Lay out now what was built since, or all there is."""
        lay_out(self._area, self._column)
        for turn in self._turns():
            if is_whole or turn.is_fresh:
                turn.is_fresh = False
                settle(self._area, turn)

    def _find(self) -> Place | None:
        """The topmost turn on screen."""
        for turn in self._turns():
            top = self._top_of(turn)
            if top + turn.height() > 0:
                return Place(turn, 0.0, top)
        return None

    def _top_of(self, widget: QWidget) -> int:
        return widget.mapTo(self._area.viewport(), QPoint(0, 0)).y()

    def _restore(self, *, is_growth: bool = True) -> None:
        bar, place = self._area.verticalScrollBar(), self._place
        if self.follows_end:
            self._set(bar.maximum(), is_growth=is_growth)
        elif place is not None and self._is_there(place.widget):
            now = self._top_of(place.widget) + round(place.share * place.widget.height())
            self._set(bar.value() + now - place.offset)
        else:
            self._place = self._find()

    def _is_there(self, widget: QWidget) -> bool:
        """Whether it has not been let go."""
        return Shiboken.isValid(widget) and widget.isVisibleTo(self._column)

    def _set(self, value: int, *, is_growth: bool = True) -> None:
        bar = self._area.verticalScrollBar()
        was, self._is_placing = self._is_placing, True
        is_growth = is_growth and self.follows_end
        if is_growth and 0 < min(value, bar.maximum()) - bar.value() < self._area.height():
            self._paint_waiting()
        bar.setValue(value)
        self._is_placing = was
        self.moved.emit()

    def _paint_waiting(self) -> None:
        """Paint what is to be painted: Qt scrolls by moving pixels only where nothing waits."""
        QCoreApplication.sendEvent(self._area.window(), QEvent(QEvent.Type.UpdateRequest))

    def _on_range_changed(self) -> None:
        if not self._is_placing:
            # Where the width is another one there are no pixels to move: the window paints it all,
            # once everything in it has its place.
            width = self._area.viewport().width()
            was, self._width = self._width, width
            self._restore(is_growth=width == was)

    def _on_scrolled(self) -> None:
        # Text that grows moves the end, not the value: only the reader's scrolling leaves it.
        if not self._is_placing:
            self.follows_end = self.is_at_end
            self._place = None if self.follows_end else self._find()
            self.moved.emit()
