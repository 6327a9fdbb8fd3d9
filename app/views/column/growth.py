"""Builds turns before the reader gets to them, and lets go of those far away."""

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtWidgets import QScrollArea

from app.views.column.reader import Reader
from app.views.column.stretch import MOST, READY, Stretch
from app.views.column.turn import Turn

# How many screens beyond the one that is read are built, and how many at least are kept.
_AHEAD, _KEPT = 1.5, 3
# Within so much of a screen nothing may be missing; beyond it, what a person does comes first.
_URGENT, _PAUSE_MS = 0.5, 25


class Growth(QObject):
    """A helping a turn of the event loop, with pauses between; nothing moves on screen."""

    grown = Signal()

    def __init__(self, area: QScrollArea, reader: Reader, stretch: Stretch) -> None:
        super().__init__(area)
        self._area, self._reader, self._stretch = area, reader, stretch
        self._leaving: list[Turn] = []
        # Whether all of what is built was set when this was looked at last.
        self._is_whole = True
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.timeout.connect(self._grow)

    @property
    def is_settled(self) -> bool:
        """Whether all is built that is wanted here."""
        return not self._next.isActive()

    def follow(self) -> None:
        """The reader is somewhere else, or there is more."""
        if self._lacks_above(_URGENT) or self._lacks_below(_URGENT):
            self._next.start(0)
        elif self._leaving or self._wants_above() or self._lacks_below(_AHEAD):
            self._wait()

    def leave(self, turn: Turn) -> None:
        """Delete a turn that is no longer shown, one a turn of the event loop."""
        self._leaving.append(turn)
        self._wait()

    def _wait(self) -> None:
        if not self._next.isActive():
            self._next.start(_PAUSE_MS)

    def _lacks_above(self, screens: float) -> bool:
        is_near = self._area.verticalScrollBar().value() < screens * self._area.viewport().height()
        return self._stretch.first > 0 and is_near

    def _lacks_below(self, screens: float) -> bool:
        is_near = self._reader.distance < screens * self._area.viewport().height()
        return not self._stretch.has_end and is_near

    def _wants_above(self) -> bool:
        is_few = self._stretch.first > 0 and len(self._stretch.turns) < READY
        return is_few or self._lacks_above(_AHEAD)

    def _grow(self) -> None:
        # What was built last is set first, and not in the same turn.
        was_whole, self._is_whole = self._is_whole, self._has_set_all()
        if not (was_whole and self._is_whole):
            self._next.start(0)
            return
        is_above = self._wants_above()
        is_below = not is_above and self._lacks_below(_AHEAD)
        # To delete a turn takes about as long as to build one: not both at once.
        if self._leaving and (len(self._leaving) > MOST or not (is_above or is_below)):
            self._leaving.pop().deleteLater()
            self.follow()
            return
        with self._reader.still():
            if is_above:
                self._stretch.grow_up()
            elif is_below:
                self._stretch.grow_down()
            self._stretch.trim(self._is_far)
        self._is_whole = self._has_set_all()
        self.grown.emit()
        self.follow()

    def _has_set_all(self) -> bool:
        return all(turn.reply.body.is_whole for turn in self._stretch.turns)

    def _is_far(self, turn: Turn) -> bool:
        height = self._area.viewport().height()
        top = turn.mapTo(self._area.viewport(), QPoint(0, 0)).y()
        return top > (_KEPT + 1) * height or top + turn.height() < -_KEPT * height
