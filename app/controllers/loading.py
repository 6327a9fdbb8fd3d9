"""Loads and unloads the model: one at a time, on request, and by itself when nothing is asked."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app.bridge import Bridge, Worker
from app.controllers.failures import FailureReporter
from app.models.model_state import ModelState
from engine import DEMO, EngineError, Event, Failed

MS_PER_MINUTE = 60_000


class Marking(Protocol):
    """What is left behind on disk while a model is in use; each returns a sentence if it failed."""

    def put(self, target: str) -> str | None:
        """A model is about to be loaded."""

    def remove(self) -> str | None:
        """None is in use any more."""


class ModelLoader(QObject):
    """The only writer of the model's state.

    `leaving` is emitted before the model goes, so that what runs on it can be ended. `loaded` has
    what a model was loaded by, `unloaded` comes when none is there any more, `said` is a sentence
    on what could not be done. `missing` has what a model was to be loaded by and is not there any
    more; the loaded one stays then. `context_of` is asked for the most tokens to use of a model's
    context where a load does not say, `is_here` whether a model is there at all, `reason_of` why
    one could not be loaded, where more is known than its files say. `freed` comes after a reply.
    """

    leaving = Signal()
    loaded = Signal(str)
    unloaded = Signal()
    said = Signal(str)
    missing = Signal(str)
    freed = Signal()

    def __init__(
        self,
        worker: Worker,
        bridge: Bridge,
        model: ModelState,
        failures: FailureReporter,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._worker, self._bridge = worker, bridge
        self._model, self._failures = model, failures
        self.marker: Marking | None = None
        self.context_of: Callable[[str], int | None] = lambda _target: None
        self.is_here: Callable[[str], bool] = lambda _target: True
        self.reason_of: Callable[[str], str] = lambda _target: ""
        self._job: int | None = None
        self._has_complained = self._is_busy = self._is_closed = False
        self._idle = QTimer(self)
        self._idle.setSingleShot(True)
        self._idle.timeout.connect(self._rest)

    @property
    def is_busy(self) -> bool:
        """Whether a reply is being written."""
        return self._is_busy

    @property
    def idle_minutes(self) -> float:
        """After how long without a reply the model is unloaded; 0 is never."""
        return self._idle.interval() / MS_PER_MINUTE

    def set_idle_minutes(self, minutes: float) -> None:
        """Unload after so long without a reply; 0 is never."""
        self._idle.setInterval(round(minutes * MS_PER_MINUTE))
        self._watch()

    def set_running(self, owner: object | None) -> None:
        """A reply is being written, or none any more."""
        was_busy, self._is_busy = self._is_busy, owner is not None
        self._watch()
        if was_busy and not self._is_busy:
            self.freed.emit()

    def start(self, target: str, context: int | None = None) -> None:
        """Load a model as a task of its own."""
        self._failures.start(self.load(target, context))

    def start_unload(self) -> None:
        """Unload as a task of its own."""
        self._failures.start(self.unload())

    def reload(self) -> None:
        """Load once more what could not be loaded, or was unloaded."""
        if self._model.name:
            self.start(self._model.name, self._model.context)

    async def load(self, target: str, context: int | None = None) -> None:
        """Load a model in place of the one that is loaded; the outcome is in the model's state.

        What is loaded already stays, and so does what runs on it.
        """
        chosen = self.context_of(target) if context is None else context
        if self._model.stage == "ready" and self._model.name == target:
            self._model.set_context(chosen)
            return
        if self._is_missing(target):
            return
        self.leaving.emit()
        self.cancel()
        await self._load(target, chosen)

    async def wake(self) -> None:
        """Load the model again that only rests."""
        if self._model.is_resting:
            await self._load(self._model.name, self._model.context)

    async def unload(self) -> None:
        """Let the model go; its memory is back when this returns."""
        self.leaving.emit()
        self.cancel()
        self._model.is_resting = False
        await self._unload()

    def cancel(self) -> None:
        """End loading; no model is loaded then."""
        if self._job is not None and self._model.stage == "loading":
            self._worker.cancel(self._job)

    def close(self) -> None:
        """The app ends, and ends well: nothing runs by itself any more, no mark is left."""
        self._is_closed = True
        self._idle.stop()
        self._unmark()

    def _is_missing(self, target: str) -> bool:
        """Whether a model is gone that was to take the place of another: that one stays."""
        model = self._model
        has_another = model.name != target and (model.can_answer or model.stage == "loading")
        if not has_another or self.is_here(target):
            return False
        words = self.tr("{0} is not on this machine any more; {1} stays in use.")
        self.said.emit(words.format(model.title_of(target), model.label))
        self.missing.emit(target)
        return True

    async def _load(self, target: str, context: int | None) -> None:
        self._mark(target)
        self._model.begin(target, context)
        await self._run(lambda: self._worker.load(target))

    async def _unload(self) -> None:
        await self._run(self._worker.unload)

    async def _run(self, begin: Callable[[], int]) -> None:
        """Write what a job says into the state, unless a later one was begun meanwhile."""
        try:
            self._job = job = begin()
        except EngineError as error:
            self._job = None
            self._model.apply(Failed(0, error.sentence, error.details, error.kind))
            return
        async for event in self._bridge.run(job):
            if self._job == job:
                self._model.apply(self._explained(event))
        if self._job == job:
            self._job = None
            self._settle()

    def _explained(self, event: Event) -> Event:
        """A failure with the reason that is known; what its files say is in its details then."""
        model = self._model
        if not isinstance(event, Failed) or event.kind == "cancelled" or model.stage != "loading":
            return event
        why = self.reason_of(model.name)
        details = "\n".join(filter(None, (event.sentence, event.details)))
        return replace(event, sentence=why, details=details) if why else event

    def _settle(self) -> None:
        """After the last job: what is there now."""
        if self._model.stage == "ready":
            self.loaded.emit(self._model.name)
        else:
            self._unmark()
            self.unloaded.emit()
        self._watch()

    def _rest(self) -> None:
        if self._model.stage == "ready" and not self._is_busy:
            self._model.rest()
            self._failures.start(self._unload_resting())

    async def _unload_resting(self) -> None:
        # What was asked in the same turn may have begun to load it again.
        if self._model.is_resting:
            await self._unload()

    def _watch(self) -> None:
        """Count the time while a model is there and nothing is asked of it."""
        is_idle = self._model.stage == "ready" and not self._is_busy and not self._is_closed
        if is_idle and self._idle.interval():
            self._idle.start()
        else:
            self._idle.stop()

    def _mark(self, target: str) -> None:
        if self.marker is not None:
            self._complain(self.marker.remove() if target == DEMO else self.marker.put(target))

    def _unmark(self) -> None:
        if self.marker is not None:
            self._complain(self.marker.remove())

    def _complain(self, sentence: str | None) -> None:
        """Once; a folder that cannot be written stays like that."""
        if sentence and not self._has_complained:
            self._has_complained = True
            self.said.emit(sentence)
