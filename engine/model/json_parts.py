"""JSON objects parsed part by part, so that other threads run between the parts."""

import json
import re
from collections.abc import Iterator
from typing import Any

# Below this, one call takes a few milliseconds at most.
_SMALL = 200_000
_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def parse_object(text: str, levels: int) -> Any:
    """What `json.loads` gives. Python's lock is held for one entry at a time in a long text.

    An entry is one of the outermost object, or of the objects in it where `levels` is 2. Raises
    ValueError, and RecursionError for what is nested without end.
    """
    if len(text) < _SMALL:
        return json.loads(text)
    value, end = _value(text, _skip(text, 0), levels)
    _check_end(text, end)
    return value


def entries(text: str) -> Iterator[tuple[str, Any]]:
    """The entries of the object that `text` holds, one by one; ValueError where it holds none.

    Nothing but the entry at hand is kept, nor freed at once when all are done.
    """
    at = _skip(text, 0)
    if not text.startswith("{", at):
        raise ValueError("it holds no object")
    at = _skip(text, at + 1)
    while not text.startswith("}", at):
        name, at = _name(text, at)
        value, at = _DECODER.raw_decode(text, at)
        yield name, value
        at = _next(text, at)
    _check_end(text, at + 1)


def _value(text: str, at: int, levels: int) -> tuple[Any, int]:
    if levels == 0 or not text.startswith("{", at):
        return _DECODER.raw_decode(text, at)
    found: dict[str, Any] = {}
    at = _skip(text, at + 1)
    while not text.startswith("}", at):
        name, at = _name(text, at)
        found[name], at = _value(text, at, levels - 1)
        at = _next(text, at)
    return found, at + 1


def _next(text: str, at: int) -> int:
    """Where the next entry begins, or the mark that ends the object stands."""
    at = _skip(text, at)
    if text.startswith("}", at):
        return at
    at = _skip(text, _past(text, at, ","))
    if text.startswith("}", at):
        raise ValueError(f"an entry is missing at {at}")
    return at


def _check_end(text: str, at: int) -> None:
    if _skip(text, at) != len(text):
        raise ValueError("there is more behind the end")


def _name(text: str, at: int) -> tuple[str, int]:
    """The name of an entry, and where its value begins."""
    if not text.startswith('"', at):
        raise ValueError(f"a name is missing at {at}")
    name, at = _DECODER.raw_decode(text, at)
    return name, _skip(text, _past(text, _skip(text, at), ":"))


def _past(text: str, at: int, mark: str) -> int:
    if not text.startswith(mark, at):
        raise ValueError(f"{mark!r} is missing at {at}")
    return at + 1


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return at if space is None else space.end()
