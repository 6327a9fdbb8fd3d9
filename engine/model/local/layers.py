"""Every recurrent layer there is an adapter for, and those of one model.

A family file lists layer classes as `module.Class` of mlx_lm.models; no class is taken for another
that looks like it.
"""

from typing import Any

from mlx.nn.layers.base import Module

from engine.model.local import (
    gated_delta,
    gated_linear,
    mamba1,
    mamba2,
    rg_lru,
    rwkv7,
    shifted,
    short_conv,
)
from engine.model.local.recording import Site
from engine.model.local.slots import Slot

_PREFIX = "mlx_lm.models."
_FAMILIES = (gated_delta, gated_linear, mamba1, mamba2, rg_lru, rwkv7, shifted, short_conv)
ADAPTERS: dict[str, tuple[Slot, ...]] = {
    _PREFIX + name: slots for family in _FAMILIES for name, slots in family.LAYERS.items()
}


def slots_of(layer: Module) -> tuple[Slot, ...] | None:
    """How the arrays of this layer's cache are made again; None where nothing is known of it."""
    kind = type(layer)
    return ADAPTERS.get(f"{kind.__module__}.{kind.__qualname__}")


def adapted_layers(model: Any) -> list[Module]:
    """The layers of `model` that have an adapter, in no particular order."""
    if not isinstance(model, Module):
        return []
    return [layer for layer in model.modules() if slots_of(layer) is not None]


def heard_sites(layers: list[Module]) -> list[Site]:
    """What their slots need to hear, each once."""
    sites = [slot.site(layer) for layer in layers for slot in slots_of(layer) or ()]
    return list(dict.fromkeys(sites))
