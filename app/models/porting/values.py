"""Values out of a file that anybody may have written: of the kind asked for, or a sentence."""

import time
from typing import Any, TypeVar

from app.models.porting.told import PortingError

T = TypeVar("T")
# What fits SQLite, and a date.
_LARGEST_TIME = 1e11


def asked(values: dict[str, Any], name: str, kind: type[T]) -> T:
    """The value of this name; `PortingError` where it is another kind, or missing."""
    value = values.get(name)
    if type(value) is not kind:
        raise PortingError(f"{name!r} is missing in it, or of the wrong kind.")
    return value


def optional(values: dict[str, Any], name: str, usual: T) -> T:
    """The value of this name if it is of the kind of the usual one, else that."""
    value = values.get(name)
    return value if type(value) is type(usual) else usual


def text(value: object) -> str:
    """Text that can be kept: halves of characters are replaced; empty for what is no text."""
    if not isinstance(value, str):
        return ""
    if value.isascii():
        return value
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def dated(value: object) -> tuple[float, bool]:
    """A time in seconds, and whether it is the one of the file: now where that tells none."""
    told = moment(value, 0.0)
    return told or time.time(), told > 0


def moment(value: object, usual: float) -> float:
    """A time in seconds, the usual one where it is none that a calendar has."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return usual
    return float(value) if 0 < value < _LARGEST_TIME else usual
