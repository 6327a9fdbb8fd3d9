"""One forward pass over pending and draft, and the target's own choice at every draft position."""

from collections.abc import Sequence
from typing import Any, Protocol, cast

import mlx.core as mx

from engine.model.cache import Caches
from engine.model.sampling import TargetLaw
from engine.speculation.context import Context


class Target(Protocol):
    """An mlx-lm model: token ids [1, n] and caches in, logits [1, n, vocabulary] out."""

    def __call__(self, inputs: mx.array, *, cache: list[Any]) -> mx.array: ...


def forward(target: Target, caches: Caches, tokens: mx.array) -> mx.array:
    """Run `tokens` [n] behind what the caches hold. Logits [n, vocabulary], not yet computed."""
    logits = target(tokens[None], cache=caches.entries)[0]
    caches.advance(tokens.size)
    return logits


def to_ids(choices: mx.array) -> list[int]:
    """Computed token ids [n] as plain integers; waits for the device."""
    return cast(list[int], choices.tolist())


def verify(
    target: Target, context: Context, draft: Sequence[int], law: TargetLaw
) -> tuple[list[int], mx.array]:
    """The target's choices [len(draft) + 1] and the processed logits they were drawn from.

    Choice i is the target's token at the i-th draft position, given the drafts before it; the last
    one is past the end of the draft.
    """
    position = context.position
    tokens = [*context.pending, *draft]
    logits = forward(target, context.caches, mx.array(tokens))
    history = [*context.tokens[-law.window :], *draft] if law.window else []
    scores = law.processed(logits[-len(draft) - 1 :], history)
    choices = law.choose(scores, position)
    return to_ids(choices), scores
