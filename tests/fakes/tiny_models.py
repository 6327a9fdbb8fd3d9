"""Tiny models of mlx-lm's own classes, with random float32 weights: real caches, no downloads.

`make_tiny(name)` builds one of `ARCHITECTURES`; the same name and seed give the same weights.
`tiny_loaded(name)` wraps it as the engine's own LoadedModel, with the toy tokenizer.
"""

import importlib
from collections.abc import Callable
from functools import partial

import mlx.core as mx
from mlx import nn
from mlx.utils import tree_flatten, tree_unflatten

from engine.model.loaded_model import LoadedModel
from tests.fakes.loaded import stand_in
from tests.fakes.tiny_configs import CONFIGS, CONTEXT_LENGTH, VOCABULARY

# Widths of the random weights. The head is wide so that the best two tokens rarely come close.
# A model without a head of its own uses its embedding, which then must not drown the layers.
_INNER_GAIN = 1.5
_HEAD_GAIN = 6.0
_TIED_EMBEDDING_GAIN = 0.15


def _randomised(path: str, value: mx.array, key: mx.array, embedding_gain: float) -> mx.array:
    """New weights for a matrix; vectors (norms, decays, biases) are moved a little."""
    noise = mx.random.normal(value.shape, key=key)
    if value.ndim < 2:
        return value.astype(mx.float32) + 0.1 * noise
    if "embed" in path or "wte" in path:
        return noise * embedding_gain
    gain = _HEAD_GAIN if "lm_head" in path else _INNER_GAIN
    fan_in = value.shape[-1] if value.ndim == 2 else value.shape[-1] * value.shape[-2]
    return noise * (gain / fan_in**0.5)


def _build(name: str) -> nn.Module:
    module_name, config = CONFIGS[name]
    module = importlib.import_module(f"mlx_lm.models.{module_name}")
    model: nn.Module = module.Model(module.ModelArgs.from_dict(config))
    return model


ARCHITECTURES: dict[str, Callable[[], nn.Module]] = {
    name: partial(_build, name) for name in CONFIGS
}


def make_tiny(name: str, seed: int = 0) -> nn.Module:
    """Build `name` and give it random float32 weights, all evaluated."""
    mx.random.seed(seed)  # some classes draw their decays and biases when they are built
    model = ARCHITECTURES[name]()
    flat = tree_flatten(model.parameters())
    is_tied = not any("lm_head" in path for path, _ in flat)
    embedding_gain = _TIED_EMBEDDING_GAIN if is_tied else 1.0
    keys = mx.random.split(mx.random.key(seed), len(flat))
    weights = [
        (path, _randomised(path, value, key, embedding_gain))
        for (path, value), key in zip(flat, keys, strict=True)
    ]
    model.update(tree_unflatten(weights))
    model.eval()
    mx.eval(model.parameters())
    return model


def tiny_loaded(name: str, seed: int = 0) -> LoadedModel:
    """`make_tiny(name)` as `engine.model.load.load` would hand it out."""
    model = make_tiny(name, seed)
    return stand_in(model, VOCABULARY, name=f"tiny {name}", context_length=CONTEXT_LENGTH)
