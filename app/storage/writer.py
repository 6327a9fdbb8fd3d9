"""The one thread that writes: it takes what waits, commits it, and cleans up when it rests."""

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from app.storage import changes, index
from app.storage.cleaning import clean_deeply, clean_lightly, needs_deep_cleaning
from app.storage.kept_file import KeptFile
from app.storage.pending import Pending
from app.storage.problems import LOST, StorageError, is_index_damage, is_interruption, unwritten

OnProblem = Callable[[str | None], None]
OnBegunAnew = Callable[[str], None]

_GATHER_SECONDS = 0.1
_REST_SECONDS, _LONG_REST_SECONDS = 1.5, 5.0
_FIRST_RETRY_SECONDS, _LAST_RETRY_SECONDS, _URGENT_RETRY_SECONDS = 0.25, 15.0, 0.1
# At most, while there are words that are not on disk: a disk has room again unannounced.
_UNSAVED_RETRY_SECONDS = 1.0
log = logging.getLogger("draftscope")


class Writer:
    """Owns the writing connection from when it is made to the end of its thread."""

    def __init__(self, file: KeptFile, on_problem: OnProblem, on_begun_anew: OnBegunAnew) -> None:
        self._file, self._on_problem, self._on_begun_anew = file, on_problem, on_begun_anew
        self._is_begun_anew = False
        self._state = threading.Condition()
        self._pending = Pending()
        self._handed = self._committed = 0
        self._tidied = -1
        self._since = time.monotonic()
        self._urgent = 0
        self._deadline: float | None = None
        self._problem: str | None = None
        self._lost: str | None = None
        self._has_ended = self._has_probed = False
        self._is_index_checked, self._is_index_sound = False, True
        # A write can hang in the system for as long as it likes; it must not keep the process.
        self._thread = threading.Thread(target=self._run, name="chats", daemon=True)
        self._thread.start()

    def hand_over(self, change: Callable[[Pending], None]) -> None:
        """Add to what waits; never waits itself."""
        with self._state:
            change(self._pending)
            if self._handed == self._committed:
                self._since = time.monotonic()
            self._handed += 1
            self._state.notify_all()

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is handed over in here is committed at once."""
        with self._state:
            yield

    def flush(self, timeout: float) -> bool:
        """Wait until all handed over so far is committed, and clean where time allows."""
        end = time.monotonic() + timeout
        with self._state:
            goal = self._handed
            self._urgent += 1
            self._state.notify_all()
            try:
                self._state.wait_for(
                    lambda: self._has_ended or min(self._committed, self._tidied) >= goal,
                    max(0.0, end - time.monotonic()),
                )
            finally:
                self._urgent -= 1
            return self._committed >= goal

    def renew_index(self) -> None:
        """Have the index made anew: a search found it damaged."""
        self._doubt_index()
        self.hand_over(lambda pending: None)

    def close(self, timeout: float) -> bool:
        """Write what waits and end; whether everything was written in time."""
        with self._state:
            if self._deadline is None:
                self._deadline = time.monotonic() + timeout
            self._state.notify_all()
        self._thread.join(timeout)
        if self._thread.is_alive():
            # It may be closing the connection just now.
            with suppress(sqlite3.ProgrammingError):
                self._file.connection.interrupt()
            self._thread.join(timeout / 4)
        with self._state:
            return self._has_ended and self._handed == self._committed

    def _run(self) -> None:
        delay = 0.0
        try:
            while self._wait(delay):
                delay = self._attempt(delay)
        finally:
            self._finish()

    def _finish(self) -> None:
        self._file.connection.close()
        with self._state:
            self._has_ended = True
            is_early = self._deadline is None
            self._state.notify_all()
        if is_early:
            # Only a mistake in the program comes here; what raised it is reported by the thread.
            self._on_problem("Chats are no longer saved; start Draftscope again.")

    def _attempt(self, delay: float) -> float:
        """One turn of work; how long to wait before the next after a failure, else 0."""
        try:
            self._work()
        except Exception as error:
            if isinstance(error, sqlite3.Error) and is_interruption(error):
                return 0.0
            self._tell(unwritten(error, self._file.path.name))
            if isinstance(error, sqlite3.Error) and is_index_damage(error):
                self._doubt_index()
            if not isinstance(error, StorageError | sqlite3.Error | OSError):
                log.exception("Chats could not be saved")  # a mistake must not end all saving
        else:
            self._tell(self._lost)
            self._announce()
            return 0.0
        return min(max(delay * 2, _FIRST_RETRY_SECONDS), _LAST_RETRY_SECONDS)

    def _wait(self, delay: float) -> bool:
        """Until there is something to do, and `delay` after a failure; False at the end."""
        failed_at = time.monotonic()
        with self._state:
            while True:
                now = time.monotonic()
                if self._deadline is not None and (now >= self._deadline or self._is_tidy()):
                    return False
                is_urgent = self._urgent > 0 or self._deadline is not None
                due = self._due(is_urgent=is_urgent)
                if due is not None and delay:
                    most = _UNSAVED_RETRY_SECONDS if self._handed > self._committed else delay
                    most = _URGENT_RETRY_SECONDS if is_urgent else most
                    due = max(due, failed_at + min(delay, most))
                if due is not None and due <= now:
                    return True
                self._state.wait(None if due is None else due - now)

    def _due(self, *, is_urgent: bool) -> float | None:
        """When there is something to do next."""
        if self._is_tidy() and self._has_probed:
            return None
        if is_urgent or not self._has_probed:
            return 0.0
        if self._handed > self._committed:
            return self._since + _GATHER_SECONDS
        return self._since + _REST_SECONDS

    def _is_tidy(self) -> bool:
        return self._handed == self._committed == self._tidied

    def _work(self) -> None:
        """Commit what waits, or else clean up."""
        self._hold_file()
        if not self._is_index_checked:
            self._check_index()
        with self._state:
            batch, self._pending = self._pending, Pending()
            goal, has_news = self._handed, self._handed > self._committed
        if has_news or not self._has_probed:
            self._commit(batch, goal)
        else:
            self._tidy(goal)

    def _commit(self, batch: Pending, goal: int) -> None:
        is_written = False
        try:
            if not changes.write(self._file.connection, batch):
                self._lost = LOST
            is_written = True
        finally:
            with self._state:
                if is_written:
                    self._committed, self._since = goal, time.monotonic()
                    self._tidied = min(self._tidied, goal - 1)
                    self._has_probed = True
                else:
                    batch.absorb(self._pending)
                    self._pending = batch
                self._state.notify_all()

    def _tidy(self, goal: int) -> None:
        """Index, then clean, for as long as nothing new comes."""
        while index.put_in_some(self._file.connection):
            if self._has_news():
                return
        is_clean = clean_lightly(self._file.connection)
        if needs_deep_cleaning(self._file.connection):
            if not self._rests():
                return
            is_clean = clean_deeply(self._file.connection, self._file.path, self._has_news)
        with self._state:
            # Where another program reads the file, its log is emptied at a later rest.
            self._since = time.monotonic()
            self._tidied = goal if is_clean else goal - 1
            self._state.notify_all()

    def _rests(self) -> bool:
        """Wait for a longer rest before work by the size of the file; whether it came."""
        with self._state:
            end = self._since + _LONG_REST_SECONDS
            self._state.wait_for(
                lambda: self._urgent or self._deadline or self._handed > self._committed,
                max(0.0, end - time.monotonic()),
            )
            return self._handed == self._committed

    def _has_news(self) -> bool:
        return self._handed > self._committed or (
            self._deadline is not None and time.monotonic() >= self._deadline
        )

    def _check_index(self) -> None:
        """Before anything is taken out of the index, have it made anew where that is needed."""
        if not self._is_index_sound:
            index.forget_law(self._file.connection)
        index.hold_to_law(self._file.connection)
        self._is_index_checked = self._is_index_sound = True

    def _doubt_index(self) -> None:
        self._is_index_checked = self._is_index_sound = False

    def _hold_file(self) -> None:
        if self._file.hold(is_last_time=self._deadline is not None):
            self._is_begun_anew, self._is_index_checked = True, False
            with self._state:
                self._tidied = min(self._tidied, self._handed - 1)

    def _announce(self) -> None:
        """Ask for everything again, now that there is a file that takes it."""
        if self._is_begun_anew:
            self._is_begun_anew = False
            self._on_begun_anew(self._file.replaced())

    def _tell(self, problem: str | None) -> None:
        """Report a problem, or its end, when it is new."""
        if problem != self._problem:
            self._problem = problem
            self._on_problem(problem)
