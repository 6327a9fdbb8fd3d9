"""What the values of flags may be: from what was typed, or a refusal that says what is wanted."""

import argparse
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

Item = TypeVar("Item")


def _refuse(typed: str, wanted: str) -> NoReturn:
    raise argparse.ArgumentTypeError(f"{typed!r} is not {wanted}")


def whole(typed: str) -> int:
    """A whole number."""
    try:
        return int(typed)
    except ValueError:
        _refuse(typed, "a whole number")


def count(typed: str) -> int:
    """A whole number from 1 up."""
    number = whole(typed)
    return number if number >= 1 else _refuse(typed, "a number from 1 up")


def figure(typed: str) -> float:
    """A number."""
    try:
        return float(typed)
    except ValueError:
        _refuse(typed, "a number")


def draft_length(typed: str) -> int | None:
    """A whole number, or None for `auto`."""
    return None if typed == "auto" else whole(typed)


def grid_length(typed: str) -> int | None:
    """A count, or None for `auto`."""
    return None if typed == "auto" else count(typed)


def one_of(known: tuple[str, ...]) -> Callable[[str], Any]:
    """One of these names."""

    def choose(typed: str) -> str:
        return typed if typed in known else _refuse(typed, f"one of {', '.join(known)}")

    return choose


def list_of(item: Callable[[str], Item]) -> Callable[[str], tuple[Item, ...]]:
    """Items with commas between them, at least one."""

    def split(typed: str) -> tuple[Item, ...]:
        items = [part.strip() for part in typed.split(",") if part.strip()]
        if not items:
            _refuse(typed, "a list with something in it")
        return tuple(item(part) for part in items)

    return split
