"""Acceptance: the longest agreed prefix, cut at a stop, and what each token is called."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import StopReason
from engine.speculation.accept import accept

STOP = 9
ids = st.integers(0, 4)


def scan(tokens: Sequence[int]) -> tuple[int, StopReason | None]:
    for i, token in enumerate(tokens):
        if token == STOP:
            return i + 1, "eos"
    return len(tokens), None


def test_full_accept_adds_a_bonus() -> None:
    outcome = accept([1, 2], [1, 2, 3], scan, keep_partial=True)
    assert outcome.emitted == (1, 2, 3)
    assert outcome.is_full
    assert outcome.origins(None) == ("accepted", "accepted", "bonus")


def test_partial_accept_adds_a_correction() -> None:
    outcome = accept([1, 2, 3], [1, 7, 8, 6], scan, keep_partial=True)
    assert (outcome.accepted, outcome.emitted) == (1, (1, 7))
    assert outcome.origins("trim") == ("accepted", "corrected")
    assert outcome.origins("carry") == ("replayed", "corrected")


def test_discard_keeps_only_the_targets_own_token() -> None:
    outcome = accept([1, 2, 3], [1, 2, 8, 6], scan, keep_partial=False)
    assert (outcome.accepted, outcome.dropped, outcome.emitted) == (0, 2, (1,))
    assert outcome.origins("discard") == ("generated",)
    rejected = accept([1, 2], [5, 2, 8], scan, keep_partial=False)
    assert (rejected.dropped, rejected.origins("discard")) == (0, ("corrected",))


def test_stop_inside_the_draft_emits_no_bonus() -> None:
    outcome = accept([1, STOP, 3], [1, STOP, 3, 4], scan, keep_partial=True)
    assert (outcome.emitted, outcome.stop) == ((1, STOP), "eos")
    assert not outcome.is_full
    assert outcome.origins("carry") == ("replayed", "replayed")


def test_stop_as_last_draft_token_is_a_full_accept() -> None:
    outcome = accept([1, STOP], [1, STOP, 4], scan, keep_partial=False)
    assert (outcome.emitted, outcome.is_full) == ((1, STOP), True)
    assert outcome.origins(None) == ("accepted", "accepted")


@given(st.lists(ids, max_size=8), st.data(), st.booleans())
def test_emitted_is_always_what_the_target_chose(
    draft: list[int], data: st.DataObject, keep_partial: bool
) -> None:
    extra = st.sampled_from([0, 1, 2, 3, 4, STOP])
    choices = data.draw(st.lists(extra, min_size=len(draft) + 1, max_size=len(draft) + 1))
    outcome = accept(draft, choices, scan, keep_partial=keep_partial)
    emitted = outcome.emitted
    assert 1 <= len(emitted) <= len(draft) + 1
    assert list(emitted) == choices[: len(emitted)]
    assert list(emitted[: outcome.accepted]) == draft[: outcome.accepted]
    assert STOP not in emitted[:-1]
    assert (outcome.stop == "eos") == (emitted[-1] == STOP)
    assert len(outcome.origins("carry")) == len(emitted)


@pytest.mark.parametrize("keep_partial", [True, False])
def test_no_draft_is_a_plain_step(keep_partial: bool) -> None:
    outcome = accept([], [4], scan, keep_partial=keep_partial)
    assert outcome.origins(None) == ("generated",)


def test_a_near_tie_keeps_what_came_before_it_and_nothing_of_its_own() -> None:
    outcome = accept([1, 2, 3], [1, 2, 3, 4], scan, keep_partial=True, num_decided=2)
    assert (outcome.accepted, outcome.emitted, outcome.is_guarded) == (2, (1, 2), True)
    assert not outcome.is_full
    assert outcome.num_to_cache(num_pending=1) == 2  # the last emitted token decides what follows
    assert outcome.origins("trim") == ("accepted", "accepted")


def test_a_near_tie_past_a_full_accept_gives_no_bonus() -> None:
    outcome = accept([1, 2], [1, 2, 3], scan, keep_partial=True, num_decided=2)
    assert (outcome.emitted, outcome.is_guarded, outcome.is_full) == ((1, 2), True, False)


def test_a_near_tie_at_once_emits_nothing_yet() -> None:
    outcome = accept([1, 2], [1, 2, 3], scan, keep_partial=True, num_decided=0)
    assert (outcome.emitted, outcome.is_guarded) == ((), True)
    assert outcome.num_to_cache(num_pending=3) == 2


def test_a_rejection_before_a_near_tie_is_a_rejection() -> None:
    outcome = accept([1, 7, 3], [1, 2, 3, 4], scan, keep_partial=True, num_decided=2)
    assert (outcome.emitted, outcome.is_guarded) == ((1, 2), False)


def test_a_stop_before_a_near_tie_ends_the_reply() -> None:
    outcome = accept([1, STOP, 3], [1, STOP, 3, 4], scan, keep_partial=True, num_decided=2)
    assert (outcome.emitted, outcome.stop, outcome.is_guarded) == ((1, STOP), "eos", False)


def test_discard_drops_what_stood_before_a_near_tie_but_the_first_token() -> None:
    outcome = accept([1, 2, 3], [1, 2, 3, 4], scan, keep_partial=False, num_decided=2)
    assert (outcome.emitted, outcome.dropped, outcome.is_guarded) == ((1,), 2, False)
    assert outcome.origins("discard") == ("generated",)
