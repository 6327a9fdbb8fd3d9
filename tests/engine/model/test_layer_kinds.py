"""What is told of caches from a configuration is what mlx-lm's own caches then hold."""

import copy
import importlib
from typing import Any

import mlx.core as mx
import pytest
from mlx.utils import tree_flatten
from mlx_lm.models.cache import ArraysCache, ChunkedKVCache, RotatingKVCache, make_prompt_cache

from engine.model.cache import Caches, cache_families, is_recurrent
from engine.model.layer_kinds import families, layer_groups
from engine.model.loaded_model import LoadedModel
from engine.model.memory import WIDEST_VERIFY
from engine.request import SpeculationParams
from engine.speculation.pacing import MAX_DRAFT_LENGTH
from tests.fakes.kind_configs import WIDE, kind_configs
from tests.fakes.tiny_configs import CONFIGS, RECURRENT_NAMES
from tests.fakes.tiny_models import tiny_loaded

CASES = CONFIGS | {
    f"{name} (kind)": (name, config)
    for name, config in kind_configs({module for module, _ in CONFIGS.values()}).items()
}
NUM_TOKENS = 26
PROMPT = 5


def built(module: str, config: dict[str, Any], dtype: mx.Dtype) -> Any:
    of = importlib.import_module(f"mlx_lm.models.{module}")
    model = of.Model(of.ModelArgs.from_dict(copy.deepcopy(config)))
    model.set_dtype(dtype)
    return model


def run(model: Any) -> Caches:
    """Its caches after a block and single tokens, past every window of the tiny configurations."""
    entries = make_prompt_cache(model)
    model(mx.array([list(range(1, PROMPT + 1))]), cache=entries)
    for _ in range(NUM_TOKENS - PROMPT):
        model(mx.array([[3]]), cache=entries)
    return Caches(entries)


def held_bytes(leaf: Any) -> int:
    """Bytes of the rows a cache may look at; those it has reserved behind them do not count."""
    if type(leaf) is ArraysCache:
        return sum(array.nbytes for array in leaf.cache)
    rows = leaf.keys.shape[2]
    held = min(NUM_TOKENS, leaf.max_size) if type(leaf) is RotatingKVCache else NUM_TOKENS
    return int((leaf.keys.nbytes + leaf.values.nbytes) // rows * held)


@pytest.mark.tiny_model
@pytest.mark.parametrize("case", CASES)
def test_the_caches_are_as_told(case: str) -> None:
    module, config = CASES[case]
    for dtype, width in ((mx.float32, 4), (mx.bfloat16, 2)):
        caches = run(built(module, config, dtype))
        groups = layer_groups(module, config, width)
        assert families(groups) == cache_families(caches.entries)
        told = 0
        for group in groups:
            rows = min(NUM_TOKENS, group.window or NUM_TOKENS)
            rows = NUM_TOKENS if group.kind == "chunked attention" else rows
            told += group.num_layers * (rows * group.bytes_per_token + group.state_bytes)
        assert told == sum(held_bytes(leaf) for leaf in caches.leaves), dtype


@pytest.mark.tiny_model
@pytest.mark.parametrize("name", ["gemma3_text", "llama4"])
def test_windows_are_as_wide_as_told(name: str) -> None:
    module, config = CONFIGS[name]
    leaves = Caches(make_prompt_cache(built(module, config, mx.float32))).leaves
    sizes = [leaf.max_size for leaf in leaves if type(leaf) is RotatingKVCache]
    sizes += [leaf.chunk_size for leaf in leaves if type(leaf) is ChunkedKVCache]
    groups = layer_groups(module, config, 4)
    told = [group.window for group in groups for _ in range(group.num_layers) if group.window]
    assert sorted(told) == sorted(sizes)


@pytest.mark.tiny_model
@pytest.mark.parametrize("name", RECURRENT_NAMES)
def test_a_recurrent_kind_can_be_rolled_back_locally(name: str) -> None:
    """As the survey then says of it."""
    loaded = tiny_loaded(name)
    assert is_recurrent(loaded.make_caches())
    assert loaded.info.local_refusal is None


def arrays_in(value: Any) -> dict[int, mx.array]:
    if isinstance(value, mx.array):
        return {id(value): value}
    parts = value if isinstance(value, (list, tuple)) else ()
    return {key: array for part in parts for key, array in arrays_in(part).items()}


def captured_bytes(loaded: LoadedModel, width: int) -> int:
    """What a watched block of `width` tokens holds on to, weights and the present state aside."""
    caches = Caches(loaded.make_caches())
    loaded.model(mx.array([[1, 2, 3, 4, 5]]), cache=caches.entries)
    caches.advance(5)
    assert loaded.local is not None
    watch = loaded.local.watch(caches, width)
    with watch:
        loaded.model(mx.array([[i % 50 + 1 for i in range(width)]]), cache=caches.entries)
    held = arrays_in(watch._before)
    recording = watch._recording
    assert recording is not None
    for leaf in watch._recurrent:
        for call in (call for heard in recording.of(leaf) for call in heard.calls):
            held |= arrays_in([list(call.arguments.values()), call.result])
    now = arrays_in([list(leaf.cache) for leaf in watch._recurrent])
    weights: Any = tree_flatten(loaded.model.parameters())
    aside = now.keys() | {id(array) for _, array in weights}
    return sum(array.nbytes for key, array in held.items() if key not in aside)


@pytest.mark.tiny_model
@pytest.mark.parametrize("name", RECURRENT_NAMES)
def test_a_verify_holds_no_more_than_told(name: str) -> None:
    width = 24
    real = captured_bytes(tiny_loaded(name), width)
    groups = [group for group in layer_groups(*CONFIGS[name], 4) if group.kind == "recurrent"]
    told = sum(g.num_layers * (2 * g.state_bytes + width * g.captured_bytes) for g in groups)
    spare = 64  # the small one-off arrays of a layer
    assert 0.6 * told < real <= told + spare


def test_an_unknown_kind_has_no_layers() -> None:
    assert layer_groups("nonesuch", WIDE, 4) == ()
    assert layer_groups("phixtral", WIDE, 4) == ()


@pytest.mark.parametrize(
    "change",
    [
        {"num_attention_heads": 0},
        {"num_attention_heads": "four"},
        {"num_key_value_heads": -2},
        {"num_key_value_heads": True},
        {"num_hidden_layers": 10**9},
        {"num_hidden_layers": 2.5},
        {"head_dim": float("nan")},
        {"head_dim": 10**40},
    ],
)
def test_a_setting_without_sense_is_never_guessed(change: dict[str, Any]) -> None:
    assert layer_groups("qwen3", WIDE, 4) != ()
    assert layer_groups("qwen3", WIDE | change, 4) == ()


@pytest.mark.parametrize("module", ["llama", "gemma4", "kimi_linear", "nemotron_h", "jamba"])
@pytest.mark.parametrize("junk", [None, [], "x", {}, -1, [[]], {"a": 1}])
def test_no_setting_makes_it_fail(module: str, junk: Any) -> None:
    for name in (*WIDE, "linear_attn_config", "hybrid_override_pattern", "text_config"):
        for group in layer_groups(module, WIDE | {name: junk}, 4):
            assert min(group.num_layers, group.bytes_per_token + group.state_bytes) > 0


def test_the_widest_verify_is_what_a_step_may_ask_for() -> None:
    assert SpeculationParams().pending_limit + 1 + MAX_DRAFT_LENGTH == WIDEST_VERIFY
