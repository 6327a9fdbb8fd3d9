"""A changed mlx-lm is found when the model is loaded, with a reason a person can read."""

import sys
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import (
    ArraysCache,
    BatchKVCache,
    KVCache,
    QuantizedKVCache,
    RotatingKVCache,
    make_prompt_cache,
)

from engine.model.cache import Caches
from engine.model.local.layers import adapted_layers
from engine.model.local.rollback import LocalRollback
from engine.model.local.self_check import relative_difference, self_check
from tests.fakes.counting_model import CountingModel
from tests.fakes.tiny_models import make_tiny
from tests.fakes.watched_blocks import tiny

pytestmark = pytest.mark.tiny_model
NAME = "qwen3_next"
FUNCTION = "gated_delta_update"


def module_of(name: str) -> Any:
    return sys.modules[type(tiny(name)).__module__]


def refusal(model: Any) -> str:
    found = LocalRollback.of(model, make_prompt_cache(model))
    assert isinstance(found, str)
    assert found
    assert not found.endswith(".")
    return found


def test_a_recurrence_that_takes_other_arguments(monkeypatch: Any) -> None:
    original = vars(module_of(NAME))[FUNCTION]

    def renamed(query: Any, k: Any, v: Any, *rest: Any, **options: Any) -> Any:
        return original(query, k, v, *rest, **options)

    monkeypatch.setattr(module_of(NAME), FUNCTION, renamed)
    assert refusal(tiny(NAME)) == "gated_delta_update was called without q (qwen3_next)"


def test_a_recurrence_that_gives_something_else_each_time(monkeypatch: Any) -> None:
    original, calls = vars(module_of(NAME))[FUNCTION], []

    def perturbed(
        q: Any, k: Any, v: Any, a: Any, b: Any, *rest: Any, **options: Any
    ) -> tuple[mx.array, mx.array]:
        calls.append(1)
        out, state = original(q, k, v, a, b, *rest, **options)
        return out, state + 1e-3 * len(calls)

    monkeypatch.setattr(module_of(NAME), FUNCTION, perturbed)
    assert "called without state" not in refusal(tiny(NAME))
    assert "given the state its cache held" in refusal(tiny(NAME))


def signature_kept(original: Any, change: Any) -> Any:
    def changed(
        q: Any,
        k: Any,
        v: Any,
        a: Any,
        b: Any,
        A_log: Any,  # noqa: N803
        dt_bias: Any,
        state: Any = None,
        mask: Any = None,
        **options: Any,
    ) -> Any:
        out, new = original(q, k, v, a, b, A_log, dt_bias, state, mask, **options)
        return out, change(q, new)

    return changed


@pytest.mark.parametrize("size", [1e-3, 1.0])
def test_a_state_that_is_not_the_same_twice(monkeypatch: Any, size: float) -> None:
    original, calls = vars(module_of(NAME))[FUNCTION], []

    def change(q: mx.array, state: mx.array) -> mx.array:
        calls.append(1)
        return state + size * len(calls)

    monkeypatch.setattr(module_of(NAME), FUNCTION, signature_kept(original, change))
    assert refusal(tiny(NAME)).startswith("a recurrent state made again is not the one")


def test_a_state_that_depends_on_what_the_rows_do_not_say(monkeypatch: Any) -> None:
    """The same call twice gives the same, but a block of its first tokens something else."""
    original, widths = vars(module_of(NAME))[FUNCTION], []

    def change(q: mx.array, state: mx.array) -> mx.array:
        widths.append(q.shape[1])
        seen_wide = max(widths) > q.shape[1] and widths.count(q.shape[1]) > 2
        return state * 1.001 if seen_wide else state

    monkeypatch.setattr(module_of(NAME), FUNCTION, signature_kept(original, change))
    assert "off by" in refusal(tiny(NAME))


def test_a_recurrence_that_is_gone(monkeypatch: Any) -> None:
    monkeypatch.delattr(module_of(NAME), FUNCTION)
    expected = "the recurrent layers of qwen3_next have no gated_delta_update any more"
    assert refusal(tiny(NAME)) == expected


def test_a_recurrence_called_twice_a_layer(monkeypatch: Any) -> None:
    kind = type(adapted_layers(tiny(NAME))[0])
    original = vars(kind)["__call__"]

    def twice(layer: Any, inputs: Any, mask: Any = None, cache: Any = None) -> Any:
        original(layer, inputs, mask, ArraysCache(2))
        return original(layer, inputs, mask, cache)

    monkeypatch.setattr(kind, "__call__", twice)
    assert "2 times in a layer" in refusal(tiny(NAME))


