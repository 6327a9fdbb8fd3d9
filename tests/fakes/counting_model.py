"""A model whose next token is a checksum of everything its caches hold, on real mlx-lm caches.

One attention-like layer sums what its key-value cache returns; one recurrent layer folds each token
into a state. A token kept, lost or counted twice in either changes every later token, so any wrong
rollback shows in the ids. Exact integer arithmetic in float32: no ties, no drift.
"""

from typing import Any

import mlx.core as mx
from mlx_lm.models.cache import ArraysCache, KVCache

from engine.model.loaded_model import LoadedModel
from tests.fakes.loaded import stand_in

VOCABULARY = 31
STATE_MODULUS = 97


class CountingModel:
    """`recurrent` adds the ArraysCache layer, so that drafts cannot be trimmed."""

    def __init__(self, *, recurrent: bool) -> None:
        self.recurrent = recurrent
        self.num_forwards = 0

    def make_cache(self) -> list[Any]:
        return [KVCache(), ArraysCache(size=1)] if self.recurrent else [KVCache()]

    def __call__(self, inputs: mx.array, *, cache: list[Any]) -> mx.array:
        self.num_forwards += 1
        tokens = inputs[0].astype(mx.float32)
        num_new = tokens.size
        column = tokens[None, None, :, None]
        keys, _ = cache[0].update_and_fetch(column, column)
        held = keys[0, 0, :, 0]
        weights = (mx.arange(held.size) % 5 + 1).astype(mx.float32)
        sums = mx.cumsum(held * weights)[-num_new:]
        if self.recurrent:
            sums = sums + self._folded(tokens, cache[1])
        chosen = mx.remainder(sums * 7 + 3, VOCABULARY).astype(mx.int32)
        return 10.0 * (mx.arange(VOCABULARY) == chosen[:, None]).astype(mx.float32)[None]

    def _folded(self, tokens: mx.array, cache: ArraysCache) -> mx.array:
        state = cache[0] if cache[0] is not None else mx.array(0.0)
        states = []
        for i in range(tokens.size):
            state = mx.remainder(3 * state + tokens[i] + 1, STATE_MODULUS)
            states.append(state)
        cache[0] = state
        return mx.stack(states)


def counting_loaded(
    *,
    recurrent: bool,
    stop_ids: frozenset[int] = frozenset(),
    excluded_ids: frozenset[int] = frozenset(),
) -> LoadedModel:
    """A counting model as the engine expects a loaded one, with the toy tokenizer."""
    model = CountingModel(recurrent=recurrent)
    return stand_in(model, VOCABULARY, stop_ids=stop_ids, excluded_ids=excluded_ids)
