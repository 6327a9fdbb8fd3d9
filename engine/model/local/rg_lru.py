"""Real-gated linear recurrent layers: RecurrentGemma (Griffin).

`rnn_scan` folds token by token. The convolution is a class of the model's own that is given the
window before and the block's rows apart, and gives the window after back.
"""

from dataclasses import dataclass

import mlx.core as mx
from mlx.nn.layers.base import Module

from engine.model.local.recording import Site
from engine.model.local.slots import (
    LayerBlock,
    Recurrence,
    Slot,
    check_state,
    module_site,
    rows_between,
    rows_of,
)


@dataclass(frozen=True, slots=True)
class _Window:
    """The window of that convolution: the rows before, then the block's."""

    def site(self, layer: Module) -> Site:
        return module_site(layer, "Conv1d.__call__")

    def rebuild(self, block: LayerBlock, index: int, num_tokens: int) -> mx.array:
        (call,) = block.calls_of(self.site(block.layer), 1)
        before = block.before[index]
        check_state(call, "cache", before)
        rows = rows_of(call, "x", 1, block.width)
        after: mx.array = call.result[1]
        if before is None:
            before = mx.zeros(after.shape, rows.dtype)
        window = mx.concatenate([before, rows_between(rows, 1, 0, num_tokens)], axis=1)
        return mx.contiguous(rows_between(window, 1, num_tokens, window.shape[1]))


LAYERS: dict[str, tuple[Slot, ...]] = {
    "recurrent_gemma.RecurrentBlock": (
        _Window(),
        Recurrence("rnn_scan", rows={"x": 1, "a": 1}, state="h0"),
    ),
}
