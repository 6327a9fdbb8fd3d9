"""The one way from the worker's thread to the event loop: drained by a timer, bounded per turn.

The worker puts frozen events into a queue. A timer on the UI side takes them out, never for longer
than a slice of a frame, and hands each to whoever listens to its job. No Qt signal per event.
"""

import asyncio
from collections import deque
from pathlib import Path
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer

from app.pace import beat_ms
from engine import (
    Counted,
    Event,
    Failed,
    Finished,
    GenerationRequest,
    Health,
    Loaded,
    Probed,
    Spelled,
    Unloaded,
)

TICK_MS = 16
SLICE_SECONDS = 0.004
_CHECK_EVERY = 64
_LAST = (Loaded, Unloaded, Finished, Probed, Counted, Spelled, Failed)


class Worker(Protocol):
    """What the app asks of the engine's worker (and of the scripted one in tests)."""

    @property
    def events(self) -> SimpleQueue[Event]:
        """Every event, in order; the only way out."""

    def load(self, name: str) -> int:
        """Load a model; ends in Loaded or Failed."""

    def unload(self) -> int:
        """Let the model go; ends in Unloaded."""

    def generate(self, request: GenerationRequest, trace: Path | None = None) -> int:
        """Generate a reply; ends in Finished or Failed."""

    def count(self, texts: tuple[str, ...]) -> int:
        """Count the tokens of texts; ends in Counted or Failed."""

    def spell(self, asked: str | tuple[int, ...]) -> int:
        """Tell the tokens of a text, or what ids read as; ends in Spelled or Failed."""

    def cancel(self, job: int | None = None) -> None:
        """End a job soon; any thread."""

    def health(self) -> Health | None:
        """The last run's account."""

    def close(self, timeout: float = 3.0) -> None:
        """End the thread."""


class JobEvents:
    """The events of one job, for `async for`; ends after the job's last event."""

    def __init__(self) -> None:
        self._ready: deque[Event] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._is_over = False
        self._turn_ends = 0.0

    @property
    def will_wait(self) -> bool:
        """Whether asking for the next event gives the event loop a turn first."""
        return not self._ready or perf_counter() > self._turn_ends

    def put(self, event: Event) -> None:
        """Hand over one event; called by the bridge."""
        self._ready.append(event)

    def wake(self) -> None:
        """Let a waiting listener go on; called by the bridge once per turn."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def __aiter__(self) -> "JobEvents":
        return self

    async def __anext__(self) -> Event:
        if self._is_over:
            raise StopAsyncIteration
        if self.will_wait:
            await self._turn()
        event = self._ready.popleft()
        self._is_over = isinstance(event, _LAST)
        return event

    async def _turn(self) -> None:
        if self._ready:
            await asyncio.sleep(0)
        while not self._ready:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        self._turn_ends = perf_counter() + SLICE_SECONDS


class Bridge(QObject):
    """Drains the worker's queue while any job is open, and sleeps otherwise."""

    def __init__(self, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._events = worker.events
        self._jobs: dict[int, JobEvents] = {}
        # Between two drains that found something: what streams is painted on this beat.
        self._beat_ms = beat_ms("")
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.drain)

    @property
    def is_idle(self) -> bool:
        """Whether no job is open."""
        return not self._jobs

    def run(self, job: int) -> JobEvents:
        """The events of a job just handed to the worker."""
        events = JobEvents()
        self._jobs[job] = events
        self._timer.start(TICK_MS)
        return events

    def close(self) -> None:
        """Listen no longer."""
        self._timer.stop()
        self._jobs.clear()

    def drain(self) -> None:
        """Move what is there to the listeners, for at most one slice of time."""
        take, jobs = self._events.get_nowait, self._jobs
        ends, touched, is_behind = perf_counter() + SLICE_SECONDS, set(), True
        try:
            while perf_counter() < ends:
                for _ in range(_CHECK_EVERY):
                    event = take()
                    listener = jobs.get(event.job)
                    if listener is None:
                        continue
                    listener.put(event)
                    touched.add(listener)
                    if isinstance(event, _LAST):
                        del jobs[event.job]
                    if isinstance(event, Loaded):
                        self._beat_ms = beat_ms(event.model.device)
        except Empty:
            is_behind = False
        for listener in touched:
            listener.wake()
        interval = self._beat_ms if touched and not is_behind else TICK_MS
        if not jobs:
            self._timer.stop()
        elif interval != self._timer.interval():
            self._timer.setInterval(interval)
