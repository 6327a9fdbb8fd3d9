"""Gated delta rule layers: Qwen3-Next, Qwen3.5 (dense and MoE), Kimi, OLMo hybrid, Bailing 3.

One state of [heads, value, key] in float32, folded one token at a time by `gated_delta_update`, in
the same kernel or loop whatever the number of tokens: run again on the first m rows it gives the
state that decoding one token at a time gives, bit for bit for the same rows. In front of it stand
one convolution or three. Nothing of q, k and v after their convolution is needed twice: the rows
heard are those that went into the recurrence.
"""

from engine.model.local.slots import ConvWindow, Recurrence, Slot

_STATE = Recurrence(
    "gated_delta_update",
    rows={"q": 1, "k": 1, "v": 1, "a": 1, "b": 1},
    masks={"mask": 1},
)
_THREE_CONVS: tuple[Slot, ...] = (
    ConvWindow("q_conv1d"),
    ConvWindow("k_conv1d"),
    ConvWindow("v_conv1d"),
    _STATE,
)

LAYERS: dict[str, tuple[Slot, ...]] = {
    "qwen3_next.Qwen3NextGatedDeltaNet": (ConvWindow("conv1d"), _STATE),
    "qwen3_5.GatedDeltaNet": (ConvWindow("conv1d"), _STATE),
    "kimi_linear.KimiDeltaAttention": (
        ConvWindow("q_conv.conv"),
        ConvWindow("k_conv.conv"),
        ConvWindow("v_conv.conv"),
        _STATE,
    ),
    "kimi_k3.KimiK3DeltaAttention": (ConvWindow("qkv_conv.conv"), _STATE),
    "olmo_hybrid.GatedDeltaNet": _THREE_CONVS,
    "bailing_moe_v3.BailingKDA": _THREE_CONVS,
}
