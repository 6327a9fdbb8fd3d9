"""A lead above the slack is safe: no movement of the logits by half of it changes the choice."""

import math
from itertools import product
from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.sampling import TargetLaw
from engine.request import SamplingParams

POSITION = 17
FILTERS: dict[str, dict[str, Any]] = {
    "none": {},
    "top-p": {"top_p": 0.8},
    "min-p": {"min_p": 0.1},
    "top-k": {"top_k": 3},
    "all": {"top_p": 0.9, "min_p": 0.05, "top_k": 4},
}


def lead(law: TargetLaw, logits: np.ndarray, history: list[int], slack: float) -> float:
    scores = law.processed(mx.array(logits[None]), history)
    return float(law.leads(scores, POSITION, slack).item())


def choices(law: TargetLaw, rows: np.ndarray, history: list[int]) -> list[int]:
    """The choice at the same position for each row of logits."""
    chosen = [law.choose(law.processed(mx.array(row[None]), history), POSITION) for row in rows]
    return [int(token) for token in mx.concatenate(chosen).tolist()]


def moved(logits: np.ndarray, slack: float, rng: np.random.Generator) -> np.ndarray:
    """`logits` with each of them moved up or down by half of `slack`, in every combination.

    Above five tokens 40 random combinations; and some random movements within it.
    """
    size = logits.size
    if size <= 5:
        signs = np.array(list(product((-1.0, 1.0), repeat=size)))
    else:
        signs = rng.choice((-1.0, 1.0), (40, size))
    steps = np.concatenate([signs, rng.uniform(-1, 1, (8, size))]) * slack / 2
    rows = (logits + steps).astype(np.float32)
    finite = np.isfinite(logits)
    inner = rows[:, finite]
    # Rounding to float32 may have moved one a little further.
    distance = np.abs(inner.astype(np.float64) - logits[finite].astype(np.float64))
    rows[:, finite] = np.where(distance <= slack / 2, inner, np.nextafter(inner, logits[finite]))
    return rows


LOGITS = st.lists(
    st.one_of(
        st.floats(-12, 12, width=32),
        st.integers(-8, 8).map(lambda n: n / 4),
        st.just(-math.inf),
    ),
    min_size=2,
    max_size=8,
).filter(lambda values: any(map(math.isfinite, values)))
LAWS = st.builds(
    SamplingParams,
    temperature=st.one_of(st.just(0.0), st.floats(0.01, 2.0)),
    top_p=st.one_of(st.just(1.0), st.floats(1e-6, 0.9999)),
    min_p=st.one_of(st.just(0.0), st.floats(1e-4, 1.0)),
    top_k=st.integers(0, 8),
    repetition_penalty=st.one_of(st.just(1.0), st.floats(0.4, 2.5)),
    presence_penalty=st.one_of(st.just(0.0), st.floats(-2, 2)),
    frequency_penalty=st.one_of(st.just(0.0), st.floats(-1, 1)),
    penalty_window=st.just(4),
    seed=st.integers(0, 2**32),
)


@given(LOGITS, LAWS, st.floats(-4, 0.8), st.lists(st.integers(0, 1), min_size=1, max_size=5))
def test_a_lead_above_the_slack_is_safe(
    values: list[float], params: SamplingParams, magnitude: float, history: list[int]
) -> None:
    logits, law, slack = np.array(values, np.float32), TargetLaw(params), 10.0**magnitude
    if lead(law, logits, history, slack) <= slack:
        return
    rows = moved(logits, slack, np.random.default_rng(len(values)))
    assert set(choices(law, rows, history)) == set(choices(law, logits[None], history))


