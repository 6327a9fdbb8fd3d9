"""A run as JSON lines: written line by line while it happens, read back exactly, replayed alone.

Knows nothing about models. Numbers JSON cannot spell (infinities) are stored as strings, so every
line is strict JSON. A trace cut short by a crash reads up to its last sound line.
"""

import dataclasses
import json
import stat
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from engine.errors import RequestError, TraceError
from engine.events import Event, Finished, Started, Stepped
from engine.records import RecordDecoder, spelled
from engine.step_record import StepRecord

VERSION = 1


@dataclasses.dataclass(frozen=True, slots=True)
class Trace:
    """A run read back. `finished` is None if it was cut short; `warning` says what was not read."""

    started: Started
    steps: tuple[StepRecord, ...]
    finished: Finished | None
    warning: str | None = None


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
        try:
            self._is_new = not self._path.exists()
            self._file: TextIO = _opened(self._path)
        except (OSError, ValueError) as error:
            raise self._refusal(error) from error

    def write(self, event: Event) -> None:
        """Write the line of a Started, Stepped or Finished; a trace holds no other events."""
        match event:
            case Started():
                head = {"type": "start", "version": VERSION}
                self._write_line(head | dataclasses.asdict(event))
            case Stepped(record=record):
                line = {"type": "step"} | dataclasses.asdict(record)
                if record.logprobs is None:
                    del line["logprobs"]
                if record.alternatives is None:
                    del line["alternatives"]
                if record.margins is None:
                    del line["margins"]
                self._write_line(line)
            case Finished():
                line = {"type": "finish"} | dataclasses.asdict(event)
                del line["job"]
                self._write_line(line)
            case _:
                pass

    def close(self) -> None:
        """Close the file; one that was made for this run and got no line is removed."""
        try:
            self._file.close()
            if self._is_new and self._is_empty and self._path.is_file():
                self._path.unlink()
        except OSError as error:
            raise self._refusal(error) from error

    def _write_line(self, line: dict[str, Any]) -> None:
        try:
            if self._is_empty and stat.S_ISREG(self._path.stat().st_mode):
                self._file.truncate(0)
            self._is_empty = False
            self._file.write(json.dumps(spelled(line), allow_nan=False) + "\n")
        except OSError as error:
            raise self._refusal(error) from error

    def _refusal(self, error: OSError | ValueError) -> TraceError:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return TraceError(
            f"The trace cannot be written to {self._path} ({reason}); choose another file."
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_trace(path: Path | str) -> Trace:
    """Read a trace as far as it is sound; `TraceError` if it has no sound first line."""
    reading = _Reading()
    try:
        with Path(path).open(encoding="utf-8", errors="replace") as lines:
            for number, text in enumerate(lines, start=1):
                if not reading.take(number, text):
                    break
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise TraceError(f"The trace {path} cannot be read ({reason}).") from error
    if reading.started is None:
        raise TraceError(f"{path} is not a trace: its first line is not the start of a run.")
    return reading.trace(reading.started)


def replay_trace(trace: Trace) -> Iterator[Event]:
    """The events of the run again, in order, with no model."""
    yield trace.started
    for record in trace.steps:
        yield Stepped(trace.started.job, record)
    if trace.finished is not None:
        yield trace.finished


class _Reading:
    """The state of reading one trace: what was sound so far, and what to warn about."""

    def __init__(self) -> None:
        self.started: Started | None = None
        self._steps: list[StepRecord] = []
        self._finished: Finished | None = None
        self._decoder = RecordDecoder()
        self._warnings: list[str] = []

    def take(self, number: int, text: str) -> bool:
        """Take one line; False when reading must stop here."""
        if self._finished is not None:
            self._warnings.append(f"Lines after the end of the run were ignored (line {number}).")
            return False
        try:
            line = json.loads(text)
            if not isinstance(line, dict):
                return self._damaged(number)
            return self._take_object(number, line)
        except (ValueError, RecursionError, RequestError):
            return self._damaged(number)

    def trace(self, started: Started) -> Trace:
        """What was read, with one sentence for each thing that was not."""
        warnings = list(self._warnings)
        if self._decoder.unknown:
            names = ", ".join(sorted(self._decoder.unknown))
            warnings.append(f"Parts this version does not know were left out: {names}.")
        if self._finished is None:
            count = len(self._steps)
            warnings.append(f"The trace ends before its run does; {count} steps were read.")
        return Trace(started, tuple(self._steps), self._finished, " ".join(warnings) or None)

    def _take_object(self, number: int, line: dict[str, Any]) -> bool:
        kind = line.pop("type", None)
        if (kind == "start") != (self.started is None):
            return self._damaged(number)
        if kind == "start":
            self.started = self._decoder.record(Started, {"job": 0} | self._versioned(line))
        elif kind == "step":
            self._take_step(self._decoder.record(StepRecord, line))
        elif kind == "finish" and self.started is not None:
            self._finished = self._decoder.record(Finished, line | {"job": self.started.job})
        else:
            self._decoder.unknown.add(f"a line of type {kind!r}")
        return True

    def _versioned(self, line: dict[str, Any]) -> dict[str, Any]:
        version = line.pop("version", None)
        if type(version) is not int or version < 1:
            raise ValueError("no version")
        if version > VERSION:
            self._warnings.append(
                f"The trace was written by a newer version "
                f"(format {version}; this one knows {VERSION})."
            )
        return line

    def _take_step(self, record: StepRecord) -> None:
        follows = not self._steps or record.index == self._steps[-1].index + 1
        if not follows or len(record.emitted) != len(record.origins):
            raise ValueError("a step is missing or does not add up")
        self._steps.append(record)

    def _damaged(self, number: int) -> bool:
        self._warnings.append(f"Line {number} is damaged; reading stopped there.")
        return False
