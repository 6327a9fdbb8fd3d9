"""Mamba-2 layers: Granite 4 hybrid, Nemotron-H, Falcon-H1, PLaMo 2 and Mamba-2 itself.

`ssm_update` folds a block by one formula (a masked product over all of it, in float32 decays) and a
single token, on Metal, by another; nothing in it holds the state after m tokens. So the block's
formula is run again on the first m rows. That is what the model computes for a block of m tokens,
to the bit; next to decoding one token at a time it rounds differently (the tests say how much).
"""

from engine.model.local.slots import ConvWindow, Recurrence, Slot

_SLOTS: tuple[Slot, ...] = (
    ConvWindow("conv1d"),
    Recurrence(
        "ssm_update",
        rows={"hidden_states": 1, "B": 1, "C": 1, "dt": 1},
        masks={"mask": 1},
        absent=("lengths",),
    ),
)

LAYERS: dict[str, tuple[Slot, ...]] = {
    "granitemoehybrid.GraniteMoeHybridMamba2Mixer": _SLOTS,
    "nemotron_h.NemotronHMamba2Mixer": _SLOTS,
    "falcon_h1.FalconH1Mixer": _SLOTS,
    "plamo2.Mamba": _SLOTS,
    "mamba2.Mamba2Block": _SLOTS,
}
