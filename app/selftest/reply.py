"""A worker used in turns: one job at a time, with an end to patience."""

import queue
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from app.selftest.check import CheckError
from engine import (
    Event,
    Failed,
    Finished,
    GenerationRequest,
    Loaded,
    ModelInfo,
    Started,
    Stepped,
    StepRecord,
)

PATIENCE_SECONDS = 60.0
_LAST = (Loaded, Finished, Failed)


class Worker(Protocol):
    """What is needed of the engine's worker."""

    @property
    def events(self) -> "queue.SimpleQueue[Event]":
        """Every event, in order."""

    def load(self, name: str) -> int:
        """Load a model."""

    def generate(self, request: GenerationRequest, trace: Path | None = None) -> int:
        """Generate a reply."""

    def close(self, timeout: float = 3.0) -> None:
        """End the thread."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A finished reply."""

    started: Started
    steps: tuple[StepRecord, ...]
    finished: Finished

    @property
    def ids(self) -> tuple[int, ...]:
        """Every token, the one that stopped it included."""
        return tuple(token for step in self.steps for token in step.emitted)

    @property
    def margins(self) -> tuple[float, ...]:
        """By how many logits each token won."""
        return tuple(margin for step in self.steps for margin in step.margins or ())


class Talk:
    """Asks a worker, and waits for the end of what it asked."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def load(self, name: str) -> ModelInfo:
        """Load a model; `CheckError` where that fails."""
        event = self._ended(self._worker.load(name))[-1]
        if not isinstance(event, Loaded):
            raise CheckError("the engine ended another job")
        return event.model

    def reply(self, request: GenerationRequest, trace: Path | None = None) -> Reply:
        """Generate a reply; `CheckError` where that fails."""
        events = self._ended(self._worker.generate(request, trace))
        starts = [event for event in events if isinstance(event, Started)]
        steps = tuple(event.record for event in events if isinstance(event, Stepped))
        end = events[-1]
        if not starts or not steps or not isinstance(end, Finished):
            raise CheckError("the reply has no beginning, no step, or no end")
        return Reply(starts[0], steps, end)

    def _ended(self, job: int) -> list[Event]:
        """All events of a job."""
        events: list[Event] = []
        end = time.monotonic() + PATIENCE_SECONDS
        while not events or not isinstance(events[-1], _LAST):
            try:
                event = self._worker.events.get(timeout=max(end - time.monotonic(), 0.01))
            except queue.Empty as error:
                raise CheckError(f"no answer within {PATIENCE_SECONDS:.0f} seconds") from error
            if event.job == job:
                events.append(event)
        last = events[-1]
        if isinstance(last, Failed):
            raise CheckError(last.sentence)
        return events
