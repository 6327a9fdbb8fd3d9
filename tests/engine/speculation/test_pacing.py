"""Pacing: lengths that pay, none that do not, and a gate that says why."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.request import SpeculationParams
from engine.speculation.pacing import (
    GATE_STEPS,
    MAX_DRAFT_LENGTH,
    AcceptanceTable,
    CostTable,
    Pacing,
)

FLAT = {1: 0.050, 2: 0.055, 4: 0.060, 8: 0.070, 16: 0.090}
STEEP = {1: 0.010, 2: 0.020}


def pacing(costs: dict[int, float], base_length: int = 5, **params: float) -> Pacing:
    return Pacing(SpeculationParams(**params), base_length, CostTable(costs))  # type: ignore[arg-type]


def test_cheap_blocks_draft_up_to_the_base_length() -> None:
    assert pacing(FLAT).length(match_length=4, num_pending=1, available=16) == 5


def test_blocks_as_dear_as_their_tokens_are_never_worth_it() -> None:
    gate = pacing(STEEP, base_length=2)
    assert gate.length(match_length=4, num_pending=1, available=16) == 0


def test_it_says_when_no_draft_is_worth_its_cost() -> None:
    gate = pacing(STEEP, base_length=2)
    for _ in range(20):
        assert gate.length(4, 1, 16) == 0
        gate.observe_plain(1, 0.010)
    assert not gate.is_active
    assert not gate.is_resting
    assert "a step would take 2.00 times as long" in gate.reason


def test_no_more_than_available() -> None:
    assert pacing(FLAT).length(match_length=4, num_pending=1, available=3) == 3


def test_full_accepts_grow_the_draft_and_a_reject_resets_it() -> None:
    gate = pacing(FLAT)
    lengths = []
    for _ in range(6):
        length = gate.length(4, 1, 16)
        lengths.append(length)
        gate.observe_speculative(4, length, length, 1 + length, 0.07)
    assert lengths == sorted(lengths)
    assert lengths[-1] == MAX_DRAFT_LENGTH
    gate.observe_speculative(4, 0, 16, 17, 0.09)
    assert gate.length(4, 1, 16) <= 5


def test_rejections_behind_short_matches_end_their_drafts_only() -> None:
    gate = pacing(FLAT, min_acceptance=0.0)
    for _ in range(15):
        gate.observe_speculative(2, 0, 1, 2, 0.056)
    assert gate.length(2, 1, 16) == 0
    assert gate.length(4, 1, 16) == 5


def test_a_length_given_up_is_tried_again_some_day() -> None:
    gate = pacing(FLAT, min_acceptance=0.0)
    for _ in range(15):
        gate.observe_speculative(2, 0, 1, 2, 0.056)
    assert any(gate.length(2, 1, 16) > 0 for _ in range(40))


def test_the_wall_clock_closes_the_gate_with_a_reason_and_a_probe_opens_it() -> None:
    gate = pacing(FLAT, probe_interval=10)
    for _ in range(GATE_STEPS):
        gate.observe_speculative(4, 4, 5, 6, 5 * 0.050 * 1.2)
    assert not gate.is_active
    assert "tok/s" in gate.reason
    for _ in range(10):
        assert gate.is_resting
        assert not gate.is_active
        gate.observe_plain(1, 0.050)
    assert gate.is_active


def test_acceptance_under_its_minimum_closes_the_gate_after_the_warm_up() -> None:
    gate = pacing(FLAT, warmup_steps=20)
    for step in range(21):
        assert gate.is_active, step
        gate.observe_speculative(3, 1, 16, 17, 0.090)
    assert not gate.is_active
    assert "acceptance" in gate.reason


def test_a_winning_drafter_is_left_alone() -> None:
    gate = pacing(FLAT)
    for _ in range(100):
        gate.observe_speculative(4, 5, 5, 6, 0.066)
    assert gate.is_active


@given(st.dictionaries(st.integers(2, 40), st.floats(0.001, 2.0), max_size=6), st.integers(1, 200))
def test_costs_are_defined_everywhere(measured: dict[int, float], width: int) -> None:
    table = CostTable({1: 0.01} | measured)
    assert table.relative(1) == pytest.approx(1.0)
    assert table.relative(width) > 0
    assert CostTable().relative(width) >= 1.0


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(5, 8)), max_size=30))
def test_chances_are_probabilities(outcomes: list[tuple[int, int]]) -> None:
    table = AcceptanceTable()
    for accepted, drafted in outcomes:
        table.observe(2, accepted, drafted)
        assert 0.0 < table.chance(2) < 1.0


def test_costs_follow_real_steps_and_shrug_at_outliers() -> None:
    table = CostTable(FLAT)
    for _ in range(60):
        table.observe(6, 0.150)
    assert table.relative(6) == pytest.approx(3.0, rel=0.05)
    table.observe(1, 50.0)
    assert table.plain_seconds is not None
    assert table.plain_seconds < 0.080
