"""Going back: after trim or restore a cache continues exactly as if nothing had happened."""

from collections.abc import Callable
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import (
    ArraysCache,
    BatchKVCache,
    CacheList,
    ChunkedKVCache,
    ConcatenateKVCache,
    KVCache,
    QuantizedKVCache,
    RotatingKVCache,
)

from engine.errors import RollbackError
from engine.model.cache import Caches, cache_families, is_recurrent, speculation_refusal

WINDOW = 8
Make = Callable[[], Any]
ATTENTION: dict[str, Make] = {
    "plain": KVCache,
    "concatenated": ConcatenateKVCache,
    "rotating": lambda: RotatingKVCache(WINDOW),
    "rotating with kept start": lambda: RotatingKVCache(WINDOW, keep=2),
    "chunked": lambda: ChunkedKVCache(WINDOW),
    "list": lambda: CacheList(KVCache(), RotatingKVCache(WINDOW)),
}


def write(cache: Any, first: int, width: int) -> list[Any]:
    """Write `width` numbered tokens; what the cache returns to attention."""
    parts = cache.caches if isinstance(cache, CacheList) else [cache]
    tokens = mx.arange(first, first + width, dtype=mx.float32)[None, None, :, None]
    return [sorted(part.update_and_fetch(tokens, tokens)[0].flatten().tolist()) for part in parts]


@pytest.mark.parametrize("make", ATTENTION.values(), ids=ATTENTION.keys())
@pytest.mark.parametrize("held", [0, 1, 5, 7, 8, 9, 20])
@pytest.mark.parametrize("width", [1, 2, 6])
def test_restore_then_continue(make: Make, held: int, width: int) -> None:
    cache, untouched = make(), make()
    for i in range(held):
        write(cache, i, 1)
        write(untouched, i, 1)
    caches = Caches([cache])
    caches.advance(held)
    checkpoint = caches.checkpoint(width)
    write(cache, 100, width)
    caches.advance(width)
    caches.restore(checkpoint)
    assert caches.length == held
    for first, again in [(200, 2), (300, 1), (301, 1), (400, 3)]:
        assert write(cache, first, again) == write(untouched, first, again)


@pytest.mark.parametrize("name", ["plain", "rotating", "chunked", "list"])
@pytest.mark.parametrize("held", [0, 1, 3, 5])
@pytest.mark.parametrize("width", [1, 2, 6])
def test_trim_where_it_is_said_to_work(name: str, held: int, width: int) -> None:
    cache, untouched = ATTENTION[name](), ATTENTION[name]()
    for i in range(held):
        write(cache, i, 1)
        write(untouched, i, 1)
    caches = Caches([cache])
    caches.advance(held)
    if not caches.can_trim(width):
        assert name in ("rotating", "list")
        assert held + width >= WINDOW
        return
    write(cache, 100, width)
    caches.advance(width)
    caches.trim(width)
    assert caches.length == held
    for first, again in [(200, 2), (300, 1), (400, 3)]:
        assert write(cache, first, again) == write(untouched, first, again)


def test_trimming_less_than_told_is_an_error() -> None:
    cache = ChunkedKVCache(WINDOW)
    write(cache, 0, 4)
    caches = Caches([cache])
    caches.advance(4)
    with pytest.raises(RollbackError, match="dropped 4 of 9"):
        caches.trim(9)


def test_recurrent_state_is_restored_by_reference() -> None:
    cache = ArraysCache(size=2)
    before = mx.array([1.0])
    cache[0] = before
    caches = Caches([cache])
    checkpoint = caches.checkpoint(3)
    cache[0] = mx.array([2.0])
    cache[1] = mx.array([3.0])
    caches.restore(checkpoint)
    assert cache[0] is before
    assert cache[1] is None
    assert not caches.can_trim(1)


def test_a_checkpoint_of_a_key_value_cache_holds_no_arrays() -> None:
    cache = KVCache()
    write(cache, 0, 200)
    mx.eval(cache.state)
    caches = Caches([cache])
    checkpoint = caches.checkpoint(4)
    before = mx.get_active_memory()
    write(cache, 200, 4)
    mx.eval(cache.keys, cache.values)
    assert mx.get_active_memory() - before < cache.nbytes / 2
    caches.restore(checkpoint)


def test_families_and_refusals() -> None:
    entries = [KVCache(), CacheList(RotatingKVCache(4), ArraysCache(1)), KVCache()]
    assert cache_families(entries) == ("attention", "sliding attention", "recurrent")
    assert is_recurrent(entries)
    assert speculation_refusal(entries) is None
    assert "BatchKVCache" in str(speculation_refusal([BatchKVCache([0])]))
    assert "quantised" in str(speculation_refusal([QuantizedKVCache()]))
