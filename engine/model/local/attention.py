"""Attention caches after exactly the first m tokens of a block: nothing is computed, rows go.

    KVCache, ChunkedKVCache   trimmed, and what `trim` says is checked
    ConcatenateKVCache        sliced: its `trim` moves the offset only, and it appends at the end
    RotatingKVCache           sliced, or put back for m = 0

A rotating cache of `max_size` M lays itself out anew for a block of two tokens or more
(`_update_concat`): kept start and older rows in order of time, cut to the M - 1 that the block's
first token may still see, then the block's rows. Nothing is written in place. So for m >= 1,
dropping the last rows leaves M - 1 + m at most, at least M once the window is full: just what a
block of m tokens leaves, and all that any later token may see, whether the cache had wrapped, wraps
inside the block, or has not come to it. Which rows are the kept start does not change. For m = 0
that would leave M - 1 rows of a full window, which a single token's write in place would take for a
cache still growing; there the arrays from before are put back, to which the block did nothing. A
block of one token writes in place, so before it the arrays are copied.
"""

from collections.abc import Callable
from typing import Any

from mlx_lm.models.cache import ConcatenateKVCache, RotatingKVCache

from engine.errors import RollbackError
from engine.model.cache import restorer


def keeper(leaf: Any, width: int) -> Callable[[int], None]:
    """What leaves `leaf` with the first m (0..width - 1) of the next `width` tokens."""
    if type(leaf) is RotatingKVCache:
        return _rotating_keeper(leaf, width)
    before = leaf.offset
    keep_rows = _keep_concatenated if type(leaf) is ConcatenateKVCache else _trim

    def keep(num_tokens: int) -> None:
        _check_moved(leaf, before, width)
        keep_rows(leaf, before + num_tokens)

    return keep


def _trim(leaf: Any, num_rows: int) -> None:
    excess = leaf.offset - num_rows
    dropped = leaf.trim(excess)
    if dropped != excess:
        name = type(leaf).__name__
        raise RollbackError(f"A {name} dropped {dropped} of {excess} tokens.")


def _keep_concatenated(leaf: ConcatenateKVCache, num_rows: int) -> None:
    if num_rows == 0:
        leaf.keys, leaf.values = None, None
    else:
        leaf.keys, leaf.values = leaf.keys[..., :num_rows, :], leaf.values[..., :num_rows, :]
    leaf.offset = num_rows


def _rotating_keeper(leaf: RotatingKVCache, width: int) -> Callable[[int], None]:
    before, restore = leaf.offset, restorer(leaf, width)

    def keep(num_tokens: int) -> None:
        _check_moved(leaf, before, width)
        if num_tokens == 0:
            restore()
            return
        keys, values, offset, kept_start, max_size, end = leaf.state
        if keys.shape[2] != end:
            raise RollbackError("A RotatingKVCache did not put a block's tokens at its end.")
        excess = width - num_tokens
        keys, values = keys[..., : end - excess, :], values[..., : end - excess, :]
        leaf.state = (keys, values, offset - excess, kept_start, max_size, end - excess)

    return keep


def _check_moved(leaf: Any, before: int, width: int) -> None:
    if leaf.offset != before + width:
        name, moved = type(leaf).__name__, leaf.offset - before
        raise RollbackError(f"A {name} took {moved} tokens of a block of {width}.")
