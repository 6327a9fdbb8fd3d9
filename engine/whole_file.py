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


@contextmanager
def whole_file(path: Path) -> Iterator[TextIO]:
    """A text file that takes the place of `path` when the block ends well; `OSError` otherwise.

    Symbolic links are followed, and a file that is replaced hands its permissions on. What UTF-8
    cannot spell (lone surrogates) is written as an escape.
    """
    target = Path(os.path.realpath(path))
    mode = _mode(target)
    partial = target.with_name(f".{secrets.token_hex(8)}.partial")
    try:
        with partial.open("x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            yield file
        if mode is not None:
            partial.chmod(stat.S_IMODE(mode))
        partial.replace(target)
    finally:
        # There is none left where all went well.
        with suppress(OSError):
            partial.unlink(missing_ok=True)


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
