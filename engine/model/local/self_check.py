"""Local rollback tried on the loaded weights, before anything relies on it.

Three short forwards: a context, a block that is watched, and behind the restored context the first
tokens of that block again. Then

    every token kept    the rebuilt arrays are those the block left, bit for bit
    some tokens kept    they are those of the last forward, to rounding
    none kept           (that is how the context was restored for it)

The second comparison is between blocks of different widths, whose matrix products may round apart,
and those differences pass through every layer below. In float32 that was 1e-6 of an array's largest
entry on the demo model, and 1e-5 is let pass; where anything is kept in 16 bits, an eighth. What
this must find is a changed recurrence, or a window that is one row off, and those are of the size
of the entries themselves.

Of rotating caches the class is tried with numbers for keys, not the model: a real window is
thousands of tokens long. Models with neither are not run at all.
"""

from collections.abc import Callable, Sequence
from math import isnan
from typing import Any, cast

import mlx.core as mx
from mlx_lm.models.cache import ArraysCache, RotatingKVCache

from engine.errors import RollbackError
from engine.model.cache import Caches
from engine.model.local.attention import keeper
from engine.model.local.slots import Misfit
from engine.model.local.watch import BlockWatch

Watch = Callable[[Caches, int], BlockWatch]
Arrays = Sequence[mx.array | None]

# As few as will do: a convolution's window (4 rows at most) then has old, kept and dropped rows.
NUM_CONTEXT, WIDTH, NUM_KEPT = 3, 3, 2
FLOAT32_TOLERANCE = 1e-5
HALF_TOLERANCE = 0.125

# What a changed layer may raise when it is called as the one that is known.
_FAULTS = (AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


def self_check(model: Any, caches: Caches, watch: Watch) -> str | None:
    """Why local rollback cannot be relied on, a clause; None where it did as it should.

    `caches` are fresh ones of `model` and are used up.
    """
    starts = {leaf.keep for leaf in caches.leaves if type(leaf) is RotatingKVCache}
    recurrent = [leaf for leaf in caches.leaves if type(leaf) is ArraysCache]
    try:
        if not all(_rotates_as_known(start) for start in starts):
            return "a rotating cache does not keep a block's tokens as it did"
        if recurrent:
            return _recurrent_misfit(model, caches, recurrent, watch)
    except Misfit as misfit:
        return str(misfit)
    except RollbackError as error:
        return error.sentence[:1].lower() + error.sentence[1:].removesuffix(".")
    except _FAULTS as fault:
        return f"mlx-lm's layers failed when it was tried, {type(fault).__name__}: {fault}"
    return None


def _recurrent_misfit(
    model: Any, caches: Caches, recurrent: list[ArraysCache], watch: Watch
) -> str | None:
    tokens = mx.arange(1, NUM_CONTEXT + WIDTH + 1)  # every vocabulary has these
    context, block = tokens[:NUM_CONTEXT], tokens[NUM_CONTEXT:]
    _run(model, caches, context)
    watched = watch(caches, WIDTH)
    with watched:
        logits = _run(model, caches, block)
    left = _arrays(recurrent)
    if not _is_identical([a for arrays in watched.rebuilt(WIDTH) for a in arrays], left):
        return "a recurrent state made again is not the one the block left"
    kept = [array for arrays in watched.rebuilt(NUM_KEPT) for array in arrays]
    watched.keep(0)
    _run(model, caches, block[:NUM_KEPT])
    expected = _arrays(recurrent)
    if not _is_alike(kept, expected):
        return "a recurrent state made again has another shape or type"
    is_half = any(array.dtype.size == 2 for array in (*left, logits) if array is not None)
    difference = relative_difference(kept, expected)
    if not difference <= (HALF_TOLERANCE if is_half else FLOAT32_TOLERANCE):
        return f"a recurrent state made again is off by {difference:.1g} of its largest entry"
    return None


def _run(model: Any, caches: Caches, tokens: mx.array) -> mx.array:
    logits: mx.array = model(tokens[None], cache=caches.entries)
    caches.advance(tokens.size)
    return logits


def _arrays(recurrent: list[ArraysCache]) -> list[mx.array | None]:
    return [array for leaf in recurrent for array in leaf.cache]


def _is_alike(found: Arrays, expected: Arrays) -> bool:
    return len(found) == len(expected) and all(
        a is not None and b is not None and a.shape == b.shape and a.dtype == b.dtype
        for a, b in zip(found, expected, strict=True)
    )


def _is_identical(found: Arrays, expected: Arrays) -> bool:
    if not _is_alike(found, expected):
        return False
    pairs = zip(found, expected, strict=True)
    equal = [mx.array_equal(a, b) for a, b in pairs if a is not None and b is not None]
    return bool(mx.all(mx.stack(equal)).item())


def relative_difference(found: Arrays, expected: Arrays) -> float:
    """The largest difference between arrays in pairs, as a share of each one's largest entry.

    NaN where an entry is.
    """
    shares = [mx.array(0.0)]
    for a, b in zip(found, expected, strict=True):
        if a is not None and b is not None and b.size:
            a, b = a.astype(mx.float32), b.astype(mx.float32)
            shares.append(mx.max(mx.abs(a - b)) / mx.maximum(mx.max(mx.abs(b)), 1e-30))
    sizes = cast(list[float], mx.stack(shares).tolist())
    return next((size for size in sizes if isnan(size)), max(sizes))


def _rotates_as_known(start: int) -> bool:
    """Whether a wrapped and a growing window hold the same after a cut block as token by token."""
    size, width = start + 4, 3
    for num_held in (start + 2, start + 6):
        for num_kept in range(width):
            cut, plain = RotatingKVCache(size, start), RotatingKVCache(size, start)
            for i in range(num_held):
                _held_after(cut, [i])
                _held_after(plain, [i])
            keep = keeper(cut, width)
            _held_after(cut, [100 + i for i in range(width)])
            keep(num_kept)
            for i in range(num_kept):
                _held_after(plain, [100 + i])
            if _held_after(cut, [200]) != _held_after(plain, [200]):
                return False
    return True


def _held_after(cache: RotatingKVCache, numbers: list[int]) -> list[float]:
    """Write numbers in place of keys and values; what the cache then shows, in any order."""
    rows = mx.array(numbers, dtype=mx.float32)[None, None, :, None]
    keys, values = cache.update_and_fetch(rows, -rows)
    shown: list[float] = sorted((keys - values).flatten().tolist())
    return shown
