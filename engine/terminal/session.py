"""One model and its worker for the length of a command: replies as values, failures as errors."""

import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import Empty
from types import TracebackType
from typing import Self

from engine import (
    EngineError,
    EngineWorker,
    Event,
    Failed,
    Finished,
    GenerationRequest,
    Loaded,
    LoadProgress,
    ModelInfo,
    Notice,
    Origin,
    PrefillProgress,
    Probe,
    Probed,
    SpeculationChanged,
    Started,
    Stepped,
    StepRecord,
    TextSpan,
)
from engine.terminal import output

ALIVE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Reply:
    """A finished reply: how it started, each step, the end, and what was said on the way."""

    started: Started
    records: tuple[StepRecord, ...]
    finished: Finished
    notices: tuple[str, ...] = ()
    changes: tuple[SpeculationChanged, ...] = ()

    @property
    def ids(self) -> tuple[int, ...]:
        """Every emitted token, the stop token included."""
        return tuple(token for record in self.records for token in record.emitted)

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Where each token of `ids` came from."""
        return tuple(origin for record in self.records for origin in record.origins)

    @property
    def text(self) -> str:
        """The text of the reply."""
        spans = (span for record in self.records for span in record.spans)
        return "".join(span.text for span in (*spans, *self.finished.tail))


class Session:
    """An EngineWorker used in turns; a context manager that stops what runs and ends its thread."""

    def __init__(self, worker: EngineWorker | None = None) -> None:
        self._worker = worker or EngineWorker()

    def load(self, name: str) -> ModelInfo:
        """Load a model; raises EngineError with the worker's sentence."""
        job = self._worker.load(name)
        while True:
            event = self._next(job)
            if isinstance(event, LoadProgress):
                output.progress(f"Loading {name}: {event.stage} {event.fraction:.0%}")
            elif isinstance(event, Loaded):
                output.end_progress()
                return event.model

    def reply(
        self,
        request: GenerationRequest,
        *,
        trace: Path | None = None,
        on_text: Callable[[str], None] | None = None,
        is_quiet: bool = False,
        is_reference: bool = False,
    ) -> Reply:
        """Generate a reply; `on_text` gets its text as it comes, `is_quiet` keeps notices back.

        `is_reference` decodes with mlx-lm's own loop.
        """
        job = self._worker.generate(request, trace, is_reference=is_reference)
        started: Started | None = None
        records: list[StepRecord] = []
        notices: list[str] = []
        changes: list[SpeculationChanged] = []
        while True:
            event = self._next(job)
            match event:
                case Started():
                    started = event
                    # Who makes many replies says how far they are.
                    if not is_quiet:
                        output.end_progress()
                case Stepped(record=record):
                    records.append(record)
                case Finished():
                    _show(event, on_text)
                    if started is None:
                        raise EngineError("The reply was cancelled before it began.")
                    return Reply(started, tuple(records), event, tuple(notices), tuple(changes))
                case Notice(sentence=sentence):
                    notices.append(sentence)
                case SpeculationChanged():
                    changes.append(event)
                case _:
                    pass
            _show(event, on_text)
            if not is_quiet:
                _tell(event)

    def probe(self) -> Probe:
        """Compare blocks with single tokens on the loaded model, now."""
        job = self._worker.probe()
        for tell in (output.progress, output.milestone):
            tell("Comparing blocks with single tokens, for some seconds")
        while True:
            event = self._next(job)
            if isinstance(event, Probed):
                output.end_progress()
                return event.probe

    def _next(self, job: int) -> Event:
        while True:
            try:
                event = self._worker.events.get(timeout=ALIVE_SECONDS)
            except Empty:
                if self._worker.is_alive:
                    continue
                raise EngineError("The engine stopped without a word; report this.") from None
            if event.job != job:
                continue
            if isinstance(event, Failed):
                raise EngineError(event.sentence, event.details)
            return event

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            # Stopping takes at most a few seconds; a second Ctrl-C must not break it off.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._worker.close()


def _show(event: Event, on_text: Callable[[str], None] | None) -> None:
    if on_text is None:
        return
    spans: tuple[TextSpan, ...] = ()
    if isinstance(event, Stepped):
        spans = event.record.spans
    elif isinstance(event, Finished):
        spans = event.tail
    chunk = "".join(span.text for span in spans)
    if chunk:
        on_text(chunk)


def _tell(event: Event) -> None:
    match event:
        case PrefillProgress(processed=processed, total=total):
            output.progress(f"Reading the prompt: {processed} of {total} tokens")
        case Notice(sentence=sentence):
            output.note(f"note: {sentence}")
        case SpeculationChanged(active=active, reason=reason):
            output.note(f"note: speculation {'on again' if active else 'stands down'}: {reason}")
        case _:
            pass
