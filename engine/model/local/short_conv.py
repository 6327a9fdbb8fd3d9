"""Layers whose whole memory is a convolution's window: LFM2, LFM2-MoE, Gear.

No recurrence: the window after m tokens is a slice of the rows the convolution ran over, bit for
bit what decoding one token at a time leaves for the same rows.
"""

from engine.model.local.slots import ConvWindow, Slot

LAYERS: dict[str, tuple[Slot, ...]] = {
    "lfm2.ShortConv": (ConvWindow("conv"),),
    "lfm2_moe.ShortConv": (ConvWindow("conv"),),
    "gear.ConvKVGatedMixer": (ConvWindow("key_conv"), ConvWindow("value_conv")),
}
