"""One forward pass over pending and draft, and the target's own choice at every draft position."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import mlx.core as mx

from engine.model.cache import Caches
from engine.model.sampling import TargetLaw
from engine.speculation.close_up import CloseUp, CloseUps
from engine.speculation.context import Context


class Target(Protocol):
    """An mlx-lm model: token ids [1, n] and caches in, logits [1, n, vocabulary] out."""

    def __call__(self, inputs: mx.array, *, cache: list[Any]) -> mx.array: ...


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the target said of a draft of n tokens.

    Choice i of the n + 1 is its token at the i-th draft position, given the drafts before it; the
    last one is past the end. The first `num_decided` of them lead by more than the guard's margin.
    `close_up` has more on each of them, where that was asked for.
    """

    choices: list[int]
    num_decided: int
    close_up: CloseUp | None


def forward(target: Target, caches: Caches, tokens: mx.array) -> mx.array:
    """Run `tokens` [n] behind what the caches hold. Logits [n, vocabulary], not yet computed."""
    logits = target(tokens[None], cache=caches.entries)[0]
    caches.advance(tokens.size)
    return logits


def to_ids(choices: mx.array) -> list[int]:
    """Computed token ids [n] as plain integers; waits for the device."""
    return cast(list[int], choices.tolist())


def verify(
    target: Target,
    context: Context,
    draft: Sequence[int],
    law: TargetLaw,
    close_ups: CloseUps,
    margin: float = 0.0,
) -> Verdict:
    """One forward over pending and `draft`; a lead of `margin` or less decides nothing."""
    position = context.position
    tokens = [*context.pending, *draft]
    logits = forward(target, context.caches, mx.array(tokens))
    history = [*context.tokens[-law.window :], *draft] if law.window else []
    scores = law.processed(logits[-len(draft) - 1 :], history)
    if margin == 0.0:
        choices, is_close = law.choose(scores, position), None
    else:
        choices, leads = law.decide(scores, position, margin)
        is_close = leads <= margin
    close_up = close_ups.of(scores, choices, position)
    mx.eval(choices, is_close, close_up.arrays if close_up is not None else ())
    close = cast(list[bool], is_close.tolist()) if is_close is not None else []
    num_decided = close.index(True) if True in close else len(draft) + 1
    return Verdict(to_ids(choices), num_decided, close_up)
