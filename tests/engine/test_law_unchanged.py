"""Speculation does not change the law: exact enumeration on a vocabulary of five tokens.

The model is a Markov chain on a real cache, so the exact next-token probabilities are known for
every pair of tokens before. A long sampled reply, drafted by prompt lookup all the way, must visit
each of them as often as it should; and must be the reply of plain decoding with that seed.
"""

from collections import Counter
from typing import Any

import mlx.core as mx
import numpy as np
import pytest
from mlx_lm.models.cache import ArraysCache, KVCache

from engine.request import RollbackName, SamplingParams, SpeculationParams
from tests.fakes.loaded import stand_in
from tests.fakes.replies import run

SIZE = 5
NUM_TOKENS = 2_500
LOGITS = np.array(
    [
        [0.5, 1.5, -0.3, 0.9, -2.0],
        [1.2, 0.1, 0.8, -1.0, 0.4],
        [-0.5, 0.3, 1.9, 0.2, 0.7],
        [2.2, -0.7, 0.6, 0.9, -0.1],
        [0.3, 0.9, 0.4, -0.2, 1.1],
    ]
)


class MarkovModel:
    """Logits are a table by the last token, plus what a recurrent state says of the one before."""

    def make_cache(self) -> list[Any]:
        return [KVCache(), ArraysCache(size=1)]

    def __call__(self, inputs: mx.array, *, cache: list[Any]) -> mx.array:
        tokens = inputs[0]
        keys = tokens.astype(mx.float32)[None, None, :, None]
        cache[0].update_and_fetch(keys, keys)
        first = cache[1][0] if cache[1][0] is not None else mx.array([0])
        before = mx.concatenate([first, tokens[:-1]])
        cache[1][0] = tokens[-1:]
        tilt = 0.3 * (mx.arange(SIZE) == before[:, None])
        return (mx.array(LOGITS, mx.float32)[tokens] + tilt)[None]


def exact(before: int, last: int, params: SamplingParams) -> np.ndarray:
    """The law, written down a second time: penalty, filters in mlx-lm's order, temperature."""
    scores = LOGITS[last] + 0.3 * (np.arange(SIZE) == before)
    for token in {before, last} if params.repetition_penalty != 1 else ():
        scores[token] *= params.repetition_penalty ** (-1 if scores[token] > 0 else 1)
    probs = np.exp(scores) / np.exp(scores).sum()
    keep = np.ones(SIZE, bool)
    if params.top_p < 1:
        order = np.argsort(-probs)
        above = np.cumsum(probs[order]) - probs[order]
        keep[order[above >= params.top_p]] = False
    if params.min_p > 0:
        keep &= probs >= params.min_p * probs.max()
    if params.top_k > 0:
        keep &= probs >= np.sort(probs)[-params.top_k]
    weights = np.where(keep, np.exp(scores / params.temperature), 0.0)
    return np.asarray(weights / weights.sum())


LAWS = {
    "temperature": SamplingParams(temperature=0.8, seed=1),
    "top-p": SamplingParams(temperature=1.1, top_p=0.75, seed=2),
    "min-p": SamplingParams(temperature=1.0, min_p=0.12, seed=3),
    "top-k": SamplingParams(temperature=0.9, top_k=3, seed=4),
    "repetition penalty": SamplingParams(
        temperature=1.0, repetition_penalty=1.6, penalty_window=2, seed=5
    ),
    "all of them": SamplingParams(
        temperature=1.2, top_p=0.9, min_p=0.1, top_k=4, repetition_penalty=1.3, penalty_window=2
    ),
}


@pytest.mark.parametrize("rollback", ["carry", "discard"])
@pytest.mark.parametrize("params", LAWS.values(), ids=LAWS.keys())
def test_every_conditional_probability(params: SamplingParams, rollback: RollbackName) -> None:
    chain = MarkovModel()
    model = stand_in(chain, SIZE, context_length=NUM_TOKENS + 10)
    prompt = [0, 1, 2, 3, 4, 0, 2]
    speculation = SpeculationParams(draft_length=2, rollback=rollback)
    reply = run(model, prompt, speculation, sampling=params, max_tokens=NUM_TOKENS)
    stats = reply.finished.stats
    assert stats.drafted > NUM_TOKENS / 2
    assert stats.accepted > NUM_TOKENS / 20
    assert stats.corrected > NUM_TOKENS / 20
    plain = run(model, prompt, sampling=params, max_tokens=NUM_TOKENS)
    assert reply.ids == plain.ids

    text = [*prompt, *reply.ids]
    start = len(prompt)
    seen = Counter(zip(text[start - 2 :], text[start - 1 :], text[start:], strict=False))
    contexts = Counter((before, last) for before, last, _ in seen.elements())
    chi_square, freedom = 0.0, 0
    for (before, last), total in contexts.items():
        for token, probability in enumerate(exact(before, last, params)):
            count = seen[before, last, token]
            if probability == 0:
                assert count == 0, (before, last, token)
            elif total * probability >= 5:
                chi_square += (count - total * probability) ** 2 / (total * probability)
                freedom += 1
    assert freedom > 30
    # The seed fixes the draws, so this is no coin toss: five standard deviations would be a bug.
    assert chi_square < freedom + 5 * (2 * freedom) ** 0.5
