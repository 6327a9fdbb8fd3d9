"""A trace read back: all of it that is sound, with a sentence on every part that is not.

Damage ends the reading where it is found, and what came before stays. A trace of a newer version is
read around what this one does not know, as long as the rest still adds up.
"""

import io
import json
import os
import stat
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from engine.decoding import Decoder
from engine.errors import RequestError, TraceError
from engine.events import Finished, Started
from engine.request import DrafterChoice, RollbackName
from engine.soundness import Ledger, UnsoundError, check_start, has_sound_text, require
from engine.step_record import Origin, StepRecord
from engine.trace import ASIDES, VERSION, Aside, Trace

MAX_LINE_BYTES = 64_000_000
_MARK = b"\xef\xbb\xbf"
_MAX_DIGITS = 20
_LINES_BETWEEN_WORDS = 64
_MAX_NAMES = 8
# What stands in for a name that a newer version has; where None is allowed it is left out.
_STAND_INS: dict[Any, str] = {Origin: "generated", DrafterChoice: "auto", RollbackName: "auto"}


def read_trace(path: Path | str, on_progress: Callable[[float], None] | None = None) -> Trace:
    """Read a trace as far as it is sound; `TraceError` if it has no sound first line.

    `on_progress` is told the share (0..1) that was read; what it raises ends the reading.
    """
    reading = _Reading()
    try:
        file = _opened(Path(path))
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    with file:
        try:
            _read_lines(file, os.fstat(file.fileno()).st_size, reading, on_progress)
        except OSError as error:
            raise _unreadable(path, error) from error
    return reading.trace(str(path))


def parse_trace(data: bytes | Iterable[bytes]) -> Trace:
    """`read_trace` from memory: the lines of a trace whole, or in parts cut anywhere."""
    reading = _Reading()
    whole = data if isinstance(data, bytes) else b"".join(data)
    _read_lines(io.BytesIO(whole), len(whole), reading, None)
    return reading.trace("What was kept of this run")


def _opened(path: Path) -> BinaryIO:
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise ValueError("it is a folder")
    if not stat.S_ISREG(mode):
        raise ValueError("it is not a regular file")
    return path.open("rb")


def _read_lines(
    file: BinaryIO, size: int, reading: "_Reading", on_progress: Callable[[float], None] | None
) -> None:
    number, goes_on = 0, True
    while goes_on:
        line = file.readline(MAX_LINE_BYTES + 1)
        number += 1
        goes_on = bool(line) and (line.isspace() or reading.take(number, line))
        if on_progress is not None and number % _LINES_BETWEEN_WORDS == 0:
            on_progress(min(file.tell() / max(size, 1), 1.0))


def _unreadable(path: Path | str, error: OSError | ValueError) -> TraceError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return TraceError(f"The trace {path} cannot be read ({reason}).")


