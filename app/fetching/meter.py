"""How far a fetch is and how fast, told at most ten times a second."""

import time
from collections import deque
from collections.abc import Callable

from app.fetching.events import FetchProgress

_TELL_SECONDS = 0.1
_SMOOTH_SECONDS = 5.0
_SURE_SECONDS = 0.5


class Meter:
    """Counts the bytes of one fetch, or of those that were here before it."""

    def __init__(
        self,
        job: int,
        total: int,
        done: int,
        tell: Callable[[FetchProgress], None],
        *,
        verifies: bool = False,
    ) -> None:
        self.done = done
        self._job, self._total, self._tell = job, total, tell
        self._verifies = verifies
        self._file = ""
        self._told = float("-inf")
        self._came = 0  # over the line in this run: what is taken back is no negative speed
        self._samples: deque[tuple[float, int]] = deque()

    def begin(self, file: str) -> None:
        """Another file is next."""
        self._file = file
        self.note(0)

    def note(self, count: int) -> None:
        """So many bytes came; 0 where there were none for a moment."""
        self.done += count
        self._came += count
        now = time.monotonic()
        if now - self._told >= _TELL_SECONDS:
            self._told = now
            self._samples.append((now, self._came))
            while len(self._samples) > 2 and now - self._samples[1][0] >= _SMOOTH_SECONDS:
                self._samples.popleft()
            self._tell(self._progress())

    def take_back(self, count: int) -> None:
        """So many bytes must come again."""
        self.done -= count

    def rest(self) -> None:
        """Time passes that says nothing of the speed."""
        self._samples.clear()

    def finish(self) -> None:
        """Tell the last word."""
        self._tell(self._progress())

    def _progress(self) -> FetchProgress:
        seconds = self._samples[-1][0] - self._samples[0][0] if self._samples else 0.0
        speed = (self._samples[-1][1] - self._samples[0][1]) / seconds if seconds > 0 else 0.0
        left = self._total - self.done
        is_sure = seconds >= _SURE_SECONDS and speed > 0
        return FetchProgress(
            job=self._job,
            file=self._file,
            done_bytes=self.done,
            total_bytes=self._total,
            bytes_per_second=speed,
            seconds_left=left / speed if is_sure else None,
            verifies=self._verifies,
        )
