"""What is kept beside each choice where it was asked for: its probability, its rivals, its lead.

The arrays join the forward that they belong to, so that looking closely makes nobody wait: asked
for later, they would queue behind the forward that was started in the meantime.
"""

from dataclasses import dataclass
from typing import cast

import mlx.core as mx

from engine.model.sampling import TargetLaw

Alternatives = tuple[tuple[int, float], ...]


@dataclass(frozen=True, slots=True)
class CloseUp:
    """Arrays by position, not computed until somebody evaluates or reads them.

    `own` [n] are the choices' log-probabilities, `ids` and `logprobs` [n, k] the likeliest tokens
    in order, `leads` [n] by how many logits each choice won its draw.
    """

    own: mx.array
    ids: mx.array
    logprobs: mx.array
    leads: mx.array

    @property
    def arrays(self) -> tuple[mx.array, ...]:
        """All of it, to be evaluated with what it belongs to."""
        return self.own, self.ids, self.logprobs, self.leads

    def read(
        self, num_positions: int
    ) -> tuple[tuple[float, ...], tuple[Alternatives, ...], tuple[float, ...]]:
        """Log-probabilities, alternatives and leads of the first positions, as plain numbers."""
        own = cast(list[float], self.own.tolist())
        leads = cast(list[float], self.leads.tolist())
        ids = cast(list[list[int]], self.ids.tolist())
        chances = cast(list[list[float]], self.logprobs.tolist())
        rivals = [tuple(zip(*row, strict=True)) for row in zip(ids, chances, strict=True)]
        return (
            tuple(own[:num_positions]),
            tuple(rivals[:num_positions]),
            tuple(leads[:num_positions]),
        )


class CloseUps:
    """Takes close-ups under one law; none where no alternatives are asked for."""

    def __init__(self, law: TargetLaw, num_alternatives: int) -> None:
        self._law = law
        self._num_alternatives = num_alternatives

    def of(self, scores: mx.array, choices: mx.array, position: int) -> CloseUp | None:
        """Of `choices` [n], drawn from `scores` [n, vocabulary] at `position` and the next ones."""
        if self._num_alternatives == 0:
            return None
        logprobs = scores - mx.logsumexp(scores, axis=-1, keepdims=True)
        most = min(self._num_alternatives, logprobs.shape[-1])
        # The likeliest in any order first: sorting a whole vocabulary takes longer.
        some = mx.argpartition(-logprobs, most - 1, axis=-1)[:, :most]
        order = mx.argsort(-mx.take_along_axis(logprobs, some, axis=-1), axis=-1)
        ids = mx.take_along_axis(some, order, axis=-1)
        return CloseUp(
            own=mx.take_along_axis(logprobs, choices[:, None], axis=-1)[:, 0],
            ids=ids,
            logprobs=mx.take_along_axis(logprobs, ids, axis=-1),
            leads=self._law.leads(scores, position, 0.0),
        )
