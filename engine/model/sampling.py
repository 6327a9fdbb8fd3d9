"""The target law: the one definition of how logits become a token.

    logits -> penalties (on the history before that position) -> top-p, min-p, top-k -> / T -> draw

The draw is a Gumbel-max, argmax(scores / T + noise), and the noise is a function of (seed, absolute
position) alone. Verifying a draft is making this draw at each of its positions and comparing, so
drafts change neither the law nor, for one seed, the text (drafter-invariant speculation: Daliri,
Musco, Suresh 2024). How far ahead a choice is, the guard needs to know: `TargetLaw.leads`.
"""

from collections import Counter
from collections.abc import Sequence

import mlx.core as mx

from engine.model.filters import Filters, without
from engine.request import SamplingParams

_MASK = 2**64 - 1
# Float32 may round a lead away: by this share of the values, the noise among them.
_ROUNDING = 2.0**-21
_LARGEST_NOISE = 20.0


def position_key(seed: int, position: int) -> mx.array:
    """The random key of one position: splitmix64 over seed and position."""
    mixed = (seed * 0x9E3779B97F4A7C15 + position * 0xD1B54A32D192ED03 + 0x632BE59BD9B4E019) & _MASK
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return mx.random.key(mixed ^ (mixed >> 31))


class TargetLaw:
    """The law of one request. Pure: the same logits, history and position give the same token."""

    def __init__(self, params: SamplingParams) -> None:
        self._params = params
        self._filters = Filters(params)
        # A repetition penalty multiplies or divides logits, and with them what they moved by.
        self._stretch = max(params.repetition_penalty, 1.0 / params.repetition_penalty)
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
        if self._params.temperature == 0.0:
            return mx.argmax(scores, axis=-1)
        scores = scores - mx.max(scores, axis=-1, keepdims=True)
        drawn = self._perturbed(scores, position)
        if self._filters.is_any:
            drawn = mx.where(scores < self._filters.cuts(scores)[0], -mx.inf, drawn)
        return mx.argmax(drawn, axis=-1)

    def leads(self, scores: mx.array, position: int, slack: float) -> mx.array:
        """By how many logits each choice [n] leads the best other token; infinity without one.

        A lead above `slack` is safe: however the model's logits move by up to half of `slack` each,
        `choose` gives the same token. It is 0 where a filter that moves along could drop the
        choice, or let in a token that would win. With `slack` 0, the lead as it is.
        """
        return self.decide(scores, position, slack)[1]

    def decide(self, scores: mx.array, position: int, slack: float) -> tuple[mx.array, mx.array]:
        """`choose` and `leads` at once, which share nearly all of their work."""
        temperature, stretched = self._params.temperature, slack * self._stretch
        if temperature == 0.0:
            leads, winners = _leads(scores, slack)
            return winners[:, 0], leads / self._stretch
        scores = scores - mx.max(scores, axis=-1, keepdims=True)
        drawn = self._perturbed(scores, position)
        if not self._filters.is_any:
            leads, winners = _leads(drawn, slack)
            return winners[:, 0], leads * (temperature / self._stretch)
        cut, loose_cut = self._filters.cuts(scores, stretched)
        choices = mx.argmax(mx.where(scores < cut, -mx.inf, drawn), axis=-1)
        leads, winners = _leads(mx.where(scores < loose_cut, -mx.inf, drawn), slack)
        if slack > 0.0:
            kept = self._filters.surely_keep(scores, winners, stretched)
            leads = mx.where(kept, leads, 0.0)
        return choices, leads * (temperature / self._stretch)

    def _perturbed(self, scores: mx.array, position: int) -> mx.array:
        """What the draws at `position`, `position` + 1, ... are the argmax of, filters aside."""
        params = self._params
        noise = [
            mx.random.gumbel(scores.shape[1:], key=position_key(params.seed, position + i))
            for i in range(scores.shape[0])
        ]
        return scores / params.temperature + mx.stack(noise)

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


def _leads(values: mx.array, slack: float) -> tuple[mx.array, mx.array]:
    """How far the largest value [n] is above the next, rounding allowed for; where it is [n, 1]."""
    winners = mx.argmax(values, axis=-1, keepdims=True)
    best = mx.take_along_axis(values, winners, axis=-1)[:, 0]
    second = mx.max(without(values, winners), axis=-1)
    leads = mx.where(best == second, 0.0, best - second)
    if slack > 0.0:
        leads = mx.maximum(leads - _ROUNDING * (mx.abs(best) + _LARGEST_NOISE), 0.0)
    return leads, winners
