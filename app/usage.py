"""How a command line is refused: one sentence, never longer than one can read."""

import os
from pathlib import Path

MAX_ECHO = 80
# A cut value with its quotes, and what stands around it.
MAX_WORD = MAX_ECHO + 10


class UsageError(Exception):
    """The command cannot be run as given; `str()` is one sentence, long words in it cut."""

    def __init__(self, sentence: str) -> None:
        super().__init__(" ".join(cut(word, MAX_WORD) for word in sentence.split()))


def cut(text: str, most: int = MAX_ECHO) -> str:
    """What was typed, as much of it as a sentence can carry."""
    return text if len(text) <= most else text[: most - 1] + "…"


def require_readable(path: Path) -> None:
    """Refuse a file to open that is not there, or is none."""
    name = cut(str(path))
    try:
        if not _is_there(path):
            raise UsageError(f"There is no argument or file {name}; see draftscope --help.")
        if path.is_dir():
            raise UsageError(f"{name} is a folder; give a trace to open.")
        if not os.access(path, os.R_OK):
            raise UsageError(f"{name} cannot be opened: you have no permission to read it.")
    except OSError as error:
        sentence = f"There is no argument {name}, and no such file: {error.strerror}."
        raise UsageError(sentence) from error
    except ValueError as error:
        raise UsageError(f"{name} is not a name a file can have.") from error


def require_writable(path: Path | None) -> None:
    """Refuse a file to write that could not be written."""
    if path is None:
        return
    name = cut(str(path))
    try:
        target = path if _is_there(path) else path.absolute().parent
        if target is path and path.is_dir():
            raise UsageError(f"{name} is a folder; give a file to write to.")
        if not target.exists() or (target is not path and not target.is_dir()):
            raise UsageError(f"{name} cannot be written: its folder does not exist.")
        if not os.access(target, os.W_OK):
            raise UsageError(f"{name} cannot be written: you have no permission there.")
    except OSError as error:
        raise UsageError(f"{name} cannot be written: {error.strerror}.") from error
    except ValueError as error:
        raise UsageError(f"{name} is not a name a file can have.") from error


def _is_there(path: Path) -> bool:
    """As `Path.exists`, except that what stands in the way of an answer is raised."""
    try:
        path.stat()
    except FileNotFoundError:
        return False
    return True
