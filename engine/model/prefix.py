"""Conversations whose caches live on between replies, within a memory budget.

A reply *takes* the timeline that spares it most of its prompt, and when it is over, however it
ended, *puts* it back. What the budget does not hold goes in this order:

    1. snapshots that are no boundaries, the least useful first, of the oldest conversation first
    2. whole conversations, the longest unused first
    3. boundaries of the one that is left, the least useful first, but for where its reply began
    4. that conversation: nothing is kept then, and a sentence says so

A prompt that parts from a conversation before its last reply, and would cost it more than the two
share, is given a copy: a new chat with the same system prompt does not undo the old one. Any other
takes the caches themselves, and what lay behind the shared part is overwritten.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any

import mlx.core as mx

from engine.account import Kept
from engine.model.cache import Caches
from engine.model.snapshot import is_known
from engine.model.timeline import Timeline

MAX_DEFAULT_BYTES = 2_000_000_000
SHARE_OF_MEMORY = 8


def default_budget_bytes() -> int:
    """2 GB, or an eighth of the machine's memory where that is less."""
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min(MAX_DEFAULT_BYTES, physical // SHARE_OF_MEMORY)


class PrefixStore:
    """The kept timelines of one model, the longest unused first. Budget 0 keeps nothing."""

    def __init__(self, budget_bytes: int | None = None) -> None:
        self.budget_bytes = default_budget_bytes() if budget_bytes is None else budget_bytes
        self._timelines: list[Timeline] = []
        self._was_too_long = False

    def take(self, prompt: Sequence[int], make_caches: Callable[[], list[Any]]) -> Timeline:
        """A timeline whose caches hold as much of `prompt` as can be had; it is the caller's."""
        reached = [(timeline.reach(prompt), i) for i, timeline in enumerate(self._timelines)]
        length, index = max(reached, default=(0, 0))
        if length == 0:
            return Timeline(Caches(make_caches()), self.budget_bytes)
        timeline = self._timelines[index]
        if length < timeline.reply_start and length < timeline.caches.length - length:
            return timeline.fork(length, make_caches())
        del self._timelines[index]
        timeline.go_to(length)
        return timeline

    def put(self, timeline: Timeline, text: Sequence[int], num_prompt: int) -> str | None:
        """Keep a timeline at the end of its reply: `text` is the prompt and what was emitted.

        A sentence for the person where a conversation alone is more than the budget; once, until
        one fits again.
        """
        timeline.close(text, num_prompt)
        if self.budget_bytes == 0 or not timeline.tokens or not is_known(timeline.caches):
            return None
        self._timelines.append(timeline)
        size = self._fit()
        was_too_long, self._was_too_long = self._was_too_long, not self._timelines
        if self._timelines or was_too_long:
            return None
        return (
            f"This conversation's caches take {_megabytes(size)}, more than the "
            f"{_megabytes(self.budget_bytes)} that may be kept, so its next reply starts anew."
        )

    def resize(self, budget_bytes: int) -> None:
        """Change the budget, and give up at once what it does not hold."""
        self.budget_bytes = budget_bytes
        self._fit()

    def report(self) -> Kept:
        """What is kept now."""
        return Kept(
            num_conversations=len(self._timelines),
            num_tokens=len(self._timelines[-1].tokens) if self._timelines else 0,
            num_checkpoints=sum(len(timeline.snapshots) for timeline in self._timelines),
            bytes=self._num_bytes,
            budget_bytes=self.budget_bytes,
        )

    @property
    def _num_bytes(self) -> int:
        return sum(timeline.nbytes for timeline in self._timelines)

    def _fit(self) -> int:
        """Give up what the budget does not hold; the size of what was looked at last."""
        size = self._num_bytes
        if size <= self.budget_bytes:
            return size
        while self._timelines and (size := self._num_bytes) > self.budget_bytes:
            self._give_up()
        mx.clear_cache()
        return size

    def _give_up(self) -> None:
        """One thing, in the order above."""
        if any(timeline.drop_least_useful(is_boundary=False) for timeline in self._timelines):
            return
        is_only = len(self._timelines) == 1
        if not (is_only and self._timelines[0].drop_least_useful(is_boundary=True)):
            self._timelines.pop(0)


def _megabytes(num_bytes: int) -> str:
    return f"{num_bytes / 1e6:,.0f} MB"
