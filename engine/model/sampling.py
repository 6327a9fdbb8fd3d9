"""The target law: the one definition of how logits become a token.

    logits -> penalties (on the history before that position) -> top-p, min-p, top-k -> / T -> draw

The draw is a Gumbel-max, argmax(scores / T + noise), and the noise is a function of (seed, absolute
position) alone. Verifying a draft is making this draw at each of its positions and comparing, so
drafts change neither the law nor, for one seed, the text (drafter-invariant speculation: Daliri,
Musco, Suresh 2024). Filters are defined as in mlx-lm's sample_utils, in float32.
"""

import math
from collections import Counter
from collections.abc import Sequence

import mlx.core as mx

from engine.request import SamplingParams

_MASK = 2**64 - 1


def position_key(seed: int, position: int) -> mx.array:
    """The random key of one position: splitmix64 over seed and position."""
    mixed = (seed * 0x9E3779B97F4A7C15 + position * 0xD1B54A32D192ED03 + 0x632BE59BD9B4E019) & _MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return mx.random.key(mixed ^ (mixed >> 31))


def top_p_filtered(logprobs: mx.array, top_p: float) -> mx.array:
    """Keep the fewest likeliest tokens whose mass reaches `top_p`; ties stay together."""
    ordered = mx.sort(logprobs, axis=-1)
    probs = mx.exp(ordered)
    mass_above = mx.cumsum(probs, axis=-1, reverse=True, inclusive=False)
    total = mass_above[..., :1] + probs[..., :1]
    num_dropped = (mass_above >= top_p * total).sum(axis=-1, keepdims=True)
    # The likeliest token stays, however small the mass asked for.
    num_dropped = mx.minimum(num_dropped, ordered.shape[-1] - 1)
    threshold = mx.take_along_axis(ordered, num_dropped, axis=-1)
    return mx.where(logprobs < threshold, -math.inf, logprobs)


def min_p_filtered(logprobs: mx.array, min_p: float) -> mx.array:
    """Keep tokens at least `min_p` times as likely as the likeliest."""
    threshold = mx.max(logprobs, axis=-1, keepdims=True) + math.log(min_p)
    return mx.where(logprobs < threshold, -math.inf, logprobs)


def top_k_filtered(logprobs: mx.array, top_k: int) -> mx.array:
    """Keep the `top_k` likeliest tokens; ties at the edge stay together."""
    if top_k >= logprobs.shape[-1]:
        return logprobs
    threshold = mx.min(mx.topk(logprobs, top_k, axis=-1), axis=-1, keepdims=True)
    return mx.where(logprobs < threshold, -math.inf, logprobs)


class TargetLaw:
    """The law of one request. Pure: the same logits, history and position give the same token."""

    def __init__(self, params: SamplingParams) -> None:
        self._params = params
        penalised = (
            params.repetition_penalty != 1.0
            or params.presence_penalty != 0.0
            or params.frequency_penalty != 0.0
        )
        # How many tokens before a position its logits depend on beside the model; 0 means none.
        self.window = params.penalty_window if penalised else 0

    def processed(self, logits: mx.array, history: Sequence[int]) -> mx.array:
        """Penalised logits in float32.

        `logits` is [n, vocabulary] and `history` the tokens up to the one that the last row
        follows; of those, `window` before the first row's position are enough.
        """
        scores = logits.astype(mx.float32)
        if not self.window:
            return scores
        ends = range(len(history) - scores.shape[0] + 1, len(history) + 1)
        rows = [
            self._penalised(scores[i], history[max(0, end - self.window) : end])
            for i, end in enumerate(ends)
        ]
        return mx.stack(rows)

    def choose(self, scores: mx.array, position: int) -> mx.array:
        """The target's tokens [n] at `position`, `position` + 1, ... from processed logits."""
        params = self._params
        if params.temperature == 0.0:
            return mx.argmax(scores, axis=-1)
        filtered = self._filtered(scores - mx.logsumexp(scores, axis=-1, keepdims=True))
        noise = [
            mx.random.gumbel(scores.shape[1:], key=position_key(params.seed, position + i))
            for i in range(scores.shape[0])
        ]
        return mx.argmax(filtered / params.temperature + mx.stack(noise), axis=-1)

    def _filtered(self, logprobs: mx.array) -> mx.array:
        params = self._params
        if 0.0 < params.top_p < 1.0:
            logprobs = top_p_filtered(logprobs, params.top_p)
        if params.min_p > 0.0:
            logprobs = min_p_filtered(logprobs, params.min_p)
        if params.top_k > 0:
            logprobs = top_k_filtered(logprobs, params.top_k)
        return logprobs

    def _penalised(self, scores: mx.array, history: Sequence[int]) -> mx.array:
        params = self._params
        counts = Counter(history)
        tokens = mx.array(list(counts))
        seen = scores[tokens]
        penalty = params.repetition_penalty
        seen = mx.where(seen < 0, seen * penalty, seen / penalty)
        seen = seen - params.presence_penalty
        seen = seen - params.frequency_penalty * mx.array(list(counts.values()), mx.float32)
        scores[tokens] = seen
        return scores
