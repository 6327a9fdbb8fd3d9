"""Numbers and text from outside, made fit at the border: of a sane size, and to be shown."""

import re

# Larger whole numbers are no sizes or counts, and neither a database nor a window takes them.
LARGEST = 2**53
_MOST_TEXT = 120
_LONGEST_NAME = 255
_NUMBER = re.compile(r"[0-9]{1,15}")


def number(value: object) -> int | None:
    """A whole number from 0 on that is no larger than makes sense; None for all else."""
    return value if type(value) is int and 0 <= value <= LARGEST else None


def number_in(text: str) -> int | None:
    """The same of a header's text."""
    return int(text) if _NUMBER.fullmatch(text.strip()) else None


def line(text: str, most: int = _MOST_TEXT) -> str:
    """As it may stand in a sentence: one printable line that is not long."""
    shown = "".join(each if each.isprintable() else "?" for each in text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def is_file_name(name: str) -> bool:
    """Whether every system can have a file of this path: printable, no part of it too long."""
    if not name.isprintable():  # lone surrogates are not printable either
        return False
    return all(len(part.encode()) <= _LONGEST_NAME for part in name.split("/"))
