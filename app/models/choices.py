"""Siblings in a conversation: edits of a question, answers to it. One of them is shown."""

from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Choices(Generic[T]):
    """A list, oldest first, and which of it is chosen; the newest, as long as nobody chose."""

    def __init__(self, *items: T) -> None:
        self._items: list[T] = list(items)
        self._at = len(self._items) - 1

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    def __contains__(self, item: object) -> bool:
        return item in self._items

    @property
    def current(self) -> T | None:
        """The chosen one; None where there is none at all."""
        return self._items[self._at] if self._items else None

    @property
    def index(self) -> int:
        """The place of the chosen one; -1 where there is none."""
        return self._at

    def add(self, item: T) -> None:
        """Take in the newest, which is chosen from here on."""
        self._items.append(item)
        self._at = len(self._items) - 1

    def insert(self, at: int, item: T) -> None:
        """Put one back where it was, chosen."""
        self._items.insert(at, item)
        self._at = at

    def place_of(self, item: T) -> int:
        """Where one stands; ValueError if it is not here."""
        return self._items.index(item)

    def choose(self, item: T) -> None:
        """Choose one; ValueError if it is not here."""
        self._at = self._items.index(item)

    def remove(self, item: T) -> int:
        """Take one out, and say where it was; its elder neighbour takes its place."""
        at = self._items.index(item)
        del self._items[at]
        if at <= self._at:
            self._at = min(max(self._at - 1, 0), len(self._items) - 1)
        return at
