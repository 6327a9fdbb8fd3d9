"""A snapshot is a place to come back to: exactly, again and again, and without sharing a write."""

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
from engine.model.cache import Caches
from engine.model.snapshot import (
    Snapshot,
    can_trim_to,
    copy_to,
    is_known,
    needs_snapshots,
    trim_to,
)

WINDOW = 8
WIDE = 64
Make = Callable[[], Any]
KINDS: dict[str, Make] = {
    "plain": KVCache,
    "concatenated": ConcatenateKVCache,
    "rotating": lambda: RotatingKVCache(WINDOW),
    "rotating with kept start": lambda: RotatingKVCache(WINDOW, keep=2),
    "chunked": lambda: ChunkedKVCache(WINDOW),
    "recurrent": lambda: ArraysCache(size=2),
    "list": lambda: CacheList(KVCache(), RotatingKVCache(WINDOW), ArraysCache(size=2)),
}


def write(caches: Caches, *tokens: int) -> list[list[float]]:
    """Write tokens as a model would; for each leaf, what attention or the state then sees."""
    block = mx.array(tokens, dtype=mx.float32)
    seen = []
    for leaf in caches.leaves:
        if type(leaf) is ArraysCache:
            before = mx.array(0.0) if leaf[0] is None else leaf[0]
            leaf[0] = before * 3 + block.sum()
            history = block if leaf[1] is None else mx.concatenate([leaf[1], block])
            leaf[1] = history[-3:]
            seen.append([leaf[0].item(), *leaf[1].tolist()])
            continue
        if type(leaf) is ChunkedKVCache:
            leaf.maybe_trim_front()  # as the model that uses it does before each forward
        column = block[None, None, :, None]
        rows = leaf.update_and_fetch(column, column)[0].flatten().tolist()
        if type(leaf) is ChunkedKVCache:  # attention does not look past the start of its chunk
            rows = rows[-(caches.length + len(tokens) - caches.length // WINDOW * WINDOW) :]
        seen.append(sorted(rows))
    caches.advance(len(tokens))
    return seen


def filled(make: Make, length: int) -> Caches:
    caches = Caches([make()])
    for token in range(length):
        write(caches, token)
    return caches


def back(caches: Caches, snapshot: Snapshot) -> Caches:
    snapshot.restore(caches)
    returned = Caches(caches.entries)
    returned.advance(snapshot.length)
    return returned


every_kind = pytest.mark.parametrize("make", KINDS.values(), ids=KINDS.keys())


@every_kind
@pytest.mark.parametrize("held", [1, 5, 7, 8, 9, 20])
def test_coming_back_any_number_of_times(make: Make, held: int) -> None:
    caches = filled(make, held)
    snapshot = Snapshot.of(caches, is_boundary=True)
    for detour in ([100], [100, 101, 102], list(range(100, 130)), [*range(100, 111)]):
        for i in range(0, len(detour), 4):
            write(caches, *detour[i : i + 4])
        for token in (150, 151):
            write(caches, token)
        caches = back(caches, snapshot)
        assert caches.length == held
        untouched = filled(make, held)
        for block in [(200,), (201,), (202,), (203, 204), (205,), (206, 207, 208)]:
            assert write(caches, *block) == write(untouched, *block)
        caches = back(caches, snapshot)


@every_kind
@pytest.mark.parametrize("width", [3, 11])
def test_a_snapshot_behind_a_block(make: Make, width: int) -> None:
    caches, untouched = Caches([make()]), Caches([make()])
    for first in range(0, 2 * width, width):
        write(caches, *range(first, first + width))
        write(untouched, *range(first, first + width))
    snapshot = Snapshot.of(caches, is_boundary=False)
    write(caches, *range(100, 120))
    caches = back(caches, snapshot)
    for block in [(200,), (201, 202), (203,)]:
        assert write(caches, *block) == write(untouched, *block)


@every_kind
@pytest.mark.parametrize("held", [3, 6, 13])
@pytest.mark.parametrize("length", [1, 3, 6, 12])
def test_trimming_where_it_is_said_to_work(make: Make, held: int, length: int) -> None:
    caches = filled(make, held)
    if length > held or not can_trim_to(caches, length):
        return  # which these are is said below
    trim_to(caches, length)
    trimmed = Caches(caches.entries)
    trimmed.advance(length)
    untouched = filled(make, length)
    for block in [(200,), (201, 202), (203,)]:
        assert write(trimmed, *block) == write(untouched, *block)


@pytest.mark.parametrize(
    ("kind", "held", "length", "can"),
    [
        ("plain", 30, 1, True),
        ("concatenated", 30, 1, True),
        ("rotating", 7, 3, True),
        ("rotating", 8, 3, False),
        ("chunked", 7, 3, True),
        ("chunked", 30, 3, False),
        ("recurrent", 3, 2, False),
        ("recurrent", 3, 3, True),
        ("list", 3, 2, False),
    ],
)
def test_what_can_be_trimmed(kind: str, held: int, length: int, can: bool) -> None:
    assert can_trim_to(filled(KINDS[kind], held), length) == can


def test_a_cache_that_drops_too_few_is_an_error() -> None:
    caches = filled(lambda: ChunkedKVCache(WINDOW), 20)
    with pytest.raises(RollbackError, match="ChunkedKVCache"):
        trim_to(caches, 2)


@every_kind
@pytest.mark.parametrize("behind", [0, 1, 30])
def test_a_copy_goes_on_alone(make: Make, behind: int) -> None:
    held = 6
    caches, kept = filled(make, held), filled(make, held)
    snapshot = Snapshot.of(caches, is_boundary=True)
    for token in range(100, 100 + behind):
        write(caches, token)
        write(kept, token)
    copy = Caches([make()])
    copy_to(caches, copy, held, snapshot)
    assert copy.length == held
    untouched = filled(make, held)
    for block in [(200,), (201, 202)]:
        assert write(copy, *block) == write(untouched, *block)
    for block in [(300,), (301, 302)]:
        assert write(caches, *block) == write(kept, *block)


@pytest.mark.parametrize("kind", ["plain", "concatenated", "rotating", "chunked"])
def test_a_copy_of_what_is_trimmable_needs_no_snapshot(kind: str) -> None:
    caches, copy = filled(KINDS[kind], 7), Caches([KINDS[kind]()])
    assert can_trim_to(caches, 4)
    copy_to(caches, copy, 4, None)
    assert write(copy, 200, 201) == write(filled(KINDS[kind], 4), 200, 201)
    assert write(caches, 300) == write(filled(KINDS[kind], 7), 300)


def test_a_key_value_cache_is_not_copied_by_the_write_after_a_snapshot() -> None:
    leaf = KVCache()
    caches = Caches([leaf])
    rows = mx.ones((1, 4, 1000, WIDE))
    leaf.update_and_fetch(rows, rows)
    caches.advance(1000)
    mx.eval(leaf.keys, leaf.values)
    del rows
    snapshot = Snapshot.of(caches, is_boundary=True)
    assert snapshot.nbytes == 0
    before = mx.get_active_memory()
    mx.reset_peak_memory()
    one = mx.ones((1, 4, 1, WIDE))
    leaf.update_and_fetch(one, one)
    mx.eval(leaf.keys, leaf.values)
    assert mx.get_peak_memory() - before < leaf.nbytes / 4


def test_a_state_sliced_from_a_long_block_does_not_keep_the_block() -> None:
    leaf = ArraysCache(size=1)
    caches = Caches([leaf])
    before = mx.get_active_memory()
    block = mx.ones((1, 4096, 256))
    leaf[0] = block[:, -3:]
    mx.eval(leaf[0])
    caches.advance(4096)
    snapshot = Snapshot.of(caches, is_boundary=True)
    mx.eval(snapshot.states[0].arrays[0])
    assert snapshot.nbytes == 3 * 256 * 4
    leaf[0] = None
    del block
    assert mx.get_active_memory() - before < 2**18


def test_which_caches_are_known_and_which_need_snapshots() -> None:
    assert is_known(Caches([make() for make in KINDS.values()]))
    assert not is_known(Caches([KVCache(), BatchKVCache([0])]))
    assert not is_known(Caches([QuantizedKVCache()]))
    needing = {name for name, make in KINDS.items() if needs_snapshots(Caches([make()]))}
    assert needing == KINDS.keys() - {"plain", "concatenated"}
