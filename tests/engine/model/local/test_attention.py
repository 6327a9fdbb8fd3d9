"""An attention cache cut to a block's first tokens goes on as if only those had been written."""

from collections.abc import Callable
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import (
    CacheList,
    ChunkedKVCache,
    ConcatenateKVCache,
    KVCache,
    RotatingKVCache,
)

from engine.errors import RollbackError
from engine.model.cache import Caches
from engine.model.local.attention import keeper
from engine.model.local.recording import Sites
from engine.model.local.watch import BlockWatch

WINDOW = 8
Make = Callable[[], Any]
ATTENTION: dict[str, Make] = {
    "plain": KVCache,
    "concatenated": ConcatenateKVCache,
    "rotating": lambda: RotatingKVCache(WINDOW),
    "rotating with kept start": lambda: RotatingKVCache(WINDOW, keep=2),
    "chunked": lambda: ChunkedKVCache(WINDOW),
    "list": lambda: CacheList(KVCache(), RotatingKVCache(WINDOW, keep=1)),
}
# Before the wrap, at it from both sides, far past it; blocks inside the window and wider than it.
HELD = (0, 1, 6, 7, 8, 9, 20)
WIDTHS = (1, 2, 6, 11)
CONTINUATIONS = {"tokens": (1, 1, 1, 1), "blocks": (2, 3, 9), "token, block": (1, 2, 1, 4, 1)}

every_cache = pytest.mark.parametrize("make", ATTENTION.values(), ids=ATTENTION.keys())
every_length = pytest.mark.parametrize("held", HELD)
every_width = pytest.mark.parametrize("width", WIDTHS)


def write(cache: Any, first: int, width: int) -> list[Any]:
    """Write `width` numbered tokens, keys and values told apart; what attention is shown."""
    parts = cache.caches if isinstance(cache, CacheList) else [cache]
    tokens = mx.arange(first, first + width, dtype=mx.float32)[None, None, :, None]
    return [_shown(part, tokens) for part in parts]


def _shown(part: Any, tokens: mx.array) -> list[tuple[float, float]]:
    if isinstance(part, ChunkedKVCache):
        part.maybe_trim_front()  # as the model does before each forward
    keys, values = part.update_and_fetch(tokens, tokens + 0.5)
    return sorted(zip(keys.flatten().tolist(), values.flatten().tolist(), strict=True))


def filled(make: Make, held: int, *, in_blocks: bool) -> Any:
    cache = make()
    if in_blocks and held > 1:
        write(cache, 0, held)
    else:
        for i in range(held):
            write(cache, i, 1)
    return cache


def offsets(cache: Any) -> list[int]:
    parts = cache.caches if isinstance(cache, CacheList) else [cache]
    return [part.offset for part in parts]


@every_cache
@every_length
@every_width
@pytest.mark.parametrize("in_blocks", [False, True], ids=["held by tokens", "held by a block"])
def test_keep_then_continue(make: Make, held: int, width: int, in_blocks: bool) -> None:
    for num_kept in range(width + 1):
        for widths in CONTINUATIONS.values():
            cut, plain = (filled(make, held, in_blocks=in_blocks) for _ in range(2))
            caches = Caches([cut])
            caches.advance(held)
            watch = BlockWatch(caches, width, Sites([], []))
            with watch:
                write(cut, 100, width)
                caches.advance(width)
            watch.keep(num_kept)
            assert caches.length == held + num_kept
            if num_kept:
                write(plain, 100, num_kept)
            assert offsets(cut) == offsets(plain)
            for i, more in enumerate(widths):
                where = (num_kept, widths, i)
                assert write(cut, 200 + 20 * i, more) == write(plain, 200 + 20 * i, more), where


@every_length
@every_width
@pytest.mark.parametrize("start", [0, 1, 3])
def test_a_rotating_cache_shows_what_token_by_token_shows(
    held: int, width: int, start: int
) -> None:
    """The kept part written one at a time, so in place, where the cut one took a block."""
    for num_kept in range(width):
        cut, plain = RotatingKVCache(WINDOW, start), RotatingKVCache(WINDOW, start)
        for i in range(held):
            write(cut, i, 1)
            write(plain, i, 1)
        keep = keeper(cut, width)
        write(cut, 100, width)
        keep(num_kept)
        for i in range(num_kept):
            write(plain, 100 + i, 1)
        assert write(cut, 200, 1) == write(plain, 200, 1), num_kept
        assert cut.offset == plain.offset
        assert write(cut, 300, 4) == write(plain, 300, 4), num_kept


def test_the_array_before_the_block_is_not_written_to() -> None:
    """What is put back for none kept is the very array, and still as it was."""
    cache = RotatingKVCache(WINDOW)
    for i in range(WINDOW + 3):
        write(cache, i, 1)
    before, numbers = cache.keys, cache.keys.tolist()
    keep = keeper(cache, 3)
    write(cache, 100, 3)
    assert cache.keys is not before
    keep(0)
    assert cache.keys is before
    assert before.tolist() == numbers


def test_a_block_that_did_not_come_is_an_error() -> None:
    for make in ATTENTION.values():
        leaf = Caches([make()]).leaves[0]
        keep = keeper(leaf, 4)
        write(leaf, 0, 3)
        with pytest.raises(RollbackError, match="took 3 tokens of a block of 4"):
            keep(2)


def test_rows_elsewhere_than_at_the_end_are_an_error() -> None:
    cache = RotatingKVCache(WINDOW)
    keep = keeper(cache, 3)
    write(cache, 0, 3)
    cache.keys = mx.concatenate([cache.keys, cache.keys], axis=2)
    with pytest.raises(RollbackError, match="at its end"):
        keep(2)


def test_more_tokens_than_the_block_are_an_error() -> None:
    caches = Caches([KVCache()])
    watch = BlockWatch(caches, 2, Sites([], []))
    for number in (-1, 3):
        with pytest.raises(RollbackError, match="has no first"):
            watch.keep(number)
