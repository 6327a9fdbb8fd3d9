"""Counts the tokens of what is being typed, while the worker has nothing better to do."""

from typing import Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from app.bridge import Bridge
from app.controllers.failures import FailureReporter
from app.models.model_state import ModelState
from engine import Counted

REST_MS = 400


class CountingWorker(Protocol):
    """What counting asks of the engine's worker."""

    def count(self, texts: tuple[str, ...]) -> int:
        """Count each text's tokens; ends in Counted or Failed."""

    def cancel(self, job: int | None = None) -> None:
        """End a job soon."""


class TokenCounter(QObject):
    """Asks once typing has rested and no reply is written; a reply that begins has precedence.

    `counted` has the texts and how many tokens each is. `outdated` says that another model, with
    another tokenizer, is there.
    """

    counted = Signal(object, object)
    outdated = Signal()

    def __init__(
        self,
        worker: CountingWorker,
        bridge: Bridge,
        model: ModelState,
        failures: FailureReporter,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._worker, self._bridge = worker, bridge
        self._model, self._failures = model, failures
        self._texts: tuple[str, ...] = ()
        self._is_busy = False
        self._job: int | None = None
        self._path = model.info.path if model.info is not None else ""
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._ask)
        model.changed.connect(self._on_model_changed)

    def ask(self, texts: tuple[str, ...]) -> None:
        """Count these in place of what was asked before."""
        self._texts = texts
        if texts:
            self._rest.start()
        else:
            self._rest.stop()

    def set_running(self, owner: object | None) -> None:
        """A reply is being written, or none any more."""
        self._is_busy = owner is not None
        if self._is_busy and self._job is not None:
            self._worker.cancel(self._job)
        elif not self._is_busy and self._texts:
            self._rest.start()

    def close(self) -> None:
        """Count nothing any more."""
        self._texts = ()
        self._rest.stop()

    def _ask(self) -> None:
        if not self._is_busy and self._job is None and self._model.stage == "ready":
            self._failures.start(self._count(self._texts))

    async def _count(self, texts: tuple[str, ...]) -> None:
        """A count that failed or was cancelled leaves the estimate, which says that it is one."""
        self._job = self._worker.count(texts)
        counts: tuple[int, ...] | None = None
        try:
            async for event in self._bridge.run(self._job):
                if isinstance(event, Counted):
                    counts = event.counts
        finally:
            self._job = None
        if counts is not None:
            if self._texts == texts:
                self._texts = ()
            self.counted.emit(texts, counts)
        if self._texts and not self._is_busy and (counts is not None or self._texts != texts):
            self._rest.start()

    def _on_model_changed(self) -> None:
        path = self._model.info.path if self._model.info is not None else ""
        if self._model.stage != "ready":
            return
        if path != self._path:
            self._path = path
            self.outdated.emit()
        elif self._texts:
            self._rest.start()
