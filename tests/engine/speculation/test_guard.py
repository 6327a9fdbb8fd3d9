"""The guard's margins: twice the largest difference, of the next width probed, never falling."""

import pytest

from engine.model_info import Probe, WidthProbe
from engine.speculation.guard import Guard


def probe_of(differences: dict[int, float]) -> Probe:
    widths = (WidthProbe(w, d == 0.0, d, 1.0, 0.01) for w, d in differences.items())
    return Probe(tuple(widths), 24, "0", "cpu", is_cached=False)


def test_a_margin_is_twice_the_largest_difference() -> None:
    guard = Guard(probe_of({1: 0.0, 2: 0.125, 4: 0.25}))
    assert [guard.margin(width) for width in (1, 2, 4)] == [0.0, 0.25, 0.5]
    assert guard.widest == 0.5


def test_between_two_widths_the_wider_one_counts() -> None:
    guard = Guard(probe_of({1: 0.0, 2: 0.1, 6: 0.3}))
    assert [guard.margin(width) for width in (3, 5, 6)] == [0.6, 0.6, 0.6]


def test_past_the_widest_its_margin_goes_on() -> None:
    assert Guard(probe_of({1: 0.0, 2: 0.1, 6: 0.3})).margin(64) == 0.6


def test_a_wider_block_is_never_trusted_more() -> None:
    guard = Guard(probe_of({6: 0.1, 1: 0.0, 2: 0.4, 16: 0.2}))
    assert [guard.margin(width) for width in (2, 6, 16, 40)] == [0.8, 0.8, 0.8, 0.8]


def test_a_single_token_always_decides() -> None:
    assert Guard(probe_of({1: 0.0, 2: 9.0})).margin(1) == 0.0


@pytest.mark.parametrize("probe", [None, probe_of({}), probe_of({1: 0.0, 2: 0.0, 8: 0.0})])
def test_without_differences_there_is_nothing_to_guard(probe: Probe | None) -> None:
    guard = Guard(probe)
    assert guard.widest == 0.0
    assert [guard.margin(width) for width in (1, 2, 8, 99)] == [0.0] * 4
