"""A draft and what makes one. Pure Python."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Draft:
    """Proposed tokens and where they were copied from.

    `match` is (start, length) in the context of the n-gram whose continuation this is; `excluded`
    counts the proposed tokens that the filter cut off the end.
    """

    tokens: tuple[int, ...] = ()
    match: tuple[int, int] | None = None
    excluded: int = 0

    def cut_at(self, excluded_ids: frozenset[int]) -> "Draft":
        """This draft up to, and without, its first excluded token."""
        for i, token in enumerate(self.tokens):
            if token in excluded_ids:
                return Draft(self.tokens[:i], self.match, len(self.tokens) - i)
        return self


NO_DRAFT = Draft()


class Drafter(Protocol):
    """Proposes tokens from the text so far; it is told every token of it once, in order."""

    def extend(self, tokens: Sequence[int]) -> None:
        """Learn the next tokens of the context."""

    def propose(self, max_length: int) -> Draft:
        """Up to `max_length` tokens that may come next; `NO_DRAFT` when it has no idea."""
