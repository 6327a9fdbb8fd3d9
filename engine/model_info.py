"""What a loaded model is, and what was measured on it, in plain values."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A loaded model, as far as a person or the window needs to know it.

    `memory_bytes` counts the weights. `cache_families` are the plain-English kinds of its caches
    ("attention", "sliding", "recurrent", "chunked", "mixed"). `speculation_refusal` says why
    speculation is not possible on it, None where it is; `local_refusal` likewise why the `local`
    rollback is not. `special_tokens` are (id, text) of the tokens with names of their own, and
    `excluded_ids` those that no draft may contain. `has_thinking_switch` says whether its chat
    template can be told to let the model think, or not to.
    """

    name: str
    path: str
    model_type: str
    num_parameters: int
    bits: int | None
    dtype: str
    device: str
    context_length: int
    vocabulary_size: int
    memory_bytes: int
    cache_families: tuple[str, ...]
    is_recurrent: bool
    is_demo: bool
    speculation_refusal: str | None
    local_refusal: str | None = "it has not been checked"
    special_tokens: tuple[tuple[int, str], ...] = ()
    excluded_ids: tuple[int, ...] = ()
    has_thinking_switch: bool = False


@dataclass(frozen=True, slots=True)
class WidthProbe:
    """How a block of `width` tokens compares with the same tokens run one at a time.

    `largest_difference` is in logits, over every position and token of the vocabulary that was
    looked at; `argmax_agreement` the share of positions (0..1) with the same likeliest token;
    `seconds` what the block's forward takes.
    """

    width: int
    is_bit_equal: bool
    largest_difference: float
    argmax_agreement: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Probe:
    """Block against chain on the loaded weights, by width.

    `num_positions` is how many positions were compared at each width; `is_cached` says that this
    was read back and not just measured.
    """

    widths: tuple[WidthProbe, ...]
    num_positions: int
    mlx_version: str
    device: str
    is_cached: bool
