"""Runs requests on the worker, one at a time, and lets a reply grow by what comes of each."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.bridge import Bridge, Worker
from app.controllers.loading import ModelLoader
from app.models.model_state import ModelState
from app.models.reply import Reply
from engine import EngineError, Event, Failed, GenerationRequest


class ReplyRunner(QObject):
    """`running_changed` has who asked for what runs, None when nothing does any more."""

    running_changed = Signal(object)

    def __init__(
        self,
        worker: Worker,
        bridge: Bridge,
        model: ModelState,
        loader: ModelLoader,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._worker, self._bridge = worker, bridge
        self._model, self._loader = model, loader
        self._owner: object | None = None
        # None while the model of what runs is loaded again first.
        self._job: int | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a reply is being written."""
        return self._owner is not None

    def stop(self) -> None:
        """End the running reply; what was written stays."""
        if self._job is not None:
            self._worker.cancel(self._job)
        elif self.is_busy:
            self._loader.cancel()

    async def run(
        self,
        reply: Reply,
        owner: object,
        publish: Callable[[], None],
        trace: Path | None = None,
        *,
        request: GenerationRequest | None = None,
        told: Callable[[Event], Event | None] = lambda event: event,
    ) -> None:
        """Run a request, a reply's own if none is given; the reply grows by what is `told` to it.

        `publish` is called once per turn of the loop. `owner` is what the window is told to be
        running: an exchange, or whatever else asked. Every outcome ends up in the reply.
        """
        asked = request or reply.request
        assert asked is not None

        def hear(event: Event) -> None:
            heard = told(event)
            if heard is not None:
                reply.apply(heard)

        self._set_owner(owner)
        try:
            failure = await self._wake()
            if failure is not None:
                hear(failure)
                return
            try:
                self._job = self._worker.generate(asked, trace)
            except EngineError as error:
                hear(Failed(0, error.sentence, error.details, error.kind))
                return
            events = self._bridge.run(self._job)
            async for event in events:
                hear(event)
                if events.will_wait:
                    publish()
        finally:
            self._job = None
            self._set_owner(None)
            publish()

    async def _wake(self) -> Failed | None:
        """Load the model again that was unloaded for want of work; why it is not there."""
        if not self._model.is_resting:
            return None
        asked = self._model.name
        await self._loader.wake()
        # Another one may have been chosen meanwhile; it did not get this question.
        if self._model.stage == "ready" and self._model.name == asked:
            return None
        missing = self.tr("No model is loaded; load one and try again.")
        return self._model.failure or Failed(0, missing)

    def _set_owner(self, owner: object | None) -> None:
        self._owner = owner
        self.running_changed.emit(owner)
