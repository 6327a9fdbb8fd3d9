"""Mamba-1 layers: Mamba (and Falcon-Mamba) and Jamba.

`mamba` folds one token a call, so the state after m tokens is simply what its call m gave back.
`jamba` folds a block in one call, token by token within it; that call is run again on the first m
rows, with the small projection of step size and gates that is part of it.
"""

from dataclasses import dataclass
from itertools import pairwise

import mlx.core as mx
from mlx.nn.layers.base import Module

from engine.model.local.recording import Site
from engine.model.local.slots import (
    ConvWindow,
    LayerBlock,
    Recurrence,
    Slot,
    check_state,
    module_site,
)


@dataclass(frozen=True, slots=True)
class StateSteps:
    """A state that the layer folds one token a call into: the one after call m is kept."""

    function: str

    def site(self, layer: Module) -> Site:
        return module_site(layer, self.function)

    def rebuild(self, block: LayerBlock, index: int, num_tokens: int) -> mx.array:
        calls = block.calls_of(self.site(block.layer), block.width)
        check_state(calls[0], "state", block.before[index])
        for earlier, call in pairwise(calls):
            check_state(call, "state", earlier.result[1])
        state: mx.array = calls[num_tokens - 1].result[1]
        return state


LAYERS: dict[str, tuple[Slot, ...]] = {
    "mamba.MambaBlock": (ConvWindow("conv1d"), StateSteps("MambaBlock.ssm_step")),
    "jamba.JambaMambaMixer": (
        ConvWindow("conv1d"),
        Recurrence("JambaMambaMixer.ssm_step", rows={"x": 1}),
    ),
}
