"""The layers of a model and what their caches keep, told from its configuration without MLX."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from engine.model.layers import gated, latent, plain, recurrent, windows
from engine.model.layers.settings import Settings, Unclear
from engine.model_survey import LayerGroup

KINDS: dict[str, Callable[[Settings], list[LayerGroup]]] = {
    **plain.KINDS,
    **latent.KINDS,
    **windows.KINDS,
    **gated.KINDS,
    **recurrent.KINDS,
}
# Caches of a class of the model's own, which the engine has no way to roll back.
OWN_CACHES = {"deepseek_v41": "LayerCache"}

# Kinds whose text model has a section of its own, mostly: those that see are given without it too.
_NESTED = frozenset({
    "gemma3", "gemma3n", "gemma4", "kimi_k25", "kimi_k3", "kimi_vl", "lfm2-vl", "llama4",
    "minimax_m3_vl", "mistral3", "muse_spark", "pixtral", "qwen2_vl", "qwen3_5", "qwen3_5_moe",
    "qwen3_vl", "qwen3_vl_moe",
})  # fmt: skip


def layer_groups(module: str, config: Mapping[str, Any], width: int) -> tuple[LayerGroup, ...]:
    """What the layers of mlx-lm's `module` keep, like ones together, in order; () if unknown.

    `width` is how many bytes a cached number takes.
    """
    layers = KINDS.get(module)
    if layers is None:
        return ()
    try:
        return _together(layers(Settings(_text_section(module, config), width)))
    except (Unclear, ZeroDivisionError):
        return ()


def families(groups: Iterable[LayerGroup]) -> tuple[str, ...]:
    """Their kinds, each once, in order."""
    return tuple(dict.fromkeys(group.kind for group in groups))


def _text_section(module: str, config: Mapping[str, Any]) -> Mapping[str, Any]:
    section = config.get("text_config") if module in _NESTED else None
    return section if isinstance(section, Mapping) else config


def _together(layers: Iterable[LayerGroup]) -> tuple[LayerGroup, ...]:
    counted: dict[LayerGroup, int] = {}
    for layer in layers:
        counted[layer] = counted.get(layer, 0) + layer.num_layers
    return tuple(replace(layer, num_layers=number) for layer, number in counted.items())
