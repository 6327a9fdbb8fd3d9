"""Python's cyclic garbage, collected on the UI thread only.

The collector runs on whatever thread happens to allocate, and a Qt object that dies on the worker's
thread can take the process with it. So automatic collection is off while the window lives, and a
timer collects here instead: the young often, everything now and then. What comes by the hundred
thousand, as in an import, is here to stay: to look through it would hold up the window.
"""

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 1_000
YOUNG_PER_MIDDLE = 10
MIDDLE_PER_FULL = 6
# More objects than this are not looked through in one round.
MOST_AT_ONCE = 100_000


class Collector(QObject):
    """Stands in for automatic collection from `start` to `stop`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._num_rounds = 0
        # How many came, at most, since what was there was settled.
        self._num_unsettled = 0
        self._was_enabled = False
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.collect)

    def start(self) -> None:
        """Take over; what exists by now is settled and need not be looked through again.

        Not collected first: the window was painted a moment ago, and what a start leaves is little.
        """
        self._was_enabled = gc.isenabled()
        gc.disable()
        gc.freeze()
        self._timer.start()

    def settle(self) -> None:
        """What was made since is here to stay, too: thousands of chats, brought back."""
        if self._timer.isActive():
            gc.freeze()
            self._num_unsettled = 0

    def stop(self) -> None:
        """Hand back to Python, with nothing left that must die on this thread."""
        self._timer.stop()
        gc.unfreeze()
        gc.collect()
        if self._was_enabled:
            gc.enable()

    def collect(self) -> None:
        """One round: the youngest generation, at times the middle one, rarely all."""
        self._num_rounds += 1
        self._num_unsettled += gc.get_count()[0]
        if self._num_unsettled > MOST_AT_ONCE:
            self.settle()
        elif self._num_rounds % (YOUNG_PER_MIDDLE * MIDDLE_PER_FULL) == 0:
            gc.collect(2)
            self._num_unsettled = len(gc.get_objects())
        elif self._num_rounds % YOUNG_PER_MIDDLE == 0:
            gc.collect(1)
        else:
            gc.collect(0)
