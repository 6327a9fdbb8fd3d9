"""EngineWorker: the one thread that imports and owns MLX; jobs in, frozen events out.

Nothing of MLX ever leaves this thread and nothing of it is imported before the first load; what the
thread does with a job is the `Workbench`'s.
"""

import atexit
import queue
import threading
from collections.abc import Callable
from pathlib import Path

from engine.account import Health
from engine.ending import THREAD_NAME, outlive
from engine.errors import RequestError, WorkerClosedError
from engine.events import Event
from engine.jobs import Count, Generate, Job, Load, Probe, Spell, Unload
from engine.request import GenerationRequest
from engine.workbench import Workbench


class EngineWorker:
    """Hand in jobs from any thread; read `events`. Jobs run one at a time, in order.

    Every job ends in exactly one of Loaded, Unloaded, Finished, Probed, Counted, Spelled or Failed.
    A job that fails leaves the worker ready for the next one. `close` it when done (it closes
    itself at interpreter exit).

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
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        # A signal's handler may cancel while its own thread is inside here.
        self._lock = threading.RLock()
        self._last_job = 0
        self._last_ended = 0
        self._cancelled_up_to = 0
        self._cancelled: set[int] = set()
        self._is_closed = False
        self._bench = Workbench(
            self.events.put,
            self._is_cancelled,
            reuse_budget_bytes,
            raises_wired_limit=raises_wired_limit,
        )
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

    def spell(self, asked: str | tuple[int, ...]) -> int:
        """Tell the one token that reads as a text, else those it is cut into; or what ids read as.

        Emits Spelled, or Failed; ids that the model lacks are left out.
        """
        return self._submit(lambda job: Spell(job, asked))

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
        return self._bench.health

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

    def _work(self) -> None:
        """The life of the thread."""
        while (job := self._jobs.get()) is not None:
            self.events.put(self._bench.do(job))
            with self._lock:
                self._last_ended = job.job
                self._cancelled.discard(job.job)
        self._bench.clear()
