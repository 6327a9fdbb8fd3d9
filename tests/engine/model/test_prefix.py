"""The store: which conversation a prompt is given, what the budget lets go, what is reported."""

from collections.abc import Sequence
from typing import Any

import mlx.core as mx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mlx_lm.models.cache import ArraysCache, BatchKVCache, KVCache

from engine.errors import RollbackError
from engine.model.cache import Caches
from engine.model.prefix import MAX_DEFAULT_BYTES, PrefixStore, default_budget_bytes
from engine.model.timeline import SPACING, Timeline, common_prefix

PLENTY = 2**30
# A key-value cache is allocated 256 rows at a time, here of two numbers; a state is one number.
ROWS_BYTES = 256 * 2 * 4
STATE_BYTES = 4


def attention() -> list[Any]:
    return [KVCache()]


def hybrid() -> list[Any]:
    return [KVCache(), ArraysCache(size=1)]


def run_to(timeline: Timeline, text: Sequence[int], length: int) -> None:
    """Write up to `length` tokens of `text`, as a forward would."""
    caches = timeline.caches
    block = mx.array(text[caches.length : length], dtype=mx.float32)
    for leaf in caches.leaves:
        if type(leaf) is ArraysCache:
            leaf[0] = (mx.array(0.0) if leaf[0] is None else leaf[0]) + block.sum()
        else:
            leaf.update_and_fetch(block[None, None, :, None], block[None, None, :, None])
    caches.advance(block.size)


def reply(store: PrefixStore, make: Any, text: Sequence[int], num_prompt: int) -> int:
    """Take, run, mark and put as a reply does; how much was reused."""
    timeline = store.take(text[:num_prompt], make)
    num_reused = timeline.caches.length
    run_to(timeline, text, num_prompt - 1)
    timeline.mark(is_boundary=True)
    for length in range(num_prompt, len(text)):
        run_to(timeline, text, length)
        timeline.mark_on_the_way()
    store.put(timeline, text, num_prompt)
    return num_reused


def states(timeline: Timeline) -> list[float]:
    return [leaf[0].item() for leaf in timeline.caches.leaves if type(leaf) is ArraysCache]


@given(st.lists(st.integers(0, 1), max_size=40), st.lists(st.integers(0, 1), max_size=40))
def test_the_common_prefix(left: list[int], right: list[int]) -> None:
    pairs = zip(left, right, strict=False)
    expected = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))
    assert common_prefix(left, tuple(right)) == expected


def test_the_longest_prefix_wins_and_the_last_token_is_always_run() -> None:
    store = PrefixStore(PLENTY)
    reply(store, attention, [1, 2, 3, 4, 5, 6], 4)
    reply(store, attention, [7, 8, 3, 4, 5, 6], 4)
    assert store.take([9, 9], attention).caches.length == 0
    assert store.take([7, 8, 3, 4, 5, 6, 7], attention).caches.length == 5
    assert store.take([1, 2, 3, 4, 5], attention).caches.length == 4
    assert store.report().num_conversations == 0


def test_a_state_that_cannot_be_trimmed_goes_back_to_a_snapshot() -> None:
    store = PrefixStore(PLENTY)
    text = list(range(1, 60))
    reply(store, hybrid, text, 30)
    timeline = store.take(text[:30], hybrid)
    assert timeline.caches.length == 29
    assert states(timeline) == [sum(text[:29])]
    assert [snapshot.length for snapshot in timeline.snapshots] == [29]
    store.put(timeline, text[:29], 30)

    changed = [*text[:20], 0, 0]
    assert store.take(changed, hybrid).caches.length == 0


def test_the_end_of_a_reply_becomes_a_place_when_the_next_turn_goes_on_from_it() -> None:
    store = PrefixStore(PLENTY)
    text = list(range(1, 40))
    reply(store, hybrid, text[:25], 20)
    assert reply(store, hybrid, text, 35) == 24
    edited = [*text[:26], 0, 0, 0]
    timeline = store.take(edited, hybrid)
    assert timeline.caches.length == 24
    assert states(timeline) == [sum(text[:24])]


def test_a_prompt_that_shares_less_than_it_would_cost_is_given_a_copy() -> None:
    store = PrefixStore(PLENTY)
    system, first = [1, 2, 3, 4, 5], list(range(10, 60))
    reply(store, attention, [*system, *first], 40)
    assert reply(store, attention, [*system, 70, 71, 72], 7) == len(system)
    assert store.report().num_conversations == 2
    assert reply(store, attention, [*system, *first, 80, 81], 56) == 54
    assert store.report().num_conversations == 2


def test_a_hybrid_copy_starts_from_the_shared_snapshot_and_leaves_the_first_alone() -> None:
    store = PrefixStore(PLENTY)
    text = list(range(1, 90))
    timeline = store.take(text[:60], hybrid)
    run_to(timeline, text, 12)
    timeline.mark(is_boundary=True)
    run_to(timeline, text, 88)
    store.put(timeline, text, 60)
    other = store.take([*text[:12], 0, 0, 0], hybrid)
    assert other.caches.length == 12
    assert states(other) == [sum(text[:12])]
    assert states(store.take([*text, 1], hybrid)) == [sum(text[:88])]


