"""Stopping what blocks: a sign for the thread that works, and waits that heed it."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from app.fetching.found import FetchError

_SLICE_SECONDS = 0.1

Result = TypeVar("Result")


class HaltedError(Exception):
    """The work was called off."""


class Halt:
    """Set once, from any thread; the working thread checks it, and waits on nothing else."""

    def __init__(self) -> None:
        self._event = threading.Event()

    @property
    def is_set(self) -> bool:
        """Whether the work is called off."""
        return self._event.is_set()

    def set(self) -> None:
        """Call the work off."""
        self._event.set()

    def check(self) -> None:
        """HaltedError where the work is called off."""
        if self._event.is_set():
            raise HaltedError

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        if self._event.wait(seconds):
            raise HaltedError

    def run(
        self,
        call: Callable[[], Result],
        give_up: Callable[[Result], object] = lambda _: None,
        tick: Callable[[], object] = lambda: None,
    ) -> Result:
        """What `call` returns, without being held up by it; `tick` is called while it waits.

        A name that is looked up, or a server that does not answer, cannot be interrupted. So that
        is waited for on a thread of its own, which is left to its time limit when the work is
        called off; a result that comes too late goes to `give_up`.
        """
        self.check()
        errand = _Errand(call, give_up)
        threading.Thread(target=errand.run, name="fetch-errand", daemon=True).start()
        while not errand.is_done.wait(_SLICE_SECONDS):
            if self._event.is_set() and errand.abandon():
                raise HaltedError
            tick()
        return errand.result()


class _Errand(Generic[Result]):
    def __init__(self, call: Callable[[], Result], give_up: Callable[[Result], object]) -> None:
        self._call, self._give_up = call, give_up
        self._lock = threading.Lock()
        self._is_abandoned = False
        self._results: list[Result] = []
        self._error: FetchError | None = None
        self.is_done = threading.Event()

    def run(self) -> None:
        try:
            self._results.append(self._call())
        except FetchError as error:
            self._error = error
        finally:
            with self._lock:
                self.is_done.set()
            if self._is_abandoned and self._results:
                self._give_up(self._results.pop())

    def abandon(self) -> bool:
        """Whether it came in time to do so."""
        with self._lock:
            self._is_abandoned = not self.is_done.is_set()
            return self._is_abandoned

    def result(self) -> Result:
        if self._error is not None:
            raise self._error
        if not self._results:  # a bug, told by the thread's own hook
            raise FetchError("server", "The hub's answer cannot be read; try again later.")
        return self._results[0]
