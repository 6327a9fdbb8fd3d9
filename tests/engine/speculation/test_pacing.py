"""Pacing: lengths that pay, none that do not, and a gate that says why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.cost_table import CostTable
from engine.request import SpeculationParams
from engine.speculation.draft import Draft
from engine.speculation.pacing import (
    DECLINES_BEFORE_SAYING,
    MAX_DRAFT_LENGTH,
    RECHECK_STEPS,
    Pacing,
)

FLAT = {1: 0.050, 2: 0.055, 4: 0.060, 8: 0.070, 16: 0.090, 32: 0.120}
STEEP = {1: 0.010, 2: 0.020}


def pacing(costs: dict[int, float], base_length: int = 5, **params: float) -> Pacing:
    return Pacing(SpeculationParams(**params), base_length, CostTable(costs))  # type: ignore[arg-type]


def proposal(chance: float, num_tokens: int = MAX_DRAFT_LENGTH) -> Draft:
    """A draft whose tokens are all as likely as this."""
    return Draft(tuple(range(num_tokens)), (0, 4), chances=(chance,) * num_tokens)


def observe(gate: Pacing, accepted: int, drafted: int, seconds: float) -> None:
    """A verified draft that ended in a correction or a bonus."""
    gate.observe_draft(
        proposal(0.5, drafted),
        accepted,
        num_emitted=accepted + 1,
        width=drafted + 1,
        seconds=seconds,
    )


def test_likelier_drafts_are_longer() -> None:
    lengths = [pacing(FLAT).choose(proposal(c), 1).length for c in (0.05, 0.5, 0.8, 0.95, 0.99)]
    assert lengths[0] == 0
    assert lengths == sorted(lengths)
    assert lengths[-1] == MAX_DRAFT_LENGTH


def test_blocks_as_dear_as_their_tokens_are_never_worth_it() -> None:
    assert pacing(STEEP, base_length=2).choose(proposal(0.99), 1).length == 0


def test_the_choice_says_why() -> None:
    choice = pacing(FLAT).choose(proposal(0.9, 4), 1)
    assert (choice.available, choice.length) == (4, 4)
    assert choice.chance == pytest.approx(0.9)
    assert choice.expected == pytest.approx(1 + 0.9 + 0.9**2 + 0.9**3 + 0.9**4)
    assert choice.cost == pytest.approx(0.0625 / 0.050)
    declined = pacing(FLAT).choose(proposal(0.05, 4), 1)
    assert (declined.available, declined.length, declined.expected) == (4, 0, 1.0)
    assert declined.cost == pytest.approx(1.0)


def test_the_length_is_the_best_of_all() -> None:
    table = CostTable(FLAT)
    for chance in (0.3, 0.6, 0.9):
        choice = pacing(FLAT).choose(proposal(chance), 2)
        rates = []
        for length in range(MAX_DRAFT_LENGTH + 1):
            expected = sum(chance**i for i in range(length + 1))
            rates.append(expected / table.relative(2 + length))
        assert choice.length == rates.index(max(rates))


def test_what_is_pending_makes_a_draft_dearer() -> None:
    steep_later = {1: 0.050, 2: 0.052, 4: 0.055, 8: 0.060, 9: 0.2, 16: 0.6}
    gate = pacing(steep_later)
    assert gate.choose(proposal(0.9), 1).length > 0
    assert gate.choose(proposal(0.9), 8).length == 0


def test_a_draft_without_chances_is_short_and_longer_matches_count_more() -> None:
    gate = pacing(FLAT, base_length=2)
    unrated = Draft(tuple(range(16)), (0, 8))
    assert gate.choose(unrated, 1).length == 2
    short = gate.choose(Draft(tuple(range(16)), (0, 1)), 1)
    assert short.chance < gate.choose(unrated, 1).chance


def test_it_says_when_no_draft_is_worth_its_cost() -> None:
    gate = pacing(STEEP, base_length=2)
    for _ in range(DECLINES_BEFORE_SAYING):
        assert gate.is_active
        assert gate.choose(proposal(0.9), 1).length == 0
        gate.observe_plain(1, 0.010)
    assert not gate.is_active
    assert not gate.is_resting
    assert gate.reason == (
        "drafts do not pay here; with the best one a step would take 2.00 times as long for 1.90 "
        "times the text, and drafting starts at a gain of 15\u00a0%"
    )


def test_a_draft_that_pays_is_taken_up_again_at_once() -> None:
    gate = pacing(FLAT)
    for _ in range(DECLINES_BEFORE_SAYING):
        gate.choose(proposal(0.01), 1)
    assert not gate.is_active
    assert gate.choose(proposal(0.9), 1).length > 0
    assert gate.is_active


def test_the_wall_clock_closes_the_gate_with_a_reason_and_a_probe_opens_it() -> None:
    gate = pacing(FLAT, probe_interval=10)
    for _ in range(20):
        if not gate.is_active:
            break
        observe(gate, 4, 5, 6 * 0.050)
    assert not gate.is_active
    assert "tok/s" in gate.reason
    for _ in range(10):
        assert gate.is_resting
        assert not gate.is_active
        gate.observe_plain(1, 0.050)
    assert gate.is_active
    assert not gate.is_resting


def test_a_machine_that_became_slow_does_not_keep_the_gate_shut() -> None:
    gate = pacing(FLAT, probe_interval=200)
    while gate.is_active:
        observe(gate, accepted=1, drafted=4, seconds=0.3)
    for number in range(1, RECHECK_STEPS):
        gate.observe_plain(1, 0.25)
        assert gate.is_resting, number
    gate.observe_plain(1, 0.25)
    assert not gate.is_resting
    assert gate.is_active
    assert gate.reason == "plain decoding has become as slow as the steps that lost time"


def test_a_gate_that_was_shut_for_good_reason_stays_shut() -> None:
    gate = pacing(FLAT, probe_interval=200)
    while gate.is_active:
        observe(gate, accepted=1, drafted=4, seconds=0.3)
    for _ in range(199):
        gate.observe_plain(1, 0.05)
        assert gate.is_resting


def test_a_few_lost_bets_do_not_close_the_gate() -> None:
    gate = pacing(FLAT)
    for _ in range(4):
        observe(gate, 0, 5, 0.065)
    assert gate.is_active


def test_acceptance_under_its_minimum_closes_the_gate_after_the_warm_up() -> None:
    gate = pacing(FLAT, warmup_steps=20)
    for step in range(21):
        assert gate.is_active, step
        observe(gate, 1, 16, 2.3 * 0.050)
    assert not gate.is_active
    assert "acceptance is 6\u00a0%, under the minimum of 30\u00a0%" in gate.reason


def test_low_acceptance_that_gains_time_is_left_alone() -> None:
    gate = pacing(FLAT, warmup_steps=5)
    for _ in range(100):
        observe(gate, 3, 16, 0.090)
    assert gate.is_active


def test_a_winning_drafter_is_left_alone() -> None:
    gate = pacing(FLAT)
    for _ in range(100):
        observe(gate, 5, 5, 0.066)
    assert gate.is_active
    assert gate.reason == "drafts pay here"


def test_drafts_behind_a_near_tie_or_a_stop_are_not_rejections() -> None:
    gate = pacing(FLAT, warmup_steps=5)
    for _ in range(40):
        gate.observe_draft(proposal(0.9, 16), 2, num_emitted=2, width=17, seconds=0.115)
    assert "acceptance" not in gate.reason


def test_a_step_of_several_forwards_says_nothing_about_its_width() -> None:
    table = CostTable(FLAT)
    before = table.relative(9)
    gate = Pacing(SpeculationParams(), 5, table)
    for _ in range(5):
        gate.observe_draft(proposal(0.9, 8), 8, num_emitted=9, width=9, seconds=0.140, forwards=2)
    assert table.relative(9) == before
    observe(gate, 8, 8, 0.140)
    assert table.relative(9) > before


@given(
    st.lists(st.floats(0.001, 0.999), min_size=1, max_size=40),
    st.integers(1, 17),
    st.dictionaries(st.integers(2, 40), st.floats(0.001, 2.0), max_size=6),
)
def test_a_choice_is_always_possible_and_plain(
    chances: list[float], num_pending: int, costs: dict[int, float]
) -> None:
    gate = Pacing(SpeculationParams(), 5, CostTable({1: 0.01} | costs))
    choice = gate.choose(Draft((1,) * len(chances), (0, 2), chances=tuple(chances)), num_pending)
    assert 0 <= choice.length <= choice.available == len(chances)
    assert 1.0 <= choice.expected <= choice.length + 1
    assert choice.cost > 0


@given(st.dictionaries(st.integers(2, 40), st.floats(0.001, 2.0), max_size=6), st.integers(1, 200))
def test_costs_are_defined_everywhere(measured: dict[int, float], width: int) -> None:
    table = CostTable({1: 0.01} | measured)
    assert table.relative(1) == pytest.approx(1.0)
    assert table.relative(width) > 0
    assert CostTable().relative(width) >= 1.0


def test_costs_follow_real_steps_and_shrug_at_outliers() -> None:
    table = CostTable(FLAT)
    for _ in range(60):
        table.observe(6, 0.150)
    assert table.relative(6) == pytest.approx(3.0, rel=0.05)
    table.observe(1, 50.0)
    assert table.plain_seconds is not None
    assert table.plain_seconds < 0.080


def test_neighbouring_widths_hear_of_a_real_step() -> None:
    table = CostTable(FLAT)
    before = [table.relative(width) for width in range(1, 20)]
    table.observe(8, 0.140)
    after = [table.relative(width) for width in range(1, 20)]
    changes = [new / old for new, old in zip(after, before, strict=True)]
    assert changes[7] > changes[6] > changes[5] > 1.0
    assert changes[7] > changes[8] > 1.0
    assert changes[0] == changes[12] == 1.0


def test_one_step_that_was_held_up_does_not_close_the_gate() -> None:
    gate = pacing(FLAT)
    observe(gate, accepted=2, drafted=3, seconds=12.0)  # a kernel was built on the way
    assert gate.is_active
