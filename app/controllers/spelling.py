"""Asks the model's tokenizer about tokens: which one a text is, and what ids read as."""

from typing import Protocol

from PySide6.QtCore import QObject, Signal

from app.bridge import Bridge
from app.controllers.failures import FailureReporter
from app.models.model_state import ModelState
from engine import Failed, Spelled


class SpellingWorker(Protocol):
    """What spelling asks of the engine's worker."""

    def spell(self, asked: str | tuple[int, ...]) -> int:
        """Tell the tokens of a text, or what ids read as; ends in Spelled or Failed."""


class TokenSpeller(QObject):
    """The worker answers when it has nothing else to do.

    `found` has a text and its tokens, (id, what it reads as) each; `unanswered` a text and why it
    has no answer, or none yet. `named` has such tokens for ids.
    """

    found = Signal(str, object)
    unanswered = Signal(str, str)
    named = Signal(object)

    def __init__(
        self,
        worker: SpellingWorker,
        bridge: Bridge,
        model: ModelState,
        failures: FailureReporter,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._worker, self._bridge = worker, bridge
        self._model, self._failures = model, failures

    def find(self, text: str) -> None:
        """Which token this text is."""
        if self._model.stage != "ready":
            words = self.tr("A text is looked up by a model; load one, or give the token's id.")
            self.unanswered.emit(text, words)
            return
        if not self._bridge.is_idle:
            words = self.tr("The model is at work; this is looked up when it is done.")
            self.unanswered.emit(text, words)
        self._failures.start(self._find(text))

    def name(self, ids: tuple[int, ...]) -> None:
        """What these read as."""
        if self._model.stage == "ready":
            self._failures.start(self._name(ids))

    async def _find(self, text: str) -> None:
        async for event in self._bridge.run(self._worker.spell(text)):
            if isinstance(event, Spelled):
                self.found.emit(text, event.tokens)
            elif isinstance(event, Failed):
                self.unanswered.emit(text, event.sentence)

    async def _name(self, ids: tuple[int, ...]) -> None:
        """Ids whose reading fails stay what they are: ids."""
        async for event in self._bridge.run(self._worker.spell(ids)):
            if isinstance(event, Spelled):
                self.named.emit(event.tokens)
