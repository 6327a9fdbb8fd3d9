"""Kinds of models with layers that see a window or a chunk of the text only."""

from collections.abc import Callable, Sequence

from engine.model.layers.kept import attention, chunked, sliding
from engine.model.layers.latent import KINDS as LATENT
from engine.model.layers.plain import set_heads
from engine.model.layers.settings import Settings, Unclear
from engine.model_survey import LayerGroup

FULL, SLIDING = "full_attention", "sliding_attention"
_Kind = Callable[[Settings], list[LayerGroup]]


def layer_types(s: Settings, pattern: Sequence[str] | None = None) -> list[str]:
    """The kind of every layer; where none are listed, `pattern` again and again."""
    listed = s.listed("layer_types")
    if listed is None:
        if pattern is None:
            raise Unclear("layer_types are not said")
        listed = [pattern[i % len(pattern)] for i in range(s.num_layers)]
    return [str(name) for name in listed]


def mixed(s: Settings, is_sliding: Sequence[bool], window: int | None = None) -> list[LayerGroup]:
    """Heads of one size; the layers that `is_sliding` names keep a window of them."""
    row = s.kv_heads * s.head_dim
    if not any(is_sliding):
        return [attention(s, row)] * len(is_sliding)
    size = s.count("sliding_window") if window is None else window
    return [sliding(s, size, row) if flag else attention(s, row) for flag in is_sliding]


def _listed(
    pattern: Sequence[str] | None = None,
    *,
    others_slide: bool = False,
    window: int | None = None,
) -> _Kind:
    """Layers as `layer_types` says; with `others_slide` all that are not full have a window."""

    def layers(s: Settings) -> list[LayerGroup]:
        kinds = layer_types(s, pattern)
        flags = [kind != FULL if others_slide else kind == SLIDING for kind in kinds]
        return mixed(s, flags, s.count("sliding_window", default=window) if any(flags) else None)

    return layers


def _every(period: int, heads: int, dims: int, window: int) -> _Kind:
    """Every `sliding_window_pattern`th layer sees all; figures are mlx-lm's defaults."""

    def layers(s: Settings) -> list[LayerGroup]:
        every = s.count("sliding_window_pattern", default=period)
        row = s.count("num_key_value_heads", default=heads) * s.count("head_dim", default=dims)
        size = s.count("sliding_window", "window_size", default=window)
        own = [sliding(s, size, row)] * (every - 1) + [attention(s, row)]
        return [own[i % every] for i in range(s.num_layers)]

    return layers


def _gemma3n(s: Settings) -> list[LayerGroup]:
    own = s.num_layers - s.count("num_kv_shared_layers", default=0)
    return mixed(s, [kind == SLIDING for kind in layer_types(s)[:own]])


def _gemma4(s: Settings) -> list[LayerGroup]:
    every = s.count("sliding_window_pattern", default=5)
    kinds = layer_types(s, [SLIDING] * (every - 1) + [FULL])
    shared = s.section.get("num_kv_shared_layers", 20)
    if type(shared) is not int or not 0 <= shared < s.num_layers:
        raise Unclear("num_kv_shared_layers makes no sense")
    heads = s.count("num_key_value_heads", default=1)
    full_heads = heads
    if s.section.get("attention_k_eq_v"):
        full_heads = s.count("num_global_key_value_heads", default=heads)
    dims = s.count("head_dim", default=256)
    full_dims = s.count("global_head_dim", default=512)
    window = s.count("sliding_window", default=512)
    full, slid = attention(s, full_heads * full_dims), sliding(s, window, heads * dims)
    return [full if kind == FULL else slid for kind in kinds[: s.num_layers - shared]]


def _exaone4(s: Settings) -> list[LayerGroup]:
    pattern = s.section.get("sliding_window_pattern")
    if not pattern:
        return set_heads(s)
    if not isinstance(pattern, str):
        raise Unclear("sliding_window_pattern is no text")
    return mixed(s, [pattern[i % len(pattern)] == "L" for i in range(s.num_layers)])


def _mimo(s: Settings) -> list[LayerGroup]:
    flags = s.listed("hybrid_layer_pattern")
    if flags is None:
        raise Unclear("hybrid_layer_pattern is not said")
    full = attention(s, s.kv_heads * s.head_dim, s.kv_heads * s.count("v_head_dim"))
    heads = s.count("swa_num_key_value_heads")
    keys, values = heads * s.count("swa_head_dim"), heads * s.count("swa_v_head_dim")
    slid = sliding(s, s.count("sliding_window_size"), keys, values)
    return [slid if flag == 1 else full for flag in flags]


def _step(s: Settings) -> list[LayerGroup]:
    kinds = layer_types(s, [SLIDING, FULL])[: s.num_layers]
    heads, dims = s.count("num_attention_groups"), s.count("head_dim")
    other = s.below("attention_other_setting") if s.has("attention_other_setting") else s
    window = s.count("sliding_window", default=512)
    slid = sliding(s, window, other.count("num_attention_groups") * dims)
    return [slid if kind == SLIDING else attention(s, heads * dims) for kind in kinds]


def _llama4(s: Settings) -> list[LayerGroup]:
    row = s.kv_heads * s.head_dim
    own = [chunked(s, s.count("attention_chunk_size"), row)] * 3 + [attention(s, row)]
    return [own[i % 4] for i in range(s.num_layers)]


def _looped(s: Settings) -> list[LayerGroup]:
    row = s.kv_heads * s.head_dim
    window = s.count("loop_window_size", default=64)
    return [attention(s, row)] * s.num_layers + [sliding(s, window, row)] * s.num_layers


def _mistral3(s: Settings) -> list[LayerGroup]:
    return LATENT["mistral4"](s) if s.section.get("model_type") == "mistral4" else set_heads(s)


_llama = _listed([FULL])
_MOSTLY_SLIDING = [SLIDING, SLIDING, SLIDING, FULL]

KINDS: dict[str, _Kind] = {
    **dict.fromkeys(("llama", "ministral3"), _llama),
    "mistral3": _mistral3,
    "afmoe": _listed(window=2048),
    "laguna": _listed([FULL], window=512),
    "exaone_moe": _listed(),
    "mellum": _listed(others_slide=True),
    "gpt_oss": _listed([SLIDING, FULL], others_slide=True, window=128),
    "olmo3": _listed(_MOSTLY_SLIDING, others_slide=True),
    "muse_glimmer": _listed(_MOSTLY_SLIDING, window=2048),
    "muse_spark": _listed(),
    "spark2_5": _listed(_MOSTLY_SLIDING),
    "cohere2": _every(4, 8, 128, 4096),
    "plamo3": _every(8, 4, 128, 2048),
    "gemma3_text": _every(6, 1, 256, 512),
    "gemma3": _every(6, 4, 256, 512),
    "gemma3n": _gemma3n,
    **dict.fromkeys(("gemma4_text", "gemma4"), _gemma4),
    "exaone4": _exaone4,
    "mimo_v2_flash": _mimo,
    "step3p5": _step,
    "llama4": _llama4,
    "iquestloopcoder": _looped,
}
