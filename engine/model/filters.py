"""The filters of the law: which tokens may be drawn, and which for sure if logits moved a bit.

top-p, min-p and top-k each drop the least likely tokens, so together they are one cut: the highest
of three. Defined as in mlx-lm's sample_utils, in float32.
"""

import math
from collections.abc import Sequence

import mlx.core as mx

from engine.request import SamplingParams

# Sums over a vocabulary are this exact; a cut is taken to be no sharper.
_ROUNDING = 1e-5
_LARGEST_EXPONENT = 700.0


class Filters:
    """top-p, min-p and top-k of one request. Tokens that tie at the edge stay together.

    Scores [n, vocabulary] are logits up to a number added to a row.
    """

    def __init__(self, params: SamplingParams) -> None:
        self._top_p = params.top_p if 0.0 < params.top_p < 1.0 else None
        self._min_p = params.min_p if params.min_p > 0.0 else None
        self._top_k = params.top_k if params.top_k > 0 else None
        self.is_any = any(each is not None for each in (self._top_p, self._min_p, self._top_k))

    def cuts(self, scores: mx.array, slack: float = 0.0) -> tuple[mx.array, mx.array]:
        """The score [n, 1] under which a token is dropped; and is surely dropped, given a slack.

        That is however the logits move, each by at most half of `slack`: two of them move apart
        by all of it then, and so do a token and the cut.
        """
        cuts: list[mx.array] = []
        loose: list[mx.array] = []
        if self._top_p is not None:
            widened = _shifted(self._top_p, slack + _ROUNDING) * (1.0 + _ROUNDING)
            exact, wide = _top_p_cuts(scores, (self._top_p, widened))
            cuts.append(exact)
            loose.append(wide)
        if self._min_p is not None:
            cuts.append(mx.max(scores, axis=-1, keepdims=True) + math.log(self._min_p))
        if self._top_k is not None and self._top_k < scores.shape[-1]:
            likeliest = mx.topk(scores, self._top_k, axis=-1)
            cuts.append(mx.min(likeliest, axis=-1, keepdims=True))
        cut = _highest(cuts, scores)
        if slack == 0.0:
            return cut, cut
        return cut, _highest([*loose, *cuts[len(loose) :]], scores) - (slack + _ROUNDING)

    def surely_keep(self, scores: mx.array, tokens: mx.array, slack: float) -> mx.array:
        """Whether `tokens` [n, 1], one a row, stay however the logits move by half of `slack`.

        Worst for a token is that it sinks and every other one rises: it is then overtaken by all
        that were less than `slack` behind it.
        """
        slack += _ROUNDING
        own = mx.take_along_axis(scores, tokens, axis=-1)
        others = without(scores, tokens)
        rivals = others > own - slack
        kept = mx.ones(own.shape, mx.bool_)
        if self._top_p is not None:
            probs = mx.exp(scores - mx.max(scores, axis=-1, keepdims=True))
            mass = mx.where(rivals, probs, 0.0).sum(axis=-1, keepdims=True)
            limit = _shifted(self._top_p, -slack) * (1.0 - _ROUNDING)
            kept = kept & (mass < limit * probs.sum(axis=-1, keepdims=True))
        if self._min_p is not None:
            best = mx.max(others, axis=-1, keepdims=True)
            kept = kept & (best + (math.log(self._min_p) + slack) <= own)
        if self._top_k is not None:
            kept = kept & (rivals.sum(axis=-1, keepdims=True) < self._top_k)
        return kept[..., 0]


def without(values: mx.array, tokens: mx.array) -> mx.array:
    """`values` [n, vocabulary] with minus infinity in place of one token [n, 1] a row."""
    return mx.put_along_axis(values, tokens, mx.array(-math.inf), axis=-1)


def _top_p_cuts(scores: mx.array, masses: Sequence[float]) -> list[mx.array]:
    """For each mass the lowest of the fewest likeliest tokens that reach it."""
    ordered = mx.sort(scores, axis=-1)
    probs = mx.exp(ordered - ordered[..., -1:])
    mass_above = mx.cumsum(probs, axis=-1, reverse=True, inclusive=False)
    total = mass_above[..., :1] + probs[..., :1]
    cuts = []
    for mass in masses:
        num_dropped = (mass_above >= mass * total).sum(axis=-1, keepdims=True)
        # The likeliest token stays, however small the mass asked for.
        num_dropped = mx.minimum(num_dropped, ordered.shape[-1] - 1)
        cuts.append(mx.take_along_axis(ordered, num_dropped, axis=-1))
    return cuts


def _highest(cuts: Sequence[mx.array], scores: mx.array) -> mx.array:
    highest = mx.full((*scores.shape[:-1], 1), -math.inf)
    for cut in cuts:
        highest = mx.maximum(highest, cut)
    return highest


def _shifted(mass: float, slack: float) -> float:
    """What a share of the probability becomes if its logits and all the others part by `slack`."""
    odds_against = (1.0 - mass) / mass * math.exp(min(-slack, _LARGEST_EXPONENT))
    return 1.0 / (1.0 + odds_against)
