"""mlx-lm's caches seen as one: how many tokens they hold, and how to take some back.

A cache can forget rejected drafts in one of two ways. *Trim* drops the newest positions; attention
caches can, a recurrent state cannot. *Checkpoint and restore* works for every class known here:

    KVCache, ChunkedKVCache   remember an offset; what lies behind it is overwritten later
    ArraysCache               entries are replaced, never written in place: references suffice
    ConcatenateKVCache        likewise
    RotatingKVCache           writes single tokens in place: a real copy, unless a block follows
    CacheList                 each of its parts

Whether a rotating cache can be trimmed *after* a forward depends on that forward's width, so the
question is always asked before it (`can_trim`). A class not listed is refused by name.
"""

from collections.abc import Callable, Iterable
from typing import Any

import mlx.core as mx
from mlx_lm.models.cache import (
    ArraysCache,
    CacheList,
    ChunkedKVCache,
    ConcatenateKVCache,
    KVCache,
    QuantizedKVCache,
    RotatingKVCache,
)

from engine.errors import RollbackError

FAMILIES: dict[type, str] = {
    KVCache: "attention",
    ConcatenateKVCache: "attention",
    QuantizedKVCache: "quantised attention",
    RotatingKVCache: "sliding attention",
    ChunkedKVCache: "chunked attention",
    ArraysCache: "recurrent",
}
QUANTISED_GROUP_SIZE = 64


def _leaves(entries: Iterable[Any]) -> list[Any]:
    """The caches themselves, those inside a `CacheList` included."""
    leaves: list[Any] = []
    for entry in entries:
        leaves.extend(_leaves(entry.caches) if type(entry) is CacheList else [entry])
    return leaves


def cache_families(entries: Iterable[Any]) -> tuple[str, ...]:
    """Plain words for the kinds of caches a model keeps, each once, in layer order."""
    names = [FAMILIES.get(type(leaf), type(leaf).__name__) for leaf in _leaves(entries)]
    return tuple(dict.fromkeys(names))


def is_recurrent(entries: Iterable[Any]) -> bool:
    """Whether any layer keeps a state that cannot be trimmed."""
    return any(type(leaf) is ArraysCache for leaf in _leaves(entries))


def speculation_refusal(entries: Iterable[Any]) -> str | None:
    """Why drafts cannot be rolled back on these caches; None where they can."""
    for leaf in _leaves(entries):
        if type(leaf) is QuantizedKVCache:
            return "the key-value cache is quantised, so a block of tokens is rounded differently"
        if type(leaf) not in FAMILIES:
            return f"the model keeps a {type(leaf).__name__}, which cannot be rolled back here"
    return None


def quantised(entries: Iterable[Any], bits: int) -> list[Any]:
    """The same empty caches with every plain key-value cache quantised to `bits`."""
    return [
        QuantizedKVCache(group_size=QUANTISED_GROUP_SIZE, bits=bits)
        if type(entry) is KVCache
        else entry
        for entry in entries
    ]


def restorer(leaf: Any, width: int) -> Callable[[], None]:
    """What puts `leaf` back as it is now, after a forward of `width` tokens."""
    if type(leaf) is KVCache or type(leaf) is ChunkedKVCache:
        # Holding the arrays would make the next write copy the whole cache.
        offset = leaf.offset

        def restore() -> None:
            leaf.offset = offset
    elif type(leaf) is ArraysCache:
        arrays, left_padding, lengths = list(leaf.cache), leaf.left_padding, leaf.lengths

        def restore() -> None:
            leaf.state = (list(arrays), left_padding, lengths)
    elif type(leaf) is ConcatenateKVCache:
        keys, values = leaf.keys, leaf.values

        def restore() -> None:
            leaf.keys, leaf.values = keys, values
            leaf.offset = 0 if keys is None else keys.shape[-2]
    elif type(leaf) is RotatingKVCache:
        keys, values, *scalars = leaf.state
        if width == 1 and keys is not None:
            keys, values = mx.array(keys), mx.array(values)

        def restore() -> None:
            leaf.state = (keys, values, *scalars)
    else:
        raise RollbackError(f"A {type(leaf).__name__} cannot be rolled back.")
    return restore


def _can_trim(leaf: Any, width: int) -> bool:
    if type(leaf) is RotatingKVCache:
        return bool(leaf.offset + width < leaf.max_size)
    return type(leaf) is KVCache or type(leaf) is ChunkedKVCache


class Checkpoint:
    """A place to go back to, good for one restore."""

    __slots__ = ("_restorers", "length")

    def __init__(self, length: int, restorers: list[Callable[[], None]]) -> None:
        self.length = length
        self._restorers = restorers

    def restore(self) -> None:
        """Put every cache back as it was when this checkpoint was made."""
        for restore in self._restorers:
            restore()


class Caches:
    """One model's caches and the number of tokens they hold. The only writer of both.

    `entries` go to the model as they are; after a forward of n tokens call `advance(n)`.
    """

    def __init__(self, entries: list[Any]) -> None:
        self.entries = entries
        self.length = 0
        self._leaves = _leaves(entries)

    @property
    def leaves(self) -> list[Any]:
        """The caches themselves, those inside a `CacheList` included."""
        return self._leaves

    def advance(self, num_tokens: int) -> None:
        """Count tokens that a forward has just written."""
        self.length += num_tokens

    def settle(self, length: int) -> None:
        """Say how many tokens every cache holds, after each was rolled back on its own."""
        self.length = length

    def can_trim(self, width: int) -> bool:
        """Whether, after a forward of `width` tokens, any of them can be trimmed again."""
        return all(_can_trim(leaf, width) for leaf in self._leaves)

    def trim(self, num_tokens: int) -> None:
        """Drop the newest tokens. Raises RollbackError if a cache dropped fewer than told."""
        for leaf in self._leaves:
            dropped = leaf.trim(num_tokens)
            if dropped != num_tokens:
                name = type(leaf).__name__
                raise RollbackError(f"A {name} dropped {dropped} of {num_tokens} tokens.")
        self.length -= num_tokens

    def checkpoint(self, width: int) -> Checkpoint:
        """Remember this place before a forward of `width` tokens."""
        return Checkpoint(self.length, [restorer(leaf, width) for leaf in self._leaves])

    def is_checkpoint_cheap(self) -> bool:
        """Whether a checkpoint before a one-token forward copies nothing."""
        return not any(type(leaf) is RotatingKVCache for leaf in self._leaves)

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go back to a checkpoint; it cannot be used again."""
        checkpoint.restore()
        self.length = checkpoint.length

    def evaluate(self) -> None:
        """Compute what the caches hold, so that nothing of the last forward is left to do."""
        mx.eval([entry.state for entry in self.entries])
