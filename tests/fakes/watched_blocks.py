"""For tests of local rollback: a block watched on a tiny model, and the same tokens by chain."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import mlx.core as mx
from mlx_lm.models.cache import ArraysCache, make_prompt_cache

from engine.model.cache import Caches
from engine.model.local.rollback import LocalRollback
from engine.model.local.watch import BlockWatch
from tests.fakes.tiny_configs import VOCABULARY
from tests.fakes.tiny_models import make_tiny

WIDTH = 6
CONTEXTS = {"empty": 0, "filled": 9}
BLOCK = [(5 * i + 11 + i * i) % VOCABULARY for i in range(WIDTH)]

State = list[mx.array | None]


@cache
def tiny(name: str) -> Any:
    return make_tiny(name)


@cache
def rollback_of(name: str) -> LocalRollback | str:
    return LocalRollback.of(tiny(name), make_prompt_cache(tiny(name)))


def context_of(num_held: int) -> list[int]:
    return [(7 * i + 3 * i * i) % VOCABULARY for i in range(num_held)]


def forward(model: Any, caches: Caches, tokens: Sequence[int]) -> mx.array:
    """Logits [n, vocabulary] of `tokens` behind what the caches hold, everything computed."""
    logits: mx.array = model(mx.array([list(tokens)]), cache=caches.entries)[0]
    caches.advance(len(tokens))
    mx.eval(logits)
    caches.evaluate()
    return logits


def held_caches(model: Any, num_held: int) -> Caches:
    """Caches that hold the first tokens of the context."""
    caches = Caches(make_prompt_cache(model))
    if num_held:
        forward(model, caches, context_of(num_held))
    return caches


def watched_block(
    model: Any, rollback: LocalRollback, num_held: int
) -> tuple[Caches, BlockWatch, State]:
    """Caches after a watched block, the watch, and the recurrent arrays the block left."""
    caches = held_caches(model, num_held)
    watch = rollback.watch(caches, WIDTH)
    with watch:
        forward(model, caches, BLOCK)
    return caches, watch, recurrent_state(caches)


def chain_states(model: Any, num_held: int) -> list[State]:
    """The recurrent arrays after each of the block's tokens, run one at a time."""
    caches = held_caches(model, num_held)
    states = []
    for token in BLOCK:
        forward(model, caches, [token])
        states.append(recurrent_state(caches))
    return states


def recurrent_state(caches: Caches) -> State:
    return [array for leaf in caches.leaves if type(leaf) is ArraysCache for array in leaf.cache]


def flat(rebuilt: list[tuple[mx.array | None, ...]]) -> State:
    return [array for arrays in rebuilt for array in arrays]


def is_identical(found: State, expected: State) -> bool:
    """Same shapes, types and bits."""
    assert len(found) == len(expected)
    return all(
        a is b
        or (
            a is not None
            and b is not None
            and a.shape == b.shape
            and a.dtype == b.dtype
            and mx.array_equal(a, b).item()
        )
        for a, b in zip(found, expected, strict=True)
    )
