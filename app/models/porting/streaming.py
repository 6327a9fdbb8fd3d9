"""JSON read piece by piece: the outermost list one element at a time, so that others get a turn."""

import json
import math
import re
from collections.abc import Generator
from typing import Any, NoReturn

_BLANK = re.compile(r"[ \t\n\r]*")


def _refuse(word: str) -> NoReturn:
    raise ValueError(word)


def _finite(digits: str) -> float:
    """A number that is one; 1e999 is infinite only for Python."""
    value = float(digits)
    return value if math.isfinite(value) else _refuse(digits)


_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)


Piece = tuple[str, Any, int]


def pieces(text: str, list_key: str) -> Generator[Piece, None, None]:
    """(key, value, place behind it): the elements of a list come with an empty key.

    Of an object, each value comes with its key, and the list under `list_key` as its elements do.
    `ValueError` or `RecursionError` where it is no JSON.
    """
    at = _skip(text, 1 if text.startswith("\ufeff") else 0)
    if text.startswith("[", at):
        at = yield from _elements(text, at)
    elif text.startswith("{", at):
        at = yield from _members(text, at, list_key)
    else:
        _refuse("neither a list nor an object")
    if _skip(text, at) != len(text):
        _refuse("something behind the end")


def _elements(text: str, at: int) -> Generator[Piece, None, int]:
    """The elements of a list; returns the place behind it."""
    at = _skip(text, at + 1)
    if text.startswith("]", at):
        return at + 1
    while True:
        value, at = _DECODER.raw_decode(text, at)
        yield "", value, at
        at = _skip(text, at)
        if text.startswith("]", at):
            return at + 1
        at = _past(text, at, ",")


def _members(text: str, at: int, list_key: str) -> Generator[Piece, None, int]:
    """The values of an object; returns the place behind it."""
    at = _skip(text, at + 1)
    if text.startswith("}", at):
        return at + 1
    while True:
        key, at = _DECODER.raw_decode(text, at)
        if not isinstance(key, str):
            _refuse("no key")
        at = _past(text, _skip(text, at), ":")
        if key == list_key and text.startswith("[", at):
            at = yield from _elements(text, at)
        else:
            value, at = _DECODER.raw_decode(text, at)
            yield key, value, at
        at = _skip(text, at)
        if text.startswith("}", at):
            return at + 1
        at = _past(text, at, ",")


def _past(text: str, at: int, sign: str) -> int:
    """Behind a sign that has to be here, and what is blank."""
    return _skip(text, at + 1) if text.startswith(sign, at) else _refuse(f"no {sign}")


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at