def test_another_reply_to_the_last_prompt_takes_the_caches_however_long_the_first_was() -> None:
    store = PrefixStore(PLENTY)
    text = list(range(1, 100))
    reply(store, hybrid, text, 10)
    assert reply(store, hybrid, [*text[:10], 0, 0, 0, 0], 10) == 9
    assert store.report().num_conversations == 1


def test_the_further_back_the_wider_apart() -> None:
    timeline = Timeline(Caches(hybrid()), PLENTY)
    text = [1] * 6000
    run_to(timeline, text, 40)
    timeline.mark(is_boundary=True)
    for length in range(41, 6001):
        run_to(timeline, text, length)
        timeline.mark_on_the_way()
    places = [snapshot.length for snapshot in timeline.snapshots]
    assert places[0] == 40
    assert len(places) < 40
    for place, after in zip([0, *places], [*places, 6000], strict=True):
        assert after - place <= max(2 * SPACING, (6000 - place) / 2)


def test_the_oldest_conversations_go_first_and_snapshots_before_them() -> None:
    kept_bytes = 3 * (ROWS_BYTES + 2 * STATE_BYTES)
    store = PrefixStore(kept_bytes)
    texts = [list(range(first, first + 60)) for first in (100, 200, 300, 400)]
    for text in texts[:3]:
        reply(store, hybrid, text, 30)
    kept = store.report()
    assert (kept.num_conversations, kept.num_checkpoints) == (3, 3)
    assert kept.bytes == kept_bytes == kept.budget_bytes
    reply(store, hybrid, texts[3], 30)
    assert store.report().num_conversations == 3
    assert store.report().num_tokens == 59
    assert store.take(texts[0], hybrid).caches.length == 0
    # What is left of the others is where their replies began, and their ends.
    assert store.take(texts[1][:30], hybrid).caches.length == 29
    assert store.take([*texts[2], 1], hybrid).caches.length == 59


def test_of_one_conversation_old_boundaries_go_before_the_place_its_reply_began() -> None:
    store = PrefixStore(ROWS_BYTES + 3 * STATE_BYTES)
    text = list(range(1, 100))
    for end in (20, 40, 60, 80):
        reply(store, hybrid, text[:end], end - 5)
    kept = store.report()
    assert (kept.num_conversations, kept.bytes) == (1, ROWS_BYTES + 3 * STATE_BYTES)
    assert store.take(text[:75], hybrid).caches.length == 74


def test_a_conversation_larger_than_the_budget_is_not_kept_and_that_is_said_once() -> None:
    store = PrefixStore(ROWS_BYTES - 1)
    text = list(range(1, 20))
    sentences = []
    for _ in range(2):
        timeline = store.take(text, attention)
        assert timeline.caches.length == 0
        run_to(timeline, text, 18)
        sentences.append(store.put(timeline, text, 10))
    assert sentences[0] is not None
    assert "may be kept" in sentences[0]
    assert sentences[1] is None
    assert store.report().bytes == store.report().num_conversations == 0


def test_no_budget_keeps_nothing_and_takes_no_snapshots() -> None:
    store = PrefixStore(0)
    timeline = store.take([1, 2, 3], hybrid)
    run_to(timeline, [1, 2, 3], 2)
    timeline.mark(is_boundary=True)
    assert timeline.snapshots == []
    assert store.put(timeline, [1, 2, 3], 3) is None
    assert store.report().num_conversations == 0


def test_a_smaller_budget_holds_at_once() -> None:
    store = PrefixStore(PLENTY)
    for first in (100, 200, 300):
        reply(store, attention, list(range(first, first + 20)), 10)
    store.resize(2 * ROWS_BYTES)
    assert store.report().num_conversations == 2
    store.resize(0)
    assert store.report().bytes == 0


def test_an_unknown_cache_is_not_kept() -> None:
    store = PrefixStore(PLENTY)
    timeline = store.take([1, 2], lambda: [BatchKVCache([0])])
    timeline.caches.advance(1)
    assert store.put(timeline, [1, 2], 2) is None
    assert store.report().num_conversations == 0


def test_a_snapshot_of_a_forward_that_was_undone_is_dropped() -> None:
    store = PrefixStore(PLENTY)
    text = list(range(1, 40))
    timeline = store.take(text, hybrid)
    run_to(timeline, text, 29)
    checkpoint = timeline.caches.checkpoint(1)
    run_to(timeline, text, 30)
    timeline.mark_on_the_way()
    timeline.caches.restore(checkpoint)
    store.put(timeline, text[:30], 20)
    assert store.report().num_checkpoints == 0


def test_going_where_no_snapshot_is_is_an_error() -> None:
    timeline = Timeline(Caches(hybrid()), PLENTY)
    run_to(timeline, [1, 2, 3, 4], 4)
    with pytest.raises(RollbackError, match="cannot go back to 2"):
        timeline.go_to(2)


def test_the_budget_by_default_is_a_part_of_the_memory() -> None:
    assert 2**20 < default_budget_bytes() <= MAX_DEFAULT_BYTES
    assert PrefixStore().budget_bytes == default_budget_bytes()
