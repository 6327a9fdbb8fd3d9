"""A place in a conversation that its caches can go back to, any number of times.

A `Checkpoint` (see `cache`) is good for one restore, a step later; a snapshot outlives turns, so it
shares nothing with the live caches that these still write to:

    KVCache, ConcatenateKVCache   nothing: rows before the place stay as they are, going back is an
                                  offset; holding the arrays would make the next write copy them all
    ArraysCache                   its arrays, without the larger ones they may be slices of
    RotatingKVCache               the window; the live cache's next write copies, not this one's
    ChunkedKVCache                the rows since the place's chunk began, all that attention sees

Some leaves can also *trim* to a place that no snapshot was made at: see `can_trim_to`.
"""

from dataclasses import dataclass
from typing import Any

import mlx.core as mx
from mlx_lm.models.cache import (
    ArraysCache,
    ChunkedKVCache,
    ConcatenateKVCache,
    KVCache,
    RotatingKVCache,
)

from engine.errors import RollbackError
from engine.model.cache import Caches

_GROWING = (KVCache, ConcatenateKVCache)
_KNOWN = (*_GROWING, RotatingKVCache, ChunkedKVCache, ArraysCache)


@dataclass(frozen=True, slots=True, eq=False)
class LeafState:
    """One cache at one place: its arrays, and the numbers that say how they are to be read."""

    length: int
    arrays: tuple[mx.array | None, ...] = ()
    numbers: tuple[int, ...] = ()

    @property
    def nbytes(self) -> int:
        """What the arrays take, in bytes."""
        return sum(array.nbytes for array in self.arrays if array is not None)


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """Every leaf at one place. A boundary is where later prompts are expected to part from here."""

    length: int
    states: tuple[LeafState, ...]
    is_boundary: bool
    nbytes: int

    @classmethod
    def of(cls, caches: Caches, *, is_boundary: bool) -> "Snapshot":
        """Remember the caches as they are now; starts computing what is not computed yet."""
        states = tuple(_capture(leaf, caches.length) for leaf in caches.leaves)
        # Unevaluated, they would hold on to all that they are still to be computed from.
        mx.async_eval([array for state in states for array in state.arrays if array is not None])
        return cls(caches.length, states, is_boundary, sum(state.nbytes for state in states))

    def restore(self, caches: Caches) -> None:
        """Put the leaves back to this place. The snapshot stays good."""
        for leaf, state in zip(caches.leaves, self.states, strict=True):
            _restore(leaf, state)


def is_known(caches: Caches) -> bool:
    """Whether every leaf is of a class that is known here."""
    return all(type(leaf) in _KNOWN for leaf in caches.leaves)


def needs_snapshots(caches: Caches) -> bool:
    """Whether there are places that trimming alone will not reach, now or later."""
    return any(type(leaf) not in _GROWING for leaf in caches.leaves)


def can_trim_to(caches: Caches, length: int) -> bool:
    """Whether every leaf still holds all it needs to go on from `length`, if later rows go."""
    return length == caches.length or all(_can_trim_to(leaf, length) for leaf in caches.leaves)


def trim_to(caches: Caches, length: int) -> None:
    """Drop the rows behind `length`. Raises RollbackError if a cache dropped fewer than told."""
    if length == caches.length:
        return
    for leaf in caches.leaves:
        if type(leaf) is ConcatenateKVCache:
            leaf.state = (leaf.keys[..., :length, :], leaf.values[..., :length, :])
            continue
        too_many = leaf.offset - length
        if leaf.trim(too_many) != too_many:
            raise RollbackError(f"A {type(leaf).__name__} did not drop {too_many} tokens.")


def copy_to(source: Caches, target: Caches, length: int, snapshot: Snapshot | None) -> None:
    """Make fresh caches hold the first `length` tokens of `source`, which stays as it is.

    `snapshot` is of that place; without one the source must be trimmable to it.
    """
    copied: list[mx.array] = []
    for i, (leaf, fresh) in enumerate(zip(source.leaves, target.leaves, strict=True)):
        if type(leaf) in _GROWING:
            rows = (leaf.keys[..., :length, :], leaf.values[..., :length, :])
            state = LeafState(length, tuple(mx.contiguous(array) for array in rows))
        else:
            state = _capture(leaf, length) if snapshot is None else snapshot.states[i]
        _restore(fresh, state)
        copied.extend(array for array in state.arrays if array is not None)
    mx.eval(copied)
    target.advance(length)


def _can_trim_to(leaf: Any, length: int) -> bool:
    if type(leaf) is RotatingKVCache:
        return bool(leaf.offset < leaf.max_size)
    if type(leaf) is ChunkedKVCache:
        return bool(leaf.start_position <= _chunk_start(leaf, length))
    return type(leaf) in _GROWING


def _chunk_start(leaf: ChunkedKVCache, length: int) -> int:
    return length // int(leaf.chunk_size) * int(leaf.chunk_size)


def _capture(leaf: Any, length: int) -> LeafState:
    """What `leaf` must remember to come back to `length`: here, or before it and trimmable."""
    if type(leaf) is ArraysCache:
        arrays = (*leaf.cache, leaf.left_padding, leaf.lengths)
        compact = tuple(array if array is None else mx.contiguous(array) for array in arrays)
        return LeafState(length, compact)
    if type(leaf) is RotatingKVCache:
        return _captured_window(leaf, length)
    if type(leaf) is ChunkedKVCache:
        first = _chunk_start(leaf, length)
        rows = slice(first - leaf.start_position, length - leaf.start_position)
        return LeafState(length, _rows(leaf, rows), (first,))
    return LeafState(length)


def _captured_window(leaf: RotatingKVCache, length: int) -> LeafState:
    if leaf.offset < leaf.max_size:  # not full yet, so rows lie in order
        return LeafState(length, _rows(leaf, slice(0, length)), (length,))
    surplus = leaf.keys.shape[2] - leaf.max_size
    if surplus > 0:  # behind a block; the next write drops these rows, in this way
        window = (leaf._trim(surplus, leaf.keys), leaf._trim(surplus, leaf.values))
        return LeafState(length, window, (leaf.max_size,))
    # New handles on the same buffers: whoever writes next finds them shared and copies.
    return LeafState(length, (mx.array(leaf.keys), mx.array(leaf.values)), (leaf._idx,))


def _rows(leaf: Any, rows: slice) -> tuple[mx.array | None, ...]:
    if leaf.keys is None or rows.start == rows.stop:
        return (None, None)
    return mx.contiguous(leaf.keys[..., rows, :]), mx.contiguous(leaf.values[..., rows, :])


def _restore(leaf: Any, state: LeafState) -> None:
    # New handles, so that what a cache writes in place is not written into the snapshot.
    arrays = [array if array is None else mx.array(array) for array in state.arrays]
    if type(leaf) is ArraysCache:
        *entries, left_padding, lengths = arrays
        leaf.state = (entries, left_padding, lengths)
        return
    if arrays:
        leaf.keys, leaf.values = arrays
    elif type(leaf) is ConcatenateKVCache:
        leaf.keys = leaf.keys[..., : state.length, :]
        leaf.values = leaf.values[..., : state.length, :]
    leaf.offset = state.length
    if type(leaf) is RotatingKVCache:
        (leaf._idx,) = state.numbers
    elif type(leaf) is ChunkedKVCache:
        (leaf.start_position,) = state.numbers
