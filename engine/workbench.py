"""The worker's own thread at work: what each job asks for, done on the loaded model.

MLX's streams and random state belong to a thread, and arrays must be dropped where they were made:
whoever makes a workbench uses it on one thread, from the first job to the last `clear`.
"""

import gc
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.account import Health
from engine.errors import EngineError, RequestError
from engine.events import (
    Counted,
    Event,
    Failed,
    Finished,
    Loaded,
    LoadProgress,
    Notice,
    Probed,
    Spelled,
    Unloaded,
)
from engine.jobs import Count, Generate, Job, Load, Probe, Spell, Unload
from engine.model.heap import release_free_memory
from engine.model.hub_address import settle_hub_address
from engine.tracing import Tracing

if TYPE_CHECKING:
    from engine.model.loaded_model import LoadedModel
    from engine.model.wired import WiredLimit


class Workbench:
    """Holds the model. `tell` takes every event but a job's last, which `do` gives back.

    `health` is the account of the last finished reply. For the rest see `EngineWorker`.
    """

    def __init__(
        self,
        tell: Callable[[Event], None],
        is_cancelled: Callable[[int], bool],
        reuse_budget_bytes: int | None,
        *,
        raises_wired_limit: bool,
    ) -> None:
        self._tell, self._is_cancelled = tell, is_cancelled
        self._reuse_budget_bytes = reuse_budget_bytes
        self._raises_wired_limit = raises_wired_limit
        self.health: Health | None = None
        self.model: LoadedModel | None = None
        self._wired: WiredLimit | None = None
        self._has_begun = False  # whether MLX was imported

    def do(self, job: Job) -> Event:
        """Do a job, whatever happens; its last event."""
        outcome = self._outcome(job)
        if isinstance(job, Load) and isinstance(outcome, Failed):
            self.clear()  # of what was read nothing is held any more
        return outcome

    def clear(self) -> None:
        """Drop every reference to the model, and give its memory back."""
        self.model = None
        if not self._has_begun:
            return
        # A front with widgets turns automatic collection off and collects on its own thread, since
        # they must not die on this one. A model is in no cycle and goes without.
        if gc.isenabled():
            gc.collect()
        import mlx.core as mx

        # Layers are built with random weights that a loaded model never keeps. Each draw lengthens
        # the chain behind the random state, 0.4 MB a load, until somebody evaluates it.
        mx.eval(mx.random.state)
        mx.clear_cache()
        if self._wired is not None:
            self._wired.give_back()
            self._wired = None
        release_free_memory()

    def _outcome(self, job: Job) -> Event:
        """The one boundary for unforeseen errors."""
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
            self.clear()
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
            case Spell():
                return self._spell(job)

    def _load(self, job: Load) -> Event:
        self.clear()
        self._tell(LoadProgress(job.job, "starting the engine", 0.0))
        settle_hub_address()
        from engine.model.loading import load_telling

        self._has_begun = True
        loaded = load_telling(job, self._tell, lambda: self._is_cancelled(job.job))
        if isinstance(loaded, Failed):
            return loaded
        self.model = loaded
        if self._reuse_budget_bytes is not None:
            self.model.prefixes.resize(self._reuse_budget_bytes)
        if self._raises_wired_limit:
            from engine.model.wired import WiredLimit

            self._wired = WiredLimit()
            self._wired.raise_to_recommended()
        return Loaded(job.job, self.model.info)

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
                    self._tell(Notice(job.job, lost))
                # The last event waits until the trace is closed and the caches are let go.
                if isinstance(event, Finished):
                    finished = event
                else:
                    self._tell(event)
        if finished is None:
            raise RequestError("The reply ended without an end; report this.")
        self.health = finished.health
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

    def _spell(self, job: Spell) -> Event:
        model, asked = self._loaded(), job.asked
        if isinstance(asked, str):
            ids = model.words.tokens(asked)
        else:
            ids = tuple(each for each in asked if 0 <= each < model.info.vocabulary_size)
        return Spelled(job.job, tuple((each, model.words.word(each)) for each in ids))

    def _loaded(self) -> "LoadedModel":
        if self.model is None:
            raise RequestError("No model is loaded; load one first.")
        return self.model
