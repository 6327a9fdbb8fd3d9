"""What a loaded model is, in plain values: its size, its precision, its caches."""

from collections.abc import Mapping
from typing import Any

import mlx.core as mx
from mlx.utils import tree_flatten
from mlx_lm.models.cache import make_prompt_cache

from engine.model.cache import cache_families, is_recurrent, speculation_refusal
from engine.model.model_folder import ModelFolder
from engine.model.preflight import DEMO
from engine.model.special_ids import special_tokens, text_sections
from engine.model_info import ModelInfo


def weight_arrays(model: Any) -> list[mx.array]:
    """Every weight of the model, in the order of its layers."""
    flat: Any = tree_flatten(model.parameters())
    return [array for _, array in flat]


def describe(
    name: str, folder: ModelFolder, model: Any, tokenizer: Any, excluded_ids: frozenset[int]
) -> ModelInfo:
    """All that a person or the window needs to know of a loaded model."""
    entries = make_prompt_cache(model)
    arrays = weight_arrays(model)
    floats = [array for array in arrays if mx.issubdtype(array.dtype, mx.floating)]
    largest = max(floats, key=lambda array: array.size, default=mx.zeros(1))
    is_cpu = mx.default_device().type == mx.DeviceType.cpu
    return ModelInfo(
        name=DEMO if name == DEMO else folder.name,
        path=str(folder.path),
        model_type=folder.model_type,
        num_parameters=_num_parameters(model),
        bits=_bits(folder.config),
        dtype=str(largest.dtype).removeprefix("mlx.core."),
        device="cpu" if is_cpu else "gpu",
        context_length=folder.context_length(),
        vocabulary_size=_vocabulary_size(folder.config, tokenizer),
        memory_bytes=sum(array.nbytes for array in arrays),
        cache_families=cache_families(entries),
        is_recurrent=is_recurrent(entries),
        is_demo=name == DEMO,
        speculation_refusal=speculation_refusal(entries),
        special_tokens=special_tokens(tokenizer),
        excluded_ids=tuple(sorted(excluded_ids)),
    )


def _num_parameters(model: Any) -> int:
    """Weights as trained: packed ones counted unpacked, without their scales and biases."""
    total = sum(array.size for array in weight_arrays(model))
    for _, module in model.named_modules():
        if "scales" in module:
            own = [module[key] for key in ("weight", "scales", "biases") if key in module]
            total += module["weight"].size * 32 // module.bits - sum(array.size for array in own)
    return int(total)


def _bits(config: Mapping[str, Any]) -> int | None:
    for key in ("quantization", "quantization_config"):
        section = config.get(key)
        if isinstance(section, dict) and isinstance(section.get("bits"), int):
            return int(section["bits"])
    return None


def _vocabulary_size(config: Mapping[str, Any], tokenizer: Any) -> int:
    sizes = [section.get("vocab_size") for section in text_sections(config)]
    return next((size for size in sizes if type(size) is int and size > 0), len(tokenizer))
