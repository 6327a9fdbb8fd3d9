"""Nothing of a watch is left behind: no replaced function, no held array, no second listener."""

import gc
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import mlx.core as mx
import pytest
from mlx_lm.models.cache import ArraysCache

from engine.errors import RollbackError
from engine.model.local.layers import adapted_layers, heard_sites
from engine.model.local.recording import Recording, Site, Sites
from engine.model.local.rollback import LocalRollback
from tests.fakes.tiny_configs import RECURRENT_NAMES
from tests.fakes.watched_blocks import (
    BLOCK,
    WIDTH,
    forward,
    held_caches,
    recurrent_state,
    rollback_of,
    tiny,
    watched_block,
)

pytestmark = pytest.mark.tiny_model
NAME = "qwen3_next"


def sites_of(name: str) -> list[Site]:
    layers = adapted_layers(tiny(name))
    return [*heard_sites(layers), *(Site(type(layer), "__call__") for layer in layers)]


def functions(name: str) -> list[Any]:
    return [site.function for site in sites_of(name)]


def claimed(name: str) -> LocalRollback:
    rollback = rollback_of(name)
    assert isinstance(rollback, LocalRollback), rollback
    return rollback


def is_same(found: list[Any], expected: list[Any]) -> bool:
    return all(a is b for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize("name", RECURRENT_NAMES)
def test_every_function_is_the_original_again(name: str) -> None:
    originals = functions(name)
    assert originals
    assert None not in originals
    caches = held_caches(tiny(name), 9)
    watch = claimed(name).watch(caches, WIDTH)
    assert is_same(functions(name), originals)
    with watch:
        assert not any(a is b for a, b in zip(functions(name), originals, strict=True))
        forward(tiny(name), caches, BLOCK)
    assert is_same(functions(name), originals)
    watch.keep(2)
    assert is_same(functions(name), originals)


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_every_function_is_the_original_again_after_an_exception(
    error: type[BaseException],
) -> None:
    originals = functions(NAME)
    caches = held_caches(tiny(NAME), 9)

    def interrupted() -> None:
        with claimed(NAME).watch(caches, WIDTH):
            forward(tiny(NAME), caches, BLOCK)
            raise error

    with pytest.raises(error):
        interrupted()
    assert is_same(functions(NAME), originals)
    _, watch, _ = watched_block(tiny(NAME), claimed(NAME), 9)
    watch.keep(1)


def test_an_exception_inside_a_layer_leaves_nothing_either(monkeypatch: Any) -> None:
    model = tiny(NAME)
    layer = adapted_layers(model)[0]

    def fails(*arguments: Any) -> Any:
        raise ValueError("no")

    monkeypatch.setattr(type(layer.norm), "__call__", fails)
    originals = functions(NAME)
    caches = held_caches(model, 0)
    with pytest.raises(ValueError, match="no"), claimed(NAME).watch(caches, WIDTH):
        forward(model, caches, BLOCK)
    assert is_same(functions(NAME), originals)


def test_a_function_that_is_gone_when_entered_leaves_the_rest_alone(monkeypatch: Any) -> None:
    layers = adapted_layers(tiny(NAME))
    sites = Sites(heard_sites(layers), [type(layer) for layer in layers])
    gone = next(site for site in sites.heard if site.name == "gated_delta_update")
    monkeypatch.delattr(gone.owner, gone.name)
    originals = functions(NAME)
    with pytest.raises(KeyError), Recording(sites, []):
        pass
    assert is_same(functions(NAME), originals)
    assert Site(gone.owner, gone.name).function is None


def test_a_single_token_is_not_listened_to() -> None:
    originals = functions(NAME)
    caches = held_caches(tiny(NAME), 9)
    before = recurrent_state(caches)
    watch = claimed(NAME).watch(caches, 1)
    with watch:
        assert is_same(functions(NAME), originals)
        forward(tiny(NAME), caches, BLOCK[:1])
    watch.keep(0)
    assert is_same(recurrent_state(caches), before)
    assert caches.length == 9


@contextmanager
def no_collector() -> Iterator[None]:
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@pytest.mark.parametrize("num_kept", [None, 0, 3, WIDTH])
def test_nothing_heard_outlives_the_step(num_kept: int | None) -> None:
    """No cycles: what was heard goes with the watch, without the collector."""
    with no_collector():
        caches = held_caches(tiny(NAME), 9)
        watch = claimed(NAME).watch(caches, WIDTH)
        with watch:
            forward(tiny(NAME), caches, BLOCK)
        recording = watch._recording
        assert recording is not None
        leaf = next(leaf for leaf in caches.leaves if type(leaf) is ArraysCache)
        calls = recording.of(leaf)[0].calls
        kept = weakref.ref(recording)
        heard = [weakref.ref(call.arguments["q"]) for call in calls if "q" in call.arguments]
        assert heard
        del recording, calls, leaf
        assert kept() is not None
        if num_kept is None:
            del watch
        else:
            watch.keep(num_kept)
        assert kept() is None
        assert all(reference() is None for reference in heard)


def test_memory_does_not_grow_with_steps() -> None:
    model, rollback = tiny(NAME), claimed(NAME)
    caches = held_caches(model, 9)
    sizes = []
    for _ in range(6):
        watch = rollback.watch(caches, WIDTH)
        with watch:
            forward(model, caches, BLOCK)
        watch.keep(1)
        forward(model, caches, BLOCK[:1])
        del watch
        mx.clear_cache()
        sizes.append(mx.get_active_memory())
    assert sizes[-1] <= sizes[1] + 4096


def test_keep_computes_nothing() -> None:
    """What is kept is a graph until the next forward asks for it."""
    caches, watch, _ = watched_block(tiny(NAME), claimed(NAME), 9)
    before = mx.get_active_memory()
    watch.keep(3)
    state = [array for array in recurrent_state(caches) if array is not None]
    unevaluated = mx.get_active_memory()
    mx.eval(state)
    assert unevaluated <= before
    assert sum(array.nbytes for array in state) > 0


def test_a_watch_is_good_for_one_keep() -> None:
    caches, watch, _ = watched_block(tiny(NAME), claimed(NAME), 9)
    watch.keep(2)
    with pytest.raises(RollbackError, match="twice"):
        watch.keep(1)
    assert caches.length == 11


def test_a_forward_that_was_not_watched_cannot_be_kept() -> None:
    caches = held_caches(tiny(NAME), 9)
    watch = claimed(NAME).watch(caches, WIDTH)
    forward(tiny(NAME), caches, BLOCK)
    with pytest.raises(RollbackError, match="was given to 0 layers"):
        watch.keep(2)


def test_another_thread_is_not_heard_and_waits_its_turn() -> None:
    heard_by_other: list[int] = []
    entered = threading.Event()
    first_is_done = threading.Event()
    order: list[str] = []
    layers = adapted_layers(tiny(NAME))
    sites = Sites(heard_sites(layers), [type(layer) for layer in layers])
    leaf = ArraysCache(2)
    originals = functions(NAME)

    def call_through() -> None:
        layer_call = Site(type(layers[0]), "__call__").function
        assert layer_call is not None
        entered.set()
        with pytest.raises(AttributeError):
            layer_call(layers[0], None, None, leaf)  # reaches mlx-lm's layer, which fails on None
        heard_by_other.append(len(recording.of(leaf)))
        with Recording(sites, []):
            order.append("second")
            assert first_is_done.is_set()

    recording = Recording(sites, [leaf])
    other = threading.Thread(target=call_through)
    with recording:
        other.start()
        entered.wait(10)
        while not heard_by_other:
            other.join(0.01)
        order.append("first")
        first_is_done.set()
    other.join(10)
    assert heard_by_other == [0]
    assert order == ["first", "second"]
    assert is_same(functions(NAME), originals)
