"""What a model's folder says of itself before anything of it is loaded, in plain values.

Everything here comes from JSON and from the headers of weights files. What a folder does not say is
None, never a guess and never NaN.
"""

from dataclasses import dataclass
from typing import Literal

from engine.request import RollbackName, SamplingParams

LayerKind = Literal["attention", "sliding attention", "chunked attention", "recurrent"]


@dataclass(frozen=True, slots=True)
class LayerGroup:
    """`num_layers` layers that keep the same kind of cache.

    Each keeps `bytes_per_token` for every token, of the last `window` tokens only where there is a
    window, and `state_bytes` besides, whatever the length. While a draft is verified, it keeps
    `captured_bytes` of each token of the block. Bytes are of one layer, in the precision that
    caches have in memory.
    """

    kind: LayerKind
    num_layers: int
    bytes_per_token: int
    window: int | None
    state_bytes: int
    captured_bytes: int = 0


@dataclass(frozen=True, slots=True)
class MemoryNeed:
    """Bytes that a model takes: its weights, full caches at `context` tokens, and for rolling back.

    `rollback_bytes` is what a checkpoint and a captured verify of the widest draft take at most.
    """

    context: int
    weights_bytes: int
    cache_bytes: int
    rollback_bytes: int

    @property
    def total_bytes(self) -> int:
        """All of it."""
        return self.weights_bytes + self.cache_bytes + self.rollback_bytes


@dataclass(frozen=True, slots=True)
class ModelSurvey:
    """A folder as its JSON and headers tell it.

    `fault` says in a sentence why it cannot be used, `fault_details` what a report needs; without
    one it can be, as far as that shows without loading. `name` is `owner/name` for a snapshot in
    the hub's cache and the folder's name otherwise; `family` the kind of model in words for people.
    `dtype` is that of the largest array that is not packed, as it is on disk. `file_bytes` are the
    weights on disk, `weights_bytes` what of them a language model takes in memory.
    `cache_families` are named as in `ModelInfo`, empty where the kind of model is not known here.
    `rollback` is what `auto` will choose if the model can do what its kind can;
    `speculation_refusal` says why there will be none. `sampling` is what its makers recommend.
    `generation` holds as text what they say that has no place in it.
    """

    path: str
    name: str
    fault: str | None = None
    fault_details: str = ""
    model_type: str = ""
    family: str = ""
    num_parameters: int | None = None
    bits: int | None = None
    dtype: str = ""
    file_bytes: int | None = None
    weights_bytes: int | None = None
    context_length: int | None = None
    layers: tuple[LayerGroup, ...] = ()
    cache_families: tuple[str, ...] = ()
    is_recurrent: bool | None = None
    rollback: RollbackName | None = None
    speculation_refusal: str | None = None
    has_chat_template: bool = False
    sampling: SamplingParams | None = None
    generation: tuple[tuple[str, str], ...] = ()
