"""A draft and what makes one. Pure Python."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import mul
from typing import Protocol

from engine.request import DrafterName


@dataclass(frozen=True, slots=True)
class Draft:
    """Proposed tokens and where they were copied from.

    `match` is (start, length) in the context of the text whose continuation this is; length 0 says
    that nothing matches and the copy resumes at `start`. `cut` are the proposed tokens that the
    filter cut off the end; `drafter` says who proposed it. `chances` are the probabilities that
    each token is right, given those before it; empty where the drafter keeps no account. `copied`
    are runs (start, length) of the context that the tokens come from, in order, and may go on
    beyond them; start -1: tokens that no place has.
    """

    tokens: tuple[int, ...] = ()
    match: tuple[int, int] | None = None
    cut: tuple[int, ...] = ()
    drafter: DrafterName | None = None
    chances: tuple[float, ...] = ()
    copied: tuple[tuple[int, int], ...] = ()

    @property
    def excluded(self) -> int:
        """How many proposed tokens the filter cut."""
        return len(self.cut)

    @property
    def match_length(self) -> int:
        """How many tokens of the context speak for this draft."""
        return self.match[1] if self.match is not None else 0

    @property
    def promise(self) -> float:
        """How many of its tokens are right on average, by its `chances`."""
        total: float = sum(accumulate(self.chances, mul))
        return total

    def cut_at(self, excluded_ids: frozenset[int]) -> "Draft":
        """This draft up to, and without, its first excluded token."""
        for i, token in enumerate(self.tokens):
            if token in excluded_ids:
                return replace(self, tokens=self.tokens[:i], cut=self.tokens[i:])
        return self


NO_DRAFT = Draft()


def runs_within(copied: Sequence[tuple[int, int]], length: int) -> tuple[tuple[int, int], ...]:
    """Runs that cover the first `length` tokens and no more."""
    runs: list[tuple[int, int]] = []
    for start, size in copied:
        if length <= 0:
            break
        runs.append((start, min(size, length)))
        length -= size
    return tuple(runs)


def wrapped(source: int, end: int, length: int) -> tuple[tuple[int, int], ...]:
    """Runs of a copy from `source` on that, at the text's `end`, runs on into itself."""
    period = end - source
    if length <= period:
        return ((source, length),)
    whole, rest = divmod(length, period)
    runs = ((source, period),) * whole
    return (*runs, (source, rest)) if rest else runs


def through_stop(tokens: tuple[int, ...], stop_ids: frozenset[int]) -> tuple[int, ...]:
    """The tokens up to the first stop token, and with it: nothing can be emitted behind it."""
    if stop_ids.isdisjoint(tokens):
        return tokens
    end = next(i for i, token in enumerate(tokens) if token in stop_ids)
    return tokens[: end + 1]


class Drafter(Protocol):
    """Proposes tokens from the text so far; it is told every token of it once, in order."""

    def extend(self, tokens: Sequence[int]) -> None:
        """Learn the next tokens of the context."""

    def propose(self, max_length: int) -> Draft:
        """Up to `max_length` tokens that may come next; `NO_DRAFT` when it has no idea."""
