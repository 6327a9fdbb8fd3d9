"""A run as JSON lines: written line by line while it happens, or whole from memory; and replayed.

Knows nothing about models. Numbers JSON cannot spell (infinities) are stored as strings, so every
line is strict JSON. `trace_reader` reads it back exactly, and a damaged one as far as it is sound.
The same lines can be had in parts and kept elsewhere than in a file.
"""

import dataclasses
import json
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from engine.errors import TraceError
from engine.events import Event, Finished, Notice, SpeculationChanged, Started, Stepped
from engine.spelling import spelled
from engine.step_record import StepRecord
from engine.whole_file import open_whole

VERSION = 2

Aside = SpeculationChanged | Notice
_Part = Started | Stepped | SpeculationChanged | Notice | Finished


@dataclasses.dataclass(frozen=True, slots=True)
class Trace:
    """A run read back. `finished` is None if it was cut short; `warning` says what was not read.

    `asides` are what was said between the steps, each with how many steps came before it; `version`
    is the format it was written in.
    """

    started: Started
    steps: tuple[StepRecord, ...]
    finished: Finished | None
    warning: str | None = None
    asides: tuple[tuple[int, Aside], ...] = ()
    version: int = VERSION


ASIDES: dict[str, type[Aside]] = {"speculation": SpeculationChanged, "notice": Notice}
_TYPES = {kind: name for name, kind in ASIDES.items()}
# Left out where they say nothing: most runs have none, and older readers know none of them.
_OPTIONAL = {
    "logprobs": None,
    "alternatives": None,
    "margins": None,
    "reply_length": 0,
    "reply_text": "",
    "opens_thinking": False,
    "thinking": None,
}


def _opened(path: Path) -> TextIO:
    if path.is_fifo():
        raise ValueError("it is a pipe, which would wait for a reader")
    return path.open("a", buffering=1, encoding="utf-8", newline="\n")


class TraceWriter:
    """Writes one run to a file, flushed line by line; a context manager.

    The path is checked at once (`TraceError` if it cannot be written), but what the file held
    before is only replaced by the first line, so a request that is refused costs nothing.
    """

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        self._is_empty = True
        self._order = _Order()
        try:
            self._is_new = not self._path.exists()
            self._file: TextIO = _opened(self._path)
        except (OSError, ValueError) as error:
            raise refusal(self._path, error) from error

    def write(self, event: Event) -> None:
        """Write the line of an event; what comes before Started waits for it, progress is left."""
        for ready in self._order.take(event):
            self._write_line(_line(ready))

    def close(self) -> None:
        """Close the file; one that was made for this run and got no line is removed."""
        try:
            self._file.close()
            if self._is_new and self._is_empty and self._path.is_file():
                self._path.unlink()
        except OSError as error:
            raise refusal(self._path, error) from error

    def _write_line(self, line: str) -> None:
        try:
            if self._is_empty and stat.S_ISREG(self._path.stat().st_mode):
                self._file.truncate(0)
            self._is_empty = False
            self._file.write(line)
        except OSError as error:
            raise refusal(self._path, error) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def write_trace(
    path: Path | str,
    started: Started,
    steps: Iterable[StepRecord],
    finished: Finished | None = None,
    asides: Iterable[tuple[int, Aside]] = (),
) -> None:
    """Write a run that is in memory, as far as it went; the file is there whole or not at all.

    Steps are taken one by one, so they may be unpacked as they are asked for. `TraceError` if the
    file cannot be written.
    """
    try:
        with open_whole(Path(path)) as file:
            for event in _events(started, steps, finished, asides):
                file.write(_line(event))
    except (OSError, ValueError) as error:
        raise refusal(path, error) from error


def trace_lines(events: Iterable[Event]) -> bytes:
    """The lines `TraceWriter` would write of these events; those that are no part give none.

    A run may be told in parts: joined in order, their lines are its whole trace. What comes before
    Started belongs into one part with it.
    """
    order = _Order()
    ready = [part for event in events for part in order.take(event)]
    return "".join(map(_line, (*ready, *order.early))).encode("ascii")


def replay_trace(trace: Trace) -> Iterator[Event]:
    """The events of the run again, in order, with no model."""
    return _events(trace.started, trace.steps, trace.finished, trace.asides)


def _events(
    started: Started,
    steps: Iterable[StepRecord],
    finished: Finished | None,
    asides: Iterable[tuple[int, Aside]],
) -> Iterator[_Part]:
    yield started
    waiting = list(asides)[::-1]
    for number, record in enumerate(steps):
        while waiting and waiting[-1][0] <= number:
            yield waiting.pop()[1]
        yield Stepped(started.job, record)
    while waiting:
        yield waiting.pop()[1]
    if finished is not None:
        yield finished


class _Order:
    """The parts of a trace in its order: what was said before Started (`early`) comes after it."""

    def __init__(self) -> None:
        self.early: list[_Part] = []
        self._has_begun = False

    def take(self, event: Event) -> list[_Part]:
        """What comes next, now that this event is known; progress is no part of a trace."""
        if not isinstance(event, _Part):
            return []
        if isinstance(event, Notice) and not self._has_begun:
            self.early.append(event)
            return []
        early, self.early, self._has_begun = self.early, [], True
        return [event, *early] if isinstance(event, Started) else [*early, event]


def _line(event: _Part) -> str:
    line: dict[str, Any]
    match event:
        case Started():
            fields = dataclasses.asdict(event)
            fields["config"] = _telling(fields["config"])
            line = {"type": "start", "version": VERSION} | _telling(fields)
        case Stepped(record=record):
            line = {"type": "step"} | _telling(dataclasses.asdict(record))
        case Notice() | SpeculationChanged():
            line = _without_job({"type": _TYPES[type(event)]}, event)
        case Finished():
            line = _without_job({"type": "finish"}, event)
            if event.health.config is not None:
                line["health"]["config"] = _telling(line["health"]["config"])
    return json.dumps(spelled(line), allow_nan=False) + "\n"


def _telling(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields without the optional ones that say nothing."""
    return {
        name: value
        for name, value in fields.items()
        if name not in _OPTIONAL or value != _OPTIONAL[name]
    }


def _without_job(head: dict[str, Any], event: Aside | Finished) -> dict[str, Any]:
    line = head | dataclasses.asdict(event)
    del line["job"]
    return line


def refusal(path: Path | str, error: OSError | ValueError, what: str = "trace") -> TraceError:
    """One sentence on a file that cannot be written."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return TraceError(f"The {what} cannot be written to {path} ({reason}); choose another file.")
