"""Suffix drafts: the index against its definition, honest matches, and copying through edits."""

import random
import tracemalloc
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.speculation.draft import NO_DRAFT
from engine.speculation.suffix import SuffixDrafter
from engine.speculation.suffix_index import SuffixIndex

STOP = 99
texts = st.lists(st.integers(0, 3), max_size=40)


def earlier_ends(text: Sequence[int], length: int) -> list[int]:
    """Where the last `length` tokens occurred before: the index behind each occurrence."""
    suffix = list(text[len(text) - length :])
    ends = range(length, len(text))
    return [end for end in ends if list(text[end - length : end]) == suffix]


def longest_suffix(text: Sequence[int]) -> int:
    """By trying them all."""
    return max((n for n in range(1, len(text)) if earlier_ends(text, n)), default=0)


@given(texts)
def test_the_index_is_the_definition(text: list[int]) -> None:
    index = SuffixIndex()
    for end, token in enumerate(text, 1):
        index.append(token)
        known = text[:end]
        length = longest_suffix(known)
        assert index.match_length == length
        ends = earlier_ends(known, length) if length else []
        assert not ends or index.source in ends
        followers = {known[place] for place in ends} if length else set(known)
        assert index.is_ambiguous == (len(followers) > 1)


def test_the_last_occurrence_is_the_source() -> None:
    index = SuffixIndex()
    index.extend([1, 2, 3, 7, 1, 2, 4, 8, 1, 2])
    assert (index.match_length, index.source) == (2, 6)


@given(st.lists(texts, max_size=8), st.integers(1, 12))
def test_every_match_is_what_really_matches(blocks: list[list[int]], max_length: int) -> None:
    drafter = SuffixDrafter()
    text: list[int] = []
    for block in blocks:
        drafter.extend(block)
        text.extend(block)
        draft = drafter.propose(max_length)
        assert len(draft.tokens) == len(draft.chances) <= max_length
        assert all(0 < chance < 1 for chance in draft.chances)
        if draft.match is not None:
            start, length = draft.match
            assert start + length < len(text)
            assert text[start : start + length] == text[len(text) - length :]


def test_a_draft_copies_from_behind_its_match() -> None:
    drafter = SuffixDrafter()
    drafter.extend([1, 2, 3, 4, 5, 9, 1, 2, 3])
    draft = drafter.propose(4)
    assert (draft.tokens, draft.match, draft.drafter) == ((4, 5, 9, 1), (0, 3), "suffix")


def test_a_short_period_runs_on_into_itself() -> None:
    drafter = SuffixDrafter()
    drafter.extend([1, 2, 1, 2])
    assert drafter.propose(5).tokens == (1, 2, 1, 2, 1)


def test_a_longer_match_promises_more() -> None:
    promises = []
    for length in (1, 2, 4, 8, 16):
        drafter = SuffixDrafter()
        drafter.extend([*range(40), 99, *range(length)])
        promises.append(drafter.propose(16).promise)
    assert promises == sorted(promises)
    assert promises[-1] > 3 * promises[0]


def test_nothing_is_drafted_behind_a_stop_token() -> None:
    drafter = SuffixDrafter(frozenset({STOP}))
    drafter.extend([1, 2, 3, STOP, 4, 5, 1, 2])
    assert drafter.propose(8).tokens == (3, STOP)


def test_nothing_new_or_nothing_asked_gives_no_draft() -> None:
    drafter = SuffixDrafter()
    drafter.extend([1, 2, 3])
    assert drafter.propose(8) is NO_DRAFT
    drafter.extend([1])
    assert drafter.propose(0) is NO_DRAFT


def reply_so_far(source: Sequence[int], reply: Sequence[int]) -> SuffixDrafter:
    """A drafter that has seen `source` as the prompt and `reply` come in token by token."""
    drafter = SuffixDrafter()
    drafter.extend([*source, 500])
    for token in reply:
        drafter.propose(16)
        drafter.extend([token])
    return drafter


SOURCE = (10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21)


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        # One token became another, one was put in, one was left out, two became three.
        ((10, 11, 12, 77, 14), (15, 16, 17)),
        ((10, 11, 12, 77, 13), (14, 15, 16)),
        ((10, 11, 12, 14), (15, 16, 17)),
        ((10, 11, 12, 77, 78, 79, 15), (16, 17, 18)),
    ],
)
def test_the_copy_goes_on_behind_an_edit(
    changed: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    # The token behind the edit stands elsewhere too, later: the last occurrence would mislead.
    elsewhere = (changed[-1], 40, 41, 42)
    drafter = reply_so_far((*SOURCE, *elsewhere), changed)
    assert drafter.propose(3).tokens == expected


def test_an_edit_once_made_is_made_again() -> None:
    source = [1, 2, 3, 50, 4, 5, 6, 7, 50, 8, 9, 10, 11, 50, 12, 13]
    drafter = reply_so_far(source, [1, 2, 3, 60, 61, 4, 5, 6])
    assert drafter.propose(8).tokens == (7, 60, 61, 8, 9, 10, 11, 60)
    drafter.extend([7, 60, 61])
    assert drafter.propose(4).match == (9, 0)
    drafter.extend([8, 9])
    assert drafter.propose(5).tokens == (10, 11, 60, 61, 12)
    assert drafter.propose(5).match == (9, 2)


def test_a_field_put_into_one_record_is_expected_in_the_next() -> None:
    record = [[30, 31, 100 + i, 32, 33] for i in range(4)]
    source = [token for each in record for token in each]
    added = [70, 71, 72]
    reply = [*record[0][:4], *added, 33, 30, 31, 101]
    drafter = reply_so_far(source, reply)
    assert drafter.propose(5).tokens == (32, *added, 33)


def test_an_edit_not_made_again_is_forgotten() -> None:
    source = [1, 2, 3, 50, 4, 5, 6, 7, 50, 8, 9, 10, 11, 50, 12, 13]
    drafter = reply_so_far(source, [1, 2, 3, 60, 4, 5, 6, 7, 50, 8, 9])
    assert drafter.propose(5).tokens == (10, 11, 50, 12, 13)


@pytest.mark.parametrize("vocabulary", [2, 50, 30_000])
def test_memory_grows_by_less_than_500_bytes_a_token(vocabulary: int) -> None:
    numbers = random.Random(3)
    text = [int(vocabulary * numbers.random() ** 3) for _ in range(16_000)]
    tracemalloc.start()
    try:
        drafter = SuffixDrafter()
        drafter.extend(text[:8_000])
        for token in text[8_000:]:
            drafter.propose(4)
            drafter.extend([token])
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert used / len(text) < 500
