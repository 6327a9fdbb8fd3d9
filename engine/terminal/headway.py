"""How far a command of many replies has come: n of N, on a terminal at each, else now and then."""

import time
from collections.abc import Callable

from engine.terminal import output

# Where no passing state is shown, a line comes at most this often.
LINE_SECONDS = 15.0


class Headway:
    """Counts replies as they begin; `what` says at the start what all of them are for."""

    def __init__(self, total: int, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._num, self._total, self._clock = 0, total, clock
        self._told = clock()
        output.note(f"{total:,} {'reply' if total == 1 else 'replies'} to make: {what}")

    def begin(self, what: str) -> None:
        """The next reply begins."""
        self._num += 1
        words = f"{self._num:,} of {self._total:,}: {what}"
        output.progress(words)
        now = self._clock()
        if now - self._told >= LINE_SECONDS:
            self._told = now
            output.milestone(words)

    def leave_out(self, num: int) -> None:
        """So many fewer than was said will be made."""
        self._total -= num
