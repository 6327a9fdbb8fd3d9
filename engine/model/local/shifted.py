"""Layers that only remember what they were last given: Baichuan-M1, LongCat-Flash with n-grams.

    baichuan_m1           keys and values before a convolution over two tokens, one row of each
    longcat_flash_ngram   the last token ids, for the embedding of n-grams

Nothing is computed: the array after m tokens is a slice of what the layer was given.
"""

from dataclasses import dataclass

import mlx.core as mx
from mlx.nn.layers.base import Module

from engine.model.local.recording import Site
from engine.model.local.slots import LayerBlock, Misfit, SeenRow, Slot, argument, module_site


@dataclass(frozen=True, slots=True)
class _IdWindow:
    """The last n - 1 ids, fewer at the start of a text."""

    def site(self, layer: Module) -> Site:
        return module_site(layer, "NgramEmbedding._shift_right")

    def rebuild(self, block: LayerBlock, index: int, num_tokens: int) -> mx.array:
        site = self.site(block.layer)
        calls = [call for call in block.calls if call.site == site]
        before = block.before[index]
        num_before = 0 if before is None else before.shape[-1]
        # Called once for each n from 2 up, each time with all ids: those before and the block's.
        size = len(calls)
        ids = argument(calls[0], "x") if calls else mx.zeros((1, 0))
        if ids.shape[-1] != num_before + block.width:
            raise Misfit(f"{site.name} was given {ids.shape[-1]} ids")
        num_held = num_before + num_tokens
        return mx.contiguous(ids[..., max(0, num_held - size) : num_held])


def _shift(which: int) -> SeenRow:
    return SeenRow("Attention._custom_convolution", rows="u", axis=2, which=which, number=2)


LAYERS: dict[str, tuple[Slot, ...]] = {
    "baichuan_m1.Attention": (_shift(0), _shift(1)),
    "longcat_flash_ngram.NgramEmbedding": (_IdWindow(),),
}
