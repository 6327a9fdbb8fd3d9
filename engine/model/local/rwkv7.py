"""RWKV-7 layers: the time mixing's state, and the last token each of its two mixings saw.

`_wkv7` folds token by token, in one kernel or one loop whatever the number of tokens. Both token
shifts keep one row: what went into the time mixing (slot 0) and into the channel mixing (slot 2).
"""

from engine.model.local.slots import Recurrence, SeenRow, Slot


def _shift(which: int) -> SeenRow:
    return SeenRow("TokenShift.__call__", rows="x", axis=1, which=which, number=2)


LAYERS: dict[str, tuple[Slot, ...]] = {
    "rwkv7.Rwkv7Layer": (
        _shift(0),
        Recurrence(
            "Rwkv7TimeMixing._wkv7",
            rows={"r": 1, "w": 1, "k": 1, "v": 1, "a": 1, "b": 1},
        ),
        _shift(1),
    ),
}
