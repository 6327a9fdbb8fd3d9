"""A file that is written whole or not at all: beside its place first, then moved there.

Whoever reads the old file meanwhile has all of it, and a full disk or a crash costs nothing.
"""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

# The process that writes it, and one of its files.
_PARTIAL = ".draftscope-{}-{}.partial"


@contextmanager
def open_whole(path: Path) -> Iterator[TextIO]:
    """A text file that takes the place of `path` when the block ends well; `OSError` otherwise.

    Symbolic links are followed, and a file that is replaced hands its permissions on. What UTF-8
    cannot spell (lone surrogates) is written as an escape.
    """
    target = Path(os.path.realpath(path))
    mode = _mode(target)
    partial = target.with_name(_PARTIAL.format(os.getpid(), secrets.token_hex(4)))
    _clear(target.parent)
    try:
        with partial.open("x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            partial.chmod(stat.S_IMODE(mode))
        partial.replace(target)
    finally:
        # There is none left where all went well.
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _clear(folder: Path) -> None:
    """Take away what was left half written by processes that were ended in the middle."""
    for partial in folder.glob(_PARTIAL.format("*", "*")):
        owner = partial.name.split("-")[1]
        if owner.isdecimal() and not _is_alive(int(owner)):
            with suppress(OSError):
                partial.unlink()


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True  # somebody else's
    return True


def _mode(target: Path) -> int | None:
    """The mode of the file that is there, None where none is; `OSError` if it is no file."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(None, "it is a folder")
    if not stat.S_ISREG(mode):
        raise OSError(None, "it is not a regular file")
    return mode
