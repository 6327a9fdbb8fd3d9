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
from pathlib import Path
from typing import TYPE_CHECKING

from engine.ending import THREAD_NAME, outlive
from engine.errors import EngineError, RequestError, WorkerClosedError
from engine.events import (
    Counted,
    Event,
    Failed,
    Finished,
    Health,
    Loaded,
    LoadProgress,
    Notice,
    Probed,
    Unloaded,
)
from engine.jobs import Count, Generate, Job, Load, Probe, Unload
from engine.model.hub_address import settle_hub_address
from engine.request import GenerationRequest
from engine.tracing import Tracing

if TYPE_CHECKING:
    from engine.model.load import LoadedModel
    from engine.model.wired import WiredLimit


class EngineWorker:
    """Hand in jobs from any thread; read `events`. Jobs run one at a time, in order.

    Every job ends in exactly one of Loaded, Unloaded, Finished, Probed, Counted or Failed. A job
    that fails leaves the worker ready for the next one. `close` it when done (it closes itself at
    interpreter exit).

    `reuse_budget_bytes` is how much memory the caches of earlier replies may take, so that later
    ones need not begin anew: None is 2 GB or an eighth of the machine's memory, 0 keeps nothing.
    `raises_wired_limit` lets the GPU keep as much memory in place as the system recommends while a
    model is loaded; otherwise that limit of the process is never touched.
    """

    def __init__(
        self, reuse_budget_bytes: int | None = None, *, raises_wired_limit: bool = False
    ) -> None:
        if reuse_budget_bytes is not None and reuse_budget_bytes < 0:
            raise RequestError("The memory for reuse is negative; use 0 to keep nothing.")
        self._reuse_budget_bytes = reuse_budget_bytes
        self._raises_wired_limit = raises_wired_limit
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._last_job = 0
        self._last_ended = 0
        self._cancelled_up_to = 0
        self._cancelled: set[int] = set()
        self._is_closed = False
        self._health: Health | None = None
        self._model: LoadedModel | None = None
        self._wired: WiredLimit | None = None
        self._has_begun = False  # whether MLX was imported
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

        Emits LoadProgress and Loaded, or Failed; after Failed no model is loaded and all memory is
        back. A cancel is seen within about 0.1 s while weights are read.
        """
        return self._submit(lambda job: Load(job, name))

    def generate(
        self, request: GenerationRequest, trace: Path | None = None, *, is_reference: bool = False
    ) -> int:
        """Generate a reply with the loaded model, writing its trace where asked.

        `is_reference` decodes with mlx-lm's own loop instead of ours, to compare with.
        """
        return self._submit(lambda job: Generate(job, request, trace, is_reference))

    def probe(self) -> int:
        """Measure the loaded model anew: blocks against single tokens. Emits Probed."""
        return self._submit(Probe)

    def count(self, texts: tuple[str, ...]) -> int:
        """Count each text's tokens with the loaded model's tokenizer, no special ones added.

        Emits Counted, or Failed; a cancel is seen within 32,000 characters.
        """
        return self._submit(lambda job: Count(job, texts))

    def unload(self) -> int:
        """Unload the model; when Unloaded comes, its memory is back."""
        return self._submit(Unload)

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

    def _submit(self, make: Callable[[int], Job]) -> int:
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
            outcome = self._outcome(job)
            if isinstance(job, Load) and isinstance(outcome, Failed):
                self._release()  # of what was read nothing is held any more
            self.events.put(outcome)
            with self._lock:
                self._last_ended = job.job
                self._cancelled.discard(job.job)
        self._release()

    def _outcome(self, job: Job) -> Event:
        """Run a job to its last event, whatever happens: the one boundary for unforeseen errors."""
        try:
            return self._run(job)
        except EngineError as error:
            return Failed(job.job, error.sentence, error.details, error.kind)
        except BaseException as error:  # noqa: BLE001 - re-emitted; a Rust panic is no Exception
            cause = " ".join(str(error).split()) or "no message"
            sentence = f"Something went wrong inside the engine: {type(error).__name__}, {cause}"
            return Failed(job.job, sentence, traceback.format_exc())

    def _run(self, job: Job) -> Event:
        if isinstance(job, Unload):
            self._release()
            return Unloaded(job.job)
        if self._is_cancelled(job.job):
            if isinstance(job, Load):
                return Failed(job.job, "Cancelled before it began.", kind="cancelled")
            raise RequestError("Cancelled before it began.")
        match job:
            case Load():
                return self._load(job)
            case Generate():
                return self._generate(job)
            case Probe():
                return self._probe(job)
            case Count():
                return self._count(job)

    def _load(self, job: Load) -> Event:
        self._release()
        self.events.put(LoadProgress(job.job, "starting the engine", 0.0))
        settle_hub_address()
        from engine.model.loading import load_telling

        self._has_begun = True
        loaded = load_telling(job, self.events.put, lambda: self._is_cancelled(job.job))
        if isinstance(loaded, Failed):
            return loaded
        self._model = loaded
        if self._reuse_budget_bytes is not None:
            self._model.prefixes.resize(self._reuse_budget_bytes)
        if self._raises_wired_limit:
            from engine.model.wired import WiredLimit

            self._wired = WiredLimit()
            self._wired.raise_to_recommended()
        return Loaded(job.job, self._model.info)

    def _generate(self, job: Generate) -> Event:
        from engine.generate import generate
        from engine.reference import reference

        decode = reference if job.is_reference else generate
        finished: Finished | None = None
        with Tracing(job.trace) as tracing:
            for event in decode(
                self._loaded(),
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

    def _probe(self, job: Probe) -> Event:
        from engine.model.probe import probe

        model = self._loaded()
        model.probe = probe(model, is_cancelled=lambda: self._is_cancelled(job.job))
        return Probed(job.job, model.probe)

    def _count(self, job: Count) -> Event:
        model = self._loaded()
        from engine.model.token_count import count_tokens

        def look() -> None:
            if self._is_cancelled(job.job):
                raise RequestError("Counting was cancelled.")

        counts = tuple(count_tokens(model.tokenizer, text, look) for text in job.texts)
        return Counted(job.job, counts)

    def _loaded(self) -> "LoadedModel":
        if self._model is None:
            raise RequestError("No model is loaded; load one first.")
        return self._model

    def _release(self) -> None:
        """Drop every reference to the model here, on its own thread, and give its memory back."""
        self._model = None
        if not self._has_begun:
            return
        # A front with widgets turns automatic collection off and collects on its own thread, since
        # they must not die on this one. A model is in no cycle and goes without.
        if gc.isenabled():
            gc.collect()
        import mlx.core as mx

        mx.clear_cache()
        if self._wired is not None:
            self._wired.give_back()
            self._wired = None
