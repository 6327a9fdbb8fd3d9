"""One conversation's caches, and the places in it they can go back to.

Where every layer only grows (plain attention), any place is reached by trimming and nothing is
remembered. Otherwise snapshots are taken on the way, of two kinds:

    boundaries   where later prompts are expected to part from this one: the end of the system
                 prompt, of each prompt, of each reply, and of what stays when another turn follows
    others       at the end of each block of prompt, and every `SPACING` tokens of a reply, for
                 edits, cut ends and replies whose text is tokenised differently when it is read
                 back; the further back, the wider apart (a gap of `1 / SPREAD` of the way back)

Going back drops the snapshots behind that place, for their rows are about to be overwritten.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from engine.errors import RollbackError
from engine.model.cache import Caches
from engine.model.snapshot import (
    Snapshot,
    can_trim_to,
    copy_to,
    is_known,
    needs_snapshots,
    trim_to,
)

SPACING = 8
SPREAD = 2


def common_prefix(left: Sequence[int], right: Sequence[int]) -> int:
    """How many tokens two texts share from their start. Compares slices, so it is quick."""
    left, right = tuple(left), tuple(right)
    low, high = 0, min(len(left), len(right))
    if left[:high] == right[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle
    return low


class Timeline:
    """Caches, the tokens they hold, where the last reply began, and snapshots by length.

    Tokens and start are those of the last `close`, at the end of a reply.
    `budget_bytes` bounds the snapshots (half of it, a quarter for those that are no boundaries);
    with 0 none are taken.
    """

    def __init__(self, caches: Caches, budget_bytes: int = 0) -> None:
        self.caches = caches
        self.tokens: list[int] = []
        self.reply_start = 0
        self.snapshots: list[Snapshot] = []
        self._budget_bytes = budget_bytes
        self.is_recording = budget_bytes > 0 and is_known(caches) and needs_snapshots(caches)

    @property
    def nbytes(self) -> int:
        """Keys, values and states as allocated, and the snapshots."""
        live = sum(int(leaf.nbytes) for leaf in self.caches.leaves)
        return live + _total_bytes(self.snapshots)

    def close(self, text: Sequence[int], num_prompt: int) -> None:
        """The reply is over: of `text`, prompt and reply, the caches hold the first part."""
        length = self.caches.length
        self.tokens = list(text[:length])
        self.reply_start = min(num_prompt - 1, length)
        # One may have been taken of a forward that was undone since.
        self.snapshots = self._up_to(length)

    def reach(self, prompt: Sequence[int]) -> int:
        """How many tokens of `prompt` need not be run again; the last one always is."""
        common = min(common_prefix(self.tokens, prompt), len(prompt) - 1)
        if self.caches.length <= common:
            return self.caches.length
        if can_trim_to(self.caches, common):
            return common
        return max((kept.length for kept in self._up_to(common)), default=0)

    def go_to(self, length: int) -> None:
        """Take the caches back to a place that `reach` named; their end becomes a boundary."""
        if length == self.caches.length:
            self.mark(is_boundary=True)
            return
        if can_trim_to(self.caches, length):
            trim_to(self.caches, length)
        else:
            self._at(length).restore(self.caches)
        self.caches = Caches(self.caches.entries)
        self.caches.advance(length)
        self.snapshots = self._up_to(length)

    def fork(self, length: int, entries: list[Any]) -> "Timeline":
        """A copy up to a place that `reach` named, in the fresh caches `entries`."""
        other = Timeline(Caches(entries), self._budget_bytes)
        is_trimmable = can_trim_to(self.caches, length)
        copy_to(self.caches, other.caches, length, None if is_trimmable else self._at(length))
        other.snapshots = self._up_to(length)
        return other

    def mark(self, *, is_boundary: bool) -> None:
        """Take a snapshot here, if snapshots are taken and there is none."""
        length = self.caches.length
        if not self.is_recording or length == 0:
            return
        if self.snapshots and self.snapshots[-1].length == length:
            last = self.snapshots.pop()
            is_boundary = is_boundary or last.is_boundary
            self.snapshots.append(replace(last, is_boundary=is_boundary))
        else:
            self.snapshots.append(Snapshot.of(self.caches, is_boundary=is_boundary))
        self._thin()

    def mark_on_the_way(self) -> None:
        """Take a snapshot that is no boundary, if the last one is far enough back."""
        if not self.is_recording:
            return
        last = self.snapshots[-1] if self.snapshots else None
        is_near = self.caches.length - (last.length if last else 0) < SPACING
        is_dear = last is not None and last.nbytes > self._budget_bytes // 4
        if not is_near and not is_dear:
            self.mark(is_boundary=False)

    def drop_least_useful(self, *, is_boundary: bool) -> bool:
        """Give up a snapshot of that kind, unless there is none.

        The newest boundary stays: it is where the last reply began.
        """
        newest = next((kept for kept in reversed(self.snapshots) if kept.is_boundary), None)
        spare = [
            (self._worth(i), i)
            for i, kept in enumerate(self.snapshots)
            if kept.is_boundary == is_boundary and kept is not newest
        ]
        if spare:
            del self.snapshots[min(spare)[1]]
        return bool(spare)

    def _thin(self) -> None:
        end = self.caches.length
        for i in reversed(range(len(self.snapshots) - 1)):
            before = self.snapshots[i - 1].length if i else 0
            after = self.snapshots[i + 1].length
            gap = max(SPACING, (end - after) / SPREAD)
            if not self.snapshots[i].is_boundary and after - before <= gap:
                del self.snapshots[i]
        others = [kept for kept in self.snapshots if not kept.is_boundary]
        if _total_bytes(others) > self._budget_bytes // 4:
            self.drop_least_useful(is_boundary=False)
        while _total_bytes(self.snapshots) > self._budget_bytes // 2:
            if not self.drop_least_useful(is_boundary=True):
                break

    def _worth(self, index: int) -> float:
        """By how much a return would be longer without this snapshot, for its age."""
        here = self.snapshots[index].length
        before = self.snapshots[index - 1].length if index else 0
        is_last = index + 1 == len(self.snapshots)
        after = self.caches.length if is_last else self.snapshots[index + 1].length
        return (after - before) / (self.caches.length - here + SPACING)

    def _up_to(self, length: int) -> list[Snapshot]:
        return [kept for kept in self.snapshots if kept.length <= length]

    def _at(self, length: int) -> Snapshot:
        found = [kept for kept in self.snapshots if kept.length == length]
        if not found:
            raise RollbackError(f"The caches cannot go back to {length} tokens.")
        return found[0]


def _total_bytes(snapshots: Sequence[Snapshot]) -> int:
    return sum(snapshot.nbytes for snapshot in snapshots)
