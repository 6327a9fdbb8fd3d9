"""EngineWorker: the one thread that imports and owns MLX; jobs in, frozen events out.

MLX's streams and random state belong to a thread, and arrays must be dropped where they were made,
so nothing of MLX ever leaves this thread and nothing of it is imported before the first load.
"""

import atexit
import gc
import queue
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from engine.ending import THREAD_NAME, outlive
from engine.errors import EngineError, ModelError, RequestError, TraceError, WorkerClosedError
from engine.events import (
    Event,
    Failed,
    Finished,
    Health,
    Loaded,
    LoadProgress,
    Notice,
    Unloaded,
)
from engine.request import GenerationRequest
from engine.trace import TraceWriter

if TYPE_CHECKING:
    from engine.model.load import LoadedModel


@dataclass(frozen=True, slots=True)
class _Load:
    job: int
    name: str


@dataclass(frozen=True, slots=True)
class _Generate:
    job: int
    request: GenerationRequest
    trace: Path | None


@dataclass(frozen=True, slots=True)
class _Unload:
    job: int


_Job = _Load | _Generate | _Unload


class EngineWorker:
    """Hand in jobs from any thread; read `events`. Jobs run one at a time, in order.

    Every job ends in exactly one of Loaded, Unloaded, Finished or Failed. A job that fails leaves
    the worker ready for the next one. `close` it when done (it closes itself at interpreter exit).
    """

    def __init__(self) -> None:
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._last_job = 0
        self._last_ended = 0
        self._cancelled_up_to = 0
        self._cancelled: set[int] = set()
        self._is_closed = False
        self._health: Health | None = None
        self._model: LoadedModel | None = None
        # A daemon, so that a forgotten worker cannot keep the process alive; `close` joins it.
        self._thread = threading.Thread(target=self._work, name=THREAD_NAME, daemon=True)
        self._thread.start()
        atexit.register(self.close)

    @property
    def is_alive(self) -> bool:
        """Whether the worker's thread is running."""
        return self._thread.is_alive()

    def load(self, name: str) -> int:
        """Load a model by folder, name or "demo", unloading first what is loaded.

        Emits LoadProgress and Loaded, or Failed; after Failed no model is loaded.
        """
        return self._submit(lambda job: _Load(job, name))

    def generate(self, request: GenerationRequest, trace: Path | None = None) -> int:
        """Generate a reply with the loaded model, writing its trace where asked."""
        return self._submit(lambda job: _Generate(job, request, trace))

    def unload(self) -> int:
        """Unload the model; when Unloaded comes, its memory is back."""
        return self._submit(_Unload)

    def cancel(self, job: int | None = None) -> None:
        """Cancel a running or waiting job, or all of them; from any thread, within one step."""
        with self._lock:
            if job is None:
                self._cancelled_up_to = self._last_job
            elif self._last_ended < job <= self._last_job:
                self._cancelled.add(job)

    def health(self) -> Health | None:
        """The engine's account of the last finished reply, None before there was one."""
        return self._health

    def close(self, timeout: float = 3.0) -> None:
        """Cancel everything, unload, end the thread; waits up to `timeout` seconds. Repeatable."""
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                self._jobs.put(None)
        atexit.unregister(self.close)
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout)
            if not self._thread.is_alive():
                outlive(self._thread)

    def _submit(self, make: Callable[[int], _Job]) -> int:
        with self._lock:
            if self._is_closed:
                raise WorkerClosedError("The engine was closed; start a new one.")
            self._last_job += 1
            self._jobs.put(make(self._last_job))
            return self._last_job

    def _is_cancelled(self, job: int) -> bool:
        return self._is_closed or job <= self._cancelled_up_to or job in self._cancelled

    # From here on everything runs on the worker's own thread.

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            self.events.put(self._outcome(job))
            with self._lock:
                self._last_ended = job.job
                self._cancelled.discard(job.job)
        self._release()

    def _outcome(self, job: _Job) -> Event:
        """Run a job to its last event, whatever happens: the one boundary for unforeseen errors."""
        try:
            return self._run(job)
        except EngineError as error:
            return Failed(job.job, error.sentence, error.details)
        except BaseException as error:  # noqa: BLE001 - re-emitted; a Rust panic is no Exception
            cause = " ".join(str(error).split()) or "no message"
            sentence = f"Something went wrong inside the engine: {type(error).__name__}, {cause}"
            return Failed(job.job, sentence, traceback.format_exc())

    def _run(self, job: _Job) -> Event:
        if isinstance(job, _Unload):
            self._release()
            return Unloaded(job.job)
        if self._is_cancelled(job.job):
            raise RequestError("Cancelled before it began.")
        return self._load(job) if isinstance(job, _Load) else self._generate(job)

    def _load(self, job: _Load) -> Event:
        self._release()
        self.events.put(LoadProgress(job.job, "starting the engine", 0.0))
        from engine.model.load import LoadCancelled, load

        try:
            self._model = load(
                job.name,
                on_progress=lambda stage, share: self.events.put(
                    LoadProgress(job.job, stage, share)
                ),
                is_cancelled=lambda: self._is_cancelled(job.job),
            )
        except LoadCancelled as error:
            raise ModelError("Loading was cancelled; no model is loaded.") from error
        return Loaded(job.job, self._model.info)

    def _generate(self, job: _Generate) -> Event:
        if self._model is None:
            raise RequestError("No model is loaded; load one first.")
        from engine.generate import generate

        finished: Finished | None = None
        with _Tracing(job.trace) as tracing:
            for event in generate(
                self._model,
                job.request,
                job=job.job,
                is_cancelled=lambda: self._is_cancelled(job.job),
            ):
                if (lost := tracing.write(event)) is not None:
                    self.events.put(Notice(job.job, lost))
                # The last event waits until the trace is closed and the caches are let go.
                if isinstance(event, Finished):
                    finished = event
                else:
                    self.events.put(event)
        if finished is None:
            raise RequestError("The reply ended without an end; please report this.")
        self._health = finished.health
        return finished

    def _release(self) -> None:
        """Drop every reference to the model here, on its own thread, and give its memory back."""
        if self._model is None:
            return
        self._model = None
        gc.collect()
        import mlx.core as mx

        mx.clear_cache()


class _Tracing:
    """The trace of one reply, if one was asked for; a full disk must not cost the reply."""

    def __init__(self, path: Path | None) -> None:
        self._writer = TraceWriter(path) if path is not None else None

    def write(self, event: Event) -> str | None:
        """Write the event; a sentence when the trace ends here because it cannot be written."""
        if self._writer is None:
            return None
        try:
            self._writer.write(event)
        except TraceError as error:
            self.close()
            return f"The rest of the trace is lost: {error.sentence}"
        return None

    def close(self) -> None:
        """Close the file; a failure to close was already said by `write`."""
        if self._writer is not None:
            with suppress(TraceError):
                self._writer.close()
            self._writer = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