def test_a_window_kept_one_row_off(monkeypatch: Any) -> None:
    kind = type(adapted_layers(tiny(NAME))[0])
    original = vars(kind)["__call__"]

    def shifted(layer: Any, inputs: Any, mask: Any = None, cache: Any = None) -> Any:
        out = original(layer, inputs, mask, cache)
        cache[0] = mx.roll(cache[0], 1, axis=1)
        return out

    monkeypatch.setattr(kind, "__call__", shifted)
    assert refusal(tiny(NAME)).startswith("a recurrent state made again is not the one")


def test_another_number_of_arrays(monkeypatch: Any) -> None:
    model = tiny("rwkv7")
    entries = [ArraysCache(4) for _ in make_prompt_cache(model)]
    found = LocalRollback.of(model, entries)
    assert found == "a Rwkv7Layer keeps 4 arrays, not 3 (rwkv7)"


def test_a_layer_that_fails_when_run_again(monkeypatch: Any) -> None:
    original = vars(module_of(NAME))[FUNCTION]

    def change(q: mx.array, state: mx.array) -> mx.array:
        if q.shape[1] == 2:
            raise ValueError("an odd block")
        return state

    monkeypatch.setattr(module_of(NAME), FUNCTION, signature_kept(original, change))
    assert "failed when it was tried, ValueError: an odd block" in refusal(tiny(NAME))


def test_layers_without_an_adapter() -> None:
    counting = CountingModel(recurrent=True)
    assert refusal(counting) == "no adapter for the recurrent layers of counting_model"
    assert counting.num_forwards == 0


def test_caches_that_cannot_be_rolled_back_at_all() -> None:
    for entry in (BatchKVCache([0]), QuantizedKVCache()):
        assert isinstance(LocalRollback.of(None, [entry]), str)


def test_models_without_recurrent_layers_are_not_run() -> None:
    def never(*arguments: Any, **options: Any) -> Any:
        raise AssertionError("no forward is needed")

    entries = [KVCache(), RotatingKVCache(16, keep=2), RotatingKVCache(8)]
    assert isinstance(LocalRollback.of(never, entries), LocalRollback)


def test_a_rotating_cache_that_lays_a_block_elsewhere(monkeypatch: Any) -> None:
    original = RotatingKVCache._update_concat

    def at_the_front(cache: RotatingKVCache, keys: mx.array, values: mx.array) -> Any:
        original(cache, keys, values)
        cache.keys = mx.roll(cache.keys, keys.shape[2], axis=2)
        cache.values = mx.roll(cache.values, keys.shape[2], axis=2)
        return cache.keys, cache.values

    monkeypatch.setattr(RotatingKVCache, "_update_concat", at_the_front)
    found = LocalRollback.of(None, [RotatingKVCache(16)])
    assert isinstance(found, str)
    assert "rotating cache" in found


def test_a_rotating_cache_that_drops_more_of_the_window(monkeypatch: Any) -> None:
    def too_short(cache: RotatingKVCache, size: int, rows: mx.array, append: Any = None) -> Any:
        kept = rows[..., max(0, size) + 1 :, :]
        return kept if append is None else mx.concatenate([kept, append], axis=2)

    monkeypatch.setattr(RotatingKVCache, "_trim", too_short)
    assert isinstance(LocalRollback.of(None, [RotatingKVCache(16)]), str)


def test_half_precision_is_compared_with_its_own_measure() -> None:
    model = make_tiny("mamba2")
    model.set_dtype(mx.bfloat16)
    caches = Caches(make_prompt_cache(model))
    rollback = LocalRollback.of(model, make_prompt_cache(model))
    assert isinstance(rollback, LocalRollback)
    assert self_check(model, caches, rollback.watch) is None


def test_a_difference_is_measured_by_each_array_alone_and_nan_is_one() -> None:
    large, small = mx.array([1000.0, -2000.0]), mx.array([0.001, 0.002])
    assert relative_difference([large, None], [large, None]) == 0.0
    off = relative_difference([large, small + 0.0002], [large, small])
    assert off == pytest.approx(0.1, rel=1e-4)
    broken = mx.array([float("nan"), 1.0, 2.0])
    found = relative_difference([large, broken, small], [large, mx.ones(3), small])
    assert found != found
