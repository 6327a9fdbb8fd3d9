"""Looks at the disk without being held up or thrown by pipes, circles, shut folders, odd names."""

import os
import stat
from pathlib import Path


def is_folder(path: Path) -> bool:
    """Whether it is there, a folder, and to be seen; one that is shut counts as none."""
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError):
        return False


def why_shut(folder: Path) -> str:
    """Why what is in a folder cannot be seen, in the system's words; empty where it can, or where
    there is no folder."""
    try:
        with os.scandir(folder):
            return ""
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except OSError as error:
        return error.strerror or "it is not there"
    except ValueError:
        return "its name is not usable"


def regular_bytes(path: Path, most: int) -> bytes | None:
    """What a regular file of at most so many bytes holds; None for anything else, never waiting."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > most:
            return None
        # It may have become a pipe meanwhile: that is not waited for.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:
            return file.read(most)
    except (OSError, ValueError):
        return None


def is_text(path: str) -> bool:
    """Whether a path is UTF-8, as it must be to be shown, kept and handed on."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(path: str | Path) -> str:
    """A path as a person may read it: what is no text in it is spelled out."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
