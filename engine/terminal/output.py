"""Everything the terminal front prints: results on stdout, the rest on stderr, one line each."""

import io
import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

_ERASE_LINE = "\r\x1b[K"


def prepare() -> None:
    """Let no character that the terminal cannot show stop a reply, and no closed stream either."""
    sys.stdout = sys.stdout or io.TextIOWrapper(io.FileIO(os.devnull, "w"))
    sys.stderr = sys.stderr or io.TextIOWrapper(io.FileIO(os.devnull, "w"))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def text(chunk: str) -> None:
    """Part of a reply, shown at once."""
    sys.stdout.write(chunk)
    sys.stdout.flush()


def lines(rows: Iterable[str]) -> None:
    """Lines of a result, shown at once."""
    text("".join(f"{row}\n" for row in rows))


def json_object(value: dict[str, Any]) -> None:
    """One JSON object on one line, in plain ASCII."""
    text(json.dumps(value) + "\n")


def note(sentence: str) -> None:
    """Something the person should know, on stderr; where that is full there is no one to tell."""
    with suppress(OSError):
        end_progress()
        sys.stderr.write(f"{one_line(sentence)}\n")
        sys.stderr.flush()


def error(sentence: str) -> None:
    """The one line that says why there is no result."""
    note(f"error: {sentence}")


def progress(words: str) -> None:
    """A passing state, on stderr, only where a person is watching."""
    if sys.stderr.isatty():
        sys.stderr.write(_ERASE_LINE + one_line(words))
        sys.stderr.flush()


def milestone(words: str) -> None:
    """What begins now and takes a while, on stderr, where no passing state is shown."""
    if not sys.stderr.isatty():
        note(words)


def end_progress() -> None:
    """Take the passing state away."""
    progress("")


def one_line(sentence: str) -> str:
    """The sentence without line breaks or other control characters."""
    words = " ".join(sentence.split())
    return "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in words
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Rows in columns as wide as their widest cell, the first column to the left."""
    cells = [list(head), *(list(row) for row in rows)]
    widths = [max(len(cell) for cell in column) for column in zip(*cells, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]


def number(value: float | None, digits: int = 1) -> str:
    """A figure, or "-" where there was nothing to divide by."""
    return "-" if value is None else f"{value:.{digits}f}"


def abandon_stdout() -> None:
    """Nobody reads stdout any more: send the rest nowhere, so that exit is quiet."""
    try:
        descriptor = sys.stdout.fileno()
    except (OSError, ValueError):
        return
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
