"""Where the label on the plain speed's line goes: off the curve, and off the scale's words."""

import pytest

from app.views.inspector.free_spot import Spot, free_spot

SIZE = (2.0, 3.0)


def curve(*values):
    return [(float(time), float(value)) for time, value in enumerate(values)]


@pytest.mark.parametrize(
    ("values", "spot"),
    [
        # Below the line at the right, so the words stand above it; and the other way round.
        ([20, 20, 20, 20, 20, 20, 15, 15, 15, 15, 15], Spot(1.0, True)),
        ([20, 20, 20, 20, 20, 20, 22, 22, 22, 22, 22], Spot(1.0, False)),
        # On the line at the right, both sides are taken there.
        ([21, 22, 22, 22, 22, 22, 19, 21, 19, 21, 19], Spot(0.0, False)),
        ([16, 16, 16, 16, 16, 18, 19, 21, 19, 21, 19], Spot(0.0, True)),
        ([19, 21, 19, 21, 22, 22, 22, 22, 19, 21, 19], Spot(0.5, False)),
    ],
)
def test_words_stand_where_the_curve_is_not(values, spot):
    assert free_spot(curve(*values), 20.0, SIZE, 30.0) == spot


def test_it_stays_where_it_is_while_that_is_free():
    falling = curve(20, 20, 20, 18, 16, 15, 15, 15, 15, 15, 15)
    for first in (Spot(1.0, True), Spot(0.5, True)):
        assert free_spot(falling, 20.0, SIZE, 30.0, first=first) == first


def test_it_keeps_within_the_chart_and_off_the_scale():
    low = curve(9, 9, 9, 9, 9, 9, 9, 9, 9, 3, 1)
    assert free_spot(low, 1.0, SIZE, 12.0, [(0.0, 3.0)]) == Spot(0.5, True)
    high = curve(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
    assert free_spot(high, 11.0, SIZE, 12.0) == Spot(1.0, False)


def test_where_the_curve_is_everywhere_it_is_still_somewhere():
    assert free_spot(curve(*[19, 21] * 8), 20.0, SIZE, 30.0) in (
        Spot(along, above) for along in (0.0, 0.5, 1.0) for above in (True, False)
    )
    assert free_spot(curve(20, 20), 20.0, (5.0, 3.0), 30.0)
