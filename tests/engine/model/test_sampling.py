"""The target law: against mlx-lm's own filters, and against exact enumeration."""

import math
from itertools import product
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.sample_utils import apply_min_p, apply_top_k, apply_top_p, make_logits_processors

from engine.errors import RequestError
from engine.model.filters import Filters
from engine.model.sampling import TargetLaw
from engine.request import SamplingParams


def random_logprobs(seed: int, rows: int = 4, size: int = 23) -> mx.array:
    logits = mx.random.normal((rows, size), key=mx.random.key(seed)) * 2
    return logits - mx.logsumexp(logits, axis=-1, keepdims=True)


def filtered(logprobs: mx.array, **filters: Any) -> mx.array:
    cut, _ = Filters(SamplingParams(**filters)).cuts(logprobs)
    return mx.where(logprobs < cut, -math.inf, logprobs)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("amount", [0.05, 0.3, 0.9, 0.99])
def test_filters_are_mlx_lms(seed: int, amount: float) -> None:
    logprobs, top_k = random_logprobs(seed), int(amount * 20) + 1
    top_p, min_p = apply_top_p(logprobs, amount), apply_min_p(logprobs, amount)
    assert mx.array_equal(filtered(logprobs, top_p=amount), top_p)
    assert mx.array_equal(filtered(logprobs, min_p=amount), min_p)
    assert mx.array_equal(filtered(logprobs, top_k=top_k), apply_top_k(logprobs, top_k))
    one_by_one = apply_top_k(apply_min_p(top_p, amount), top_k)
    assert mx.array_equal(filtered(logprobs, top_p=amount, min_p=amount, top_k=top_k), one_by_one)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("history", [[3], [1, 2, 2, 5], list(range(23)) * 2])
def test_penalties_are_mlx_lms(seed: int, history: list[int]) -> None:
    params = SamplingParams(
        repetition_penalty=1.3, presence_penalty=0.4, frequency_penalty=0.2, penalty_window=6
    )
    logits = mx.random.normal((1, 23), key=mx.random.key(seed)) * 2
    expected = mx.array(logits)
    for processor in make_logits_processors(
        repetition_penalty=1.3,
        repetition_context_size=6,
        presence_penalty=0.4,
        presence_context_size=6,
        frequency_penalty=0.2,
        frequency_context_size=6,
    ):
        expected = processor(mx.array(history), expected)
    assert mx.allclose(TargetLaw(params).processed(logits, history), expected, atol=1e-6)


def test_a_block_has_each_rows_own_history() -> None:
    law = TargetLaw(SamplingParams(repetition_penalty=1.5, penalty_window=2))
    logits = mx.random.normal((3, 11), key=mx.random.key(1))
    block = law.processed(mx.array(logits), [4, 5, 6, 7])
    for i, history in enumerate([[4, 5], [5, 6], [6, 7]]):
        alone = law.processed(mx.array(logits[i : i + 1]), history)
        assert mx.array_equal(block[i : i + 1], alone)


@pytest.mark.parametrize("temperature", [0.0, 0.7, 1.3])
def test_a_block_draws_what_single_positions_draw(temperature: float) -> None:
    law = TargetLaw(SamplingParams(temperature=temperature, top_p=0.9, seed=5))
    scores = mx.random.normal((6, 50), key=mx.random.key(2))
    block = law.choose(scores, 40).tolist()
    assert block == [law.choose(scores[i : i + 1], 40 + i).item() for i in range(6)]


FILTERS = {
    "none": SamplingParams(temperature=0.8),
    "top-p": SamplingParams(temperature=1.2, top_p=0.7),
    "min-p": SamplingParams(temperature=1.0, min_p=0.2),
    "top-k": SamplingParams(temperature=0.9, top_k=2),
}


@pytest.mark.parametrize("params", FILTERS.values(), ids=FILTERS.keys())
def test_draws_follow_the_filtered_softmax(params: SamplingParams) -> None:
    """20,000 independent positions against the exact probabilities, by a chi-square bound."""
    logits = mx.array([[0.5, 1.5, -0.3, 0.9, -2.0]])
    num_draws = 20_000
    draws = TargetLaw(params).choose(mx.repeat(logits, num_draws, axis=0), 0).tolist()
    logprobs = logits - mx.logsumexp(logits)
    if params.top_p < 1:
        logprobs = apply_top_p(logprobs, params.top_p)
    if params.min_p > 0:
        logprobs = apply_min_p(logprobs, params.min_p)
    if params.top_k > 0:
        logprobs = apply_top_k(logprobs, params.top_k)
    exact = mx.softmax(logprobs / params.temperature, axis=-1)[0].tolist()
    chi_square = 0.0
    for token, probability in enumerate(exact):
        count = draws.count(token)
        if probability == 0:
            assert count == 0
        else:
            expected = num_draws * probability
            chi_square += (count - expected) ** 2 / expected
    assert chi_square < 23.5  # 4 degrees of freedom, p = 1e-4; the draws are fixed by the seed


def test_noise_depends_on_seed_and_position_alone() -> None:
    scores = mx.zeros((1, 1000))
    seen = {
        (seed, position): TargetLaw(SamplingParams(temperature=1.0, seed=seed))
        .choose(scores, position)
        .item()
        for seed, position in product([0, 1, 2**63 - 1], [0, 1, 7])
    }
    assert len(set(seen.values())) > 6
    again = TargetLaw(SamplingParams(temperature=1.0, seed=1)).choose(scores, 7).item()
    assert again == seen[1, 7]


def test_filter_threshold_of_one_token_is_greedy() -> None:
    law = TargetLaw(SamplingParams(temperature=5.0, top_k=1, seed=3))
    scores = mx.random.normal((8, 40), key=mx.random.key(9))
    assert mx.array_equal(law.choose(scores, 0), mx.argmax(scores, axis=-1))
    assert math.isfinite(scores.sum().item())


@pytest.mark.parametrize("amount", [1e-300, 1e-40, 1e-9])
def test_a_tiny_top_p_keeps_the_likeliest_token(amount: float) -> None:
    law = TargetLaw(SamplingParams(temperature=1.0, top_p=amount, seed=3))
    scores = mx.random.normal((8, 40), key=mx.random.key(9))
    assert mx.array_equal(law.choose(scores, 0), mx.argmax(scores, axis=-1))


def test_the_lowest_temperature_still_draws() -> None:
    law = TargetLaw(SamplingParams(temperature=0.001, seed=3))
    scores = 30 * mx.random.normal((8, 40), key=mx.random.key(9))
    assert mx.array_equal(law.choose(scores, 0), mx.argmax(scores, axis=-1))
    with pytest.raises(RequestError, match="use 0"):
        SamplingParams(temperature=1e-40)
