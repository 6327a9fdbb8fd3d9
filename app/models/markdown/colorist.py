"""Reads code for its colours on a thread: making the lexer of some languages holds a window up."""

import logging
import threading
from collections import deque

from app.models.markdown.coloring import ColoredLine, colored_lines

log = logging.getLogger("draftscope")


class Coloring:
    """The lines of one text, as they come."""

    def __init__(self, language: str, text: str) -> None:
        self._language, self._text = language, text
        self._lines: deque[ColoredLine] = deque()
        self._is_read = self._is_dropped = False

    @property
    def is_over(self) -> bool:
        """Whether all that comes has come and was taken."""
        # In this order: the last line comes before the end is told.
        return self._is_read and not self._lines

    def take(self) -> ColoredLine | None:
        """The next line; None where it has not come yet, or never will."""
        return self._lines.popleft() if self._lines else None

    def drop(self) -> None:
        """Nobody waits for it any more."""
        self._is_dropped = True

    def read(self) -> None:
        """Find the colours; for the thread."""
        try:
            for line in () if self._is_dropped else colored_lines(self._language, self._text):
                self._lines.append(line)
                if self._is_dropped:
                    return
        finally:
            self._is_read = True


class Colorist:
    """One text after the other: two that make the same lexer at once would spoil it.

    The thread lives while there is something to read. It is Python through and through, so the
    process may end under it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[Coloring] = deque()
        self._is_reading = False

    def begin(self, language: str, text: str) -> Coloring:
        """The colours of a text, on their way."""
        coloring = Coloring(language, text)
        with self._lock:
            self._waiting.append(coloring)
            if not self._is_reading:
                self._is_reading = True
                threading.Thread(target=self._work, name="colours", daemon=True).start()
        return coloring

    def _work(self) -> None:
        while True:
            with self._lock:
                self._is_reading = bool(self._waiting)
                if not self._is_reading:
                    return
                coloring = self._waiting.popleft()
            try:
                coloring.read()
            except Exception:
                # A flaw of one lexer; its text stays without colours.
                log.exception("code could not be coloured")


COLORIST = Colorist()
