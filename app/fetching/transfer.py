"""One file: fetched from where it was left, watched for a stall, checked, put in its place.

The hub library's own download starts every file anew (its half files have names that are used
once), cannot be stopped while it waits, and compares lengths only. Over plain HTTP with ranges a
file goes on at the byte where it was left, also after the program was killed; the library's faster
protocol keeps nothing of a half file that could be continued so.
"""

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any

from app.fetching.body import Body
from app.fetching.checksum import checksum
from app.fetching.connection import SetbackError
from app.fetching.found import FetchError, RemoteFile, RemoteModel
from app.fetching.halt import Halt
from app.fetching.hub import Hub
from app.fetching.meter import Meter
from app.fetching.outside import number_in
from app.fetching.repository_folder import RepositoryFolder

_FULL = (errno.ENOSPC, errno.EDQUOT)
_RANGE = re.compile(r"bytes ([0-9]{1,15})-[0-9]{1,15}/([0-9]{1,15}|\*)")


class MismatchError(Exception):
    """What came is not what was listed."""


class Transfer:
    """What brings one file of a model here."""

    def __init__(
        self,
        hub: Hub,
        model: RemoteModel,
        folder: RepositoryFolder,
        halt: Halt,
        meter: Meter,
        stall_seconds: float,
    ) -> None:
        self._hub, self._model, self._folder = hub, model, folder
        self._halt, self._meter, self._stall_seconds = halt, meter, stall_seconds

    def fetch(self, file: RemoteFile) -> None:
        """Get all bytes that are missing; a SetbackError where they did not all come."""
        place = self._folder.incomplete(file)
        start = self._size(place, file)
        if start == file.size and place.exists():
            return
        response = self._halt.run(
            lambda: self._hub.open(self._model, file.name, start, self._stall_seconds),
            give_up=lambda late: late.close(),
            tick=self._tick,
        )
        try:
            if start and not _goes_on(response, start):
                self.restart(file)
                if response.status_code != 200:
                    raise SetbackError(
                        "server", "The hub gave another part of the file than asked."
                    )
            if (length := _whole_length(response)) not in (None, file.size):
                raise MismatchError(f"{length} bytes instead of {file.size}")
            self._write(response, place, file)
        finally:
            response.close()

    def check(self, file: RemoteFile) -> None:
        """Put what came in its place if it is what was listed, else raise MismatchError."""
        place = self._folder.incomplete(file)
        with disk_errors():
            found = checksum(place, file, self._halt)
        if found != file.checksum:
            raise MismatchError(f"checksum {found}")
        with disk_errors():
            place.replace(self._folder.blob(file))

    def restart(self, file: RemoteFile) -> None:
        """Forget what came of a file."""
        place = self._folder.incomplete(file)
        with disk_errors():
            if place.exists():
                self._meter.take_back(place.stat().st_size)
                place.unlink()

    def _size(self, place: Path, file: RemoteFile) -> int:
        with disk_errors():
            size = place.stat().st_size if place.exists() else 0
            if size > file.size:  # never counted: bytes_here says that there is none of it
                place.unlink()
                size = 0
        return size

    def _tick(self) -> None:
        self._meter.note(0)

    def _write(self, response: Any, place: Path, file: RemoteFile) -> None:
        body = Body(response, self._halt, self._stall_seconds, self._tick)
        # Unbuffered: what came is in the file, whatever becomes of the program.
        with disk_errors(), place.open("ab", buffering=0) as sink:
            size = sink.tell()
            for chunk in body:
                size += len(chunk)
                if size > file.size:
                    raise MismatchError(f"more than {file.size} bytes")
                _write_all(sink, chunk)
                self._meter.note(len(chunk))
        if size < file.size:
            raise SetbackError("server", "The connection to the hub ended early.", f"{size} bytes")


@contextmanager
def disk_errors() -> Iterator[None]:
    """Turns an error of the disk into a FetchError."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            sentence = "The disk is full; free some space and go on: what has come so far is kept."
            raise FetchError("disk_full", sentence, str(error)) from error
        sentence = "The folder of downloaded models cannot be written; check its permissions."
        if isinstance(error, FileExistsError | NotADirectoryError):
            sentence = (
                "The models cannot be kept where they should be, because there is a file where a "
                "folder has to be; check HF_HOME."
            )
        raise FetchError("disk", sentence, str(error)) from error


def _goes_on(response: Any, start: int) -> bool:
    """Whether the range that was asked for is given."""
    match = _RANGE.fullmatch(response.headers.get("content-range", ""))
    return response.status_code == 206 and match is not None and int(match[1]) == start


def _whole_length(response: Any) -> int | None:
    """How long the file is as the server tells it; None where it does not."""
    if response.headers.get("content-encoding", "identity") != "identity":
        return None
    if match := _RANGE.fullmatch(response.headers.get("content-range", "")):
        return None if match[2] == "*" else int(match[2])
    return number_in(response.headers.get("content-length", ""))


def _write_all(sink: FileIO, chunk: bytes) -> None:
    left = memoryview(chunk)
    while left:
        left = left[sink.write(left) :]
