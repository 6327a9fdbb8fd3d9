"""Gated linear attention layers: Bailing (Ling / Ring) linear and hybrid.

The state is the only array, `recurrent_gla` its recurrence, with tokens on axis 2. `bailing_moe_
linear` folds token by token; `bailing_hybrid` folds a block at once, by another formula than for a
single token, so there the state agrees with decoding one token at a time to rounding, not to the
bit.
"""

from engine.model.local.slots import Recurrence, Slot

_STATE = Recurrence("recurrent_gla", rows={"q": 2, "k": 2, "v": 2}, state="h", masks={"mask": 1})

LAYERS: dict[str, tuple[Slot, ...]] = {
    "bailing_moe_linear.LinearAttention": (_STATE,),
    "bailing_hybrid.LinearAttention": (_STATE,),
}
