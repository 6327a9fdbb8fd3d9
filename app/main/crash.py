"""Reports of crashes, kept on this computer: places in the program only, never what was said.

A file lies there while the app runs and is gone after a clean end; what the next start finds with
something in it is a crash. Python's fault handler writes into it where nothing else can any more.
"""

import faulthandler
import fcntl
import logging
import os
import platform
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from app.main.logs import LogFile, ShapeFormatter, life_log
from engine import VERSION

MOST_REPORTS = 5
_END_OF_HEAD = b"--\n"
_NOTE = b"noted: "
_MAX_BYTES = 200_000

log = logging.getLogger("draftscope")


class CrashReport:
    """This run's file, from `begin` to `end`; a folder that cannot be written has none."""

    def __init__(self, folder: Path, number: int) -> None:
        self._folder = folder
        self._path = folder / f"running-{number}.txt"
        self._file: BinaryIO | None = None
        self._was_enabled = faulthandler.is_enabled()
        self._notes = _Notes(self)
        self._earlier_hook = threading.excepthook

    def begin(self) -> tuple[Path, ...]:
        """Begin the file; the reports of crashes since the last start, the latest first."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            found = _sweep(self._folder)
            self._file = _opened(self._path)
        except OSError:
            return ()
        faulthandler.enable(self._file, all_threads=True)
        logging.getLogger().addHandler(self._notes)
        self._earlier_hook, threading.excepthook = threading.excepthook, self._on_thread
        return found

    def note(self, line: str) -> None:
        """Add an error that did not end the app; the file is then kept, for who looks for it."""
        if self._file is not None and self._file.tell() < _MAX_BYTES:
            with suppress(OSError):
                self._file.write(_NOTE + line.encode("utf-8", "replace") + b"\n")

    def end(self) -> None:
        """A clean end: nothing stays, unless something was noted."""
        if self._file is None:
            return
        threading.excepthook = self._earlier_hook
        logging.getLogger().removeHandler(self._notes)
        faulthandler.disable()
        if self._was_enabled and sys.stderr is not None:
            with suppress(OSError, ValueError):
                faulthandler.enable()
        with suppress(OSError):
            if _body(self._path):
                _keep(self._path)
                _forget_older(self._folder)
            else:
                self._path.unlink(missing_ok=True)
        self._file.close()
        self._file = None

    def _on_thread(self, what: threading.ExceptHookArgs) -> None:
        if what.exc_value is not None:
            log.error("a thread ended", exc_info=what.exc_value)
        self._earlier_hook(what)


class _Notes(logging.Handler):
    """Errors with an exception, as notes."""

    def __init__(self, report: CrashReport) -> None:
        super().__init__(logging.ERROR)
        self._report = report
        self.setFormatter(ShapeFormatter())

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self._report.note(self.format(record))


@contextmanager
def watched(folder: Path | None) -> Iterator[tuple[Path, ...]]:
    """Keep log and crash report of one run; with the crashes since the last. None keeps neither."""
    if folder is None:
        yield ()
        return
    file, report = LogFile(folder), CrashReport(folder, os.getpid())
    file.open()
    found = report.begin()
    life_log.info("started: Draftscope %s on %s", VERSION, platform.platform())
    if found:
        life_log.warning("the run before ended in a crash")
    try:
        yield found
    finally:
        error = sys.exc_info()[1]
        if isinstance(error, Exception):
            log.error("the app ended", exc_info=error)
        life_log.info("quit")
        report.end()
        file.close()


def reports(folder: Path) -> tuple[Path, ...]:
    """What is kept, the latest first."""
    return tuple(sorted(folder.glob("crash-*.txt"), reverse=True))


def crash_sentence(found: tuple[Path, ...]) -> str:
    """What the next start says; empty where there was no crash."""
    if not found:
        return ""
    return "Draftscope ended unexpectedly the last time; a report is kept on this computer."


def _opened(path: Path) -> BinaryIO:
    """A new file, locked for as long as this process lives."""
    path.unlink(missing_ok=True)
    file = path.open("xb", buffering=0)
    path.chmod(0o600)
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    when = time.strftime("%Y-%m-%d %H:%M:%S")
    lines = (
        f"Draftscope {VERSION}, Python {platform.python_version()}, {platform.platform()}",
        f"started {when}",
    )
    file.write("".join(f"{line}\n" for line in lines).encode() + _END_OF_HEAD)
    return file


def _sweep(folder: Path) -> tuple[Path, ...]:
    """Take care of what ended runs left; the crashes among them."""
    found = [report for path in folder.glob("running-*.txt") if (report := _settled(path))]
    _forget_older(folder)
    return tuple(sorted((path for path in found if path.exists()), reverse=True))


def _settled(path: Path) -> Path | None:
    """Keep the file of an ended run as a report where it says something."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return None  # it runs still
    body = _body(path)
    if not body:
        # Ended by force, or with the machine: there is nothing to read in it.
        path.unlink(missing_ok=True)
        return None
    return _keep(path)


def _body(path: Path) -> bytes:
    """What stands below the head."""
    with path.open("rb") as file:
        return file.read(_MAX_BYTES).partition(_END_OF_HEAD)[2].strip()


def _keep(path: Path) -> Path:
    """Give it its lasting name, over no earlier one."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(path.stat().st_mtime))
    kept, number = path.with_name(f"crash-{stamp}.txt"), 1
    while kept.exists():
        number += 1
        kept = path.with_name(f"crash-{stamp}-{number}.txt")
    return path.rename(kept)


def _forget_older(folder: Path) -> None:
    for path in reports(folder)[MOST_REPORTS:]:
        path.unlink(missing_ok=True)