@pytest.mark.parametrize("temperature", [0.5, 1.4])
@pytest.mark.parametrize("filters", FILTERS.values(), ids=FILTERS.keys())
def test_most_choices_are_safe_and_those_that_flip_never(
    filters: dict[str, Any], temperature: float
) -> None:
    """What is called unsafe is not just everything: of 50 rows most are safe, and some do flip."""
    rng = np.random.default_rng(5)
    num_safe = num_flipped = 0
    slack = 0.4
    for seed in range(50):
        law = TargetLaw(SamplingParams(temperature=temperature, seed=seed, **filters))
        logits = (rng.normal(size=5) * 2).astype(np.float32)
        is_safe = lead(law, logits, [], slack) > slack
        same = choices(law, logits[None], [])
        does_flip = set(choices(law, moved(logits, slack, rng), [])) != set(same)
        assert not (is_safe and does_flip)
        num_safe += is_safe
        num_flipped += does_flip
    assert num_safe > 25
    assert num_flipped > 1
    # Nothing much is called unsafe that no movement can change.
    assert 50 - num_safe <= num_flipped + 6


def test_without_slack_it_is_the_lead_of_the_draw() -> None:
    logits = np.array([1.0, 3.5, 3.0, -math.inf], np.float32)
    assert lead(TargetLaw(SamplingParams()), logits, [], 0.0) == 0.5
    sampled = TargetLaw(SamplingParams(temperature=0.5, seed=3))
    scores = mx.array(logits[None])
    noise = [float(x) for x in mx.random.gumbel((4,), key=_key(3)).tolist()]
    first, second = sorted((x / 0.5 + n for x, n in zip(logits, noise, strict=True)), reverse=True)[
        :2
    ]
    found = float(sampled.leads(scores, POSITION, 0.0).item())
    assert found == pytest.approx((first - second) * 0.5, abs=1e-5)


def _key(seed: int) -> mx.array:
    from engine.model.sampling import position_key

    return position_key(seed, POSITION)


@pytest.mark.parametrize("params", [SamplingParams(), SamplingParams(temperature=1.0, top_k=1)])
def test_a_single_candidate_leads_by_infinity(params: SamplingParams) -> None:
    logits = np.array([0.5, 4.0, -math.inf, 0.0], np.float32)
    if params.temperature == 0.0:
        logits[[0, 3]] = -math.inf
    assert lead(TargetLaw(params), logits, [], 0.0) == math.inf
    assert lead(TargetLaw(params), logits, [], 0.25) == math.inf


def test_a_tie_has_no_lead() -> None:
    assert lead(TargetLaw(SamplingParams()), np.array([2.0, 2.0], np.float32), [], 0.0) == 0.0
    infinite = np.array([math.inf, math.inf, 1.0], np.float32)
    assert lead(TargetLaw(SamplingParams()), infinite, [], 0.0) == 0.0


def test_a_repetition_penalty_shortens_the_lead() -> None:
    """Halving a seen logit halves its movement too, but doubling a negative one doubles it."""
    law = TargetLaw(SamplingParams(repetition_penalty=2.0))
    logits = np.array([-1.0, -4.0, -9.0], np.float32)
    assert lead(law, logits, [0], 0.0) == pytest.approx((4.0 - 2.0) / 2.0)


@pytest.mark.parametrize("slack", [1e3, 1e30, math.inf])
@pytest.mark.parametrize("filters", FILTERS.values(), ids=FILTERS.keys())
def test_no_slack_is_too_large(filters: dict[str, Any], slack: float) -> None:
    law = TargetLaw(SamplingParams(temperature=0.8, **filters))
    assert lead(law, np.array([1.0, 30.0, -2.0, 0.5], np.float32), [], slack) <= slack


def test_leads_of_a_block_are_those_of_its_rows() -> None:
    law = TargetLaw(SamplingParams(temperature=0.7, top_p=0.9, seed=2))
    scores = mx.random.normal((5, 40), key=mx.random.key(4)) * 3
    block = law.leads(scores, 30, 0.1)
    rows = [law.leads(scores[i : i + 1], 30 + i, 0.1) for i in range(5)]
    assert mx.array_equal(block, mx.concatenate(rows))