class _Reading:
    """The state of reading one trace: what was sound so far, and what to warn about."""

    def __init__(self) -> None:
        self.started: Started | None = None
        self._version = VERSION
        self._steps: list[StepRecord] = []
        self._finished: Finished | None = None
        self._is_over = self._has_lines = False
        self._asides: list[tuple[int, Aside]] = []
        self._decoder = Decoder()
        self._ledger: Ledger
        self._warnings: list[str] = []

    def take(self, number: int, line: bytes) -> bool:
        """Take one line; False when reading must stop here."""
        self._has_lines = True
        if self._is_over:
            self._warnings.append(f"Lines after the end of the run were ignored (line {number}).")
            return False
        try:
            require(len(line) <= MAX_LINE_BYTES, "it is too long")
            text = line.removeprefix(_MARK if number == 1 else b"").decode("utf-8")
            value = json.loads(text, parse_int=_whole)
            if not isinstance(value, dict):
                return self._damaged(number, line, "")
            self._take_object(value)
        except UnsoundError as error:
            return self._damaged(number, line, f" ({error})")
        except (ValueError, RecursionError, RequestError):
            return self._damaged(number, line, "")
        return True

    def _why_none(self) -> str:
        """Why there is no trace, after the name of what was read."""
        if self._version > VERSION:
            return (
                f"was written by a newer version of Draftscope (format {self._version}), "
                "and this one cannot read it."
            )
        if not self._has_lines:
            return "is not a trace: it is empty."
        return "is not a trace: its first line is not the start of a run."

    def trace(self, name: str) -> Trace:
        """What was read, with one sentence for each thing that was not; TraceError for nothing."""
        if self.started is None:
            raise TraceError(f"{name} {self._why_none()}")
        warnings = list(self._warnings)
        if self._decoder.unknown:
            names = _listed(self._decoder.unknown)
            warnings.append(f"Parts this version does not know were left out: {names}.")
        if self._decoder.replaced:
            names = _listed(self._decoder.replaced)
            warnings.append(f"Names this version does not know: {names}.")
        if not self._is_over:
            count = len(self._steps)
            were = f"{count} step was" if count == 1 else f"{count} steps were"
            warnings.append(f"The trace ends before its run does; {were} read.")
        return Trace(
            self.started,
            tuple(self._steps),
            self._finished,
            " ".join(warnings) or None,
            tuple(self._asides),
            self._version,
        )

    @property
    def _is_newer(self) -> bool:
        return self._version > VERSION

    def _take_object(self, line: dict[str, Any]) -> None:
        kind = str(line.pop("type", None))
        if (kind == "start") != (self.started is None):
            raise ValueError("not where it belongs")
        if self.started is None:
            self._take_start(line)
        elif kind == "step":
            step = self._decoder.record(StepRecord, line)
            self._ledger.add(step, knows_origins=not self._is_newer)
            self._steps.append(step)
        elif kind == "finish":
            self._take_finish(line | {"job": self.started.job})
        elif kind in ASIDES:
            self._take_aside(kind, line | {"job": self.started.job})
        else:
            self._decoder.unknown.add(f"a line of type {kind[:40]!r}")

    def _take_start(self, line: dict[str, Any]) -> None:
        version = line.pop("version", None)
        if type(version) is not int or version < 1:
            raise ValueError("no version")
        self._version = version
        if self._is_newer:
            self._decoder = Decoder(_STAND_INS)
            self._warnings.append(
                f"The trace was written by a newer version "
                f"(format {version}; this one knows {VERSION})."
            )
        started = self._start({"job": 0} | line)
        check_start(started)
        if not has_sound_text(started):
            self._warnings.append("The prompt's text does not fit its tokens and was left out.")
            started = replace(started, prompt_text="", prompt_ends=())
        self.started, self._ledger = started, Ledger(started)

    def _start(self, line: dict[str, Any]) -> Started:
        try:
            return self._decoder.record(Started, line)
        except (ValueError, RequestError):
            if not self._is_newer or "messages" not in line:
                raise
        # A kind of message that came up since: the prompt's text has what was said all the same.
        started = self._decoder.record(Started, line | {"messages": []})
        self._warnings.append("The messages are of a kind this version does not know.")
        return started

    def _take_aside(self, kind: str, line: dict[str, Any]) -> None:
        try:
            aside = self._decoder.record(ASIDES[kind], line)
        except ValueError:
            if not self._is_newer:
                raise
            self._decoder.unknown.add(f"a line of type {kind!r}")
            return
        self._asides.append((len(self._steps), aside))

    def _take_finish(self, line: dict[str, Any]) -> None:
        try:
            finished = self._decoder.record(Finished, line)
        except (ValueError, RequestError):
            if not self._is_newer:
                raise
            self._warnings.append("How the run ended is not known to this version.")
            self._is_over = True
            return
        self._finished, adds_up = self._ledger.settled(finished)
        self._is_over = True
        if not adds_up:
            self._warnings.append(
                "The totals at its end were not those of its steps; they were counted again."
            )

    def _damaged(self, number: int, line: bytes, why: str) -> bool:
        if line.endswith(b"\n") or len(line) > MAX_LINE_BYTES:
            self._warnings.append(f"Line {number} is damaged{why}; reading stopped there.")
        else:
            self._warnings.append(f"The last line, {number}, is cut off or damaged{why}.")
        return False


def _whole(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError("a number is too large")
    return int(digits)


def _listed(names: set[str]) -> str:
    """Some of the names, on one line."""
    shown = [name if name.isprintable() else ascii(name) for name in sorted(names)[:_MAX_NAMES]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")
