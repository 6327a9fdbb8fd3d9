"""Kinds of models with gated delta or gated linear attention between their attention layers."""

from engine.model.layers.kept import FLOAT32, attention, recurrent
from engine.model.layers.latent import compressed
from engine.model.layers.settings import Settings, Unclear
from engine.model.layers.windows import layer_types
from engine.model_survey import LayerGroup

_Flags = list[bool]


def _delta(
    s: Settings, kernel: int, heads: int, keys: int, values: int, key_heads: int, gates: int
) -> LayerGroup:
    """Rows of a convolution over q, k and v, and a state in float32.

    Of each token of a verify are kept the rows before the convolution, those behind it twice (as
    they are and as the recurrence takes them), its `gates`, and what comes out.
    """
    row = 2 * key_heads * keys + heads * values
    state = (kernel - 1) * row * s.width + heads * keys * values * FLOAT32
    captured = (3 * row + heads * values) * s.width + gates * FLOAT32
    return recurrent(state, captured)


def _woven(is_linear: _Flags, linear: LayerGroup, full: LayerGroup) -> list[LayerGroup]:
    return [linear if flag else full for flag in is_linear]


def _named_delta(s: Settings, *, is_qwen35: bool = False) -> LayerGroup:
    """The figures that Qwen and OLMo name; Qwen 3.5 has defaults."""
    heads, key_heads, keys, values, kernel = (64, 16, 192, 128, 4) if is_qwen35 else [None] * 5
    heads = s.count("linear_num_value_heads", default=heads)
    return _delta(
        s,
        s.count("linear_conv_kernel_dim", default=kernel),
        heads,
        s.count("linear_key_head_dim", default=keys),
        s.count("linear_value_head_dim", default=values),
        s.count("linear_num_key_heads", default=key_heads),
        2 * heads,
    )


def _qwen_next(s: Settings) -> list[LayerGroup]:
    every = s.count("full_attention_interval", default=4)
    flags = [(i + 1) % every != 0 for i in range(s.num_layers)]
    return _woven(flags, _named_delta(s), attention(s, s.kv_heads * s.head_dim))


def _qwen35(s: Settings) -> list[LayerGroup]:
    every = s.count("full_attention_interval", default=4)
    flags = [(i + 1) % every != 0 for i in range(s.num_layers)]
    full = attention(s, s.kv_heads * s.head_dim)
    return _woven(flags, _named_delta(s, is_qwen35=True), full)


def _olmo(s: Settings) -> list[LayerGroup]:
    flags = [kind == "linear_attention" for kind in layer_types(s)]
    return _woven(flags, _named_delta(s), attention(s, s.kv_heads * s.head_dim))


def _kimi(s: Settings) -> list[LayerGroup]:
    own = s.below("linear_attn_config")
    numbered = own.listed("kda_layers")
    if numbered is None:
        raise Unclear("kda_layers are not said")
    heads, dims = own.count("num_heads"), own.count("head_dim")
    linear = _delta(
        s,
        own.count("short_conv_kernel_size", default=4),
        heads,
        dims,
        dims,
        heads,
        heads * (dims + 1),
    )
    flags = [i + 1 in numbered for i in range(s.num_layers)]
    return _woven(flags, linear, compressed(s))


def _in_groups(s: Settings) -> _Flags:
    """The last layer of each whole group attends, and so do those behind the last group."""
    size, number = s.count("layer_group_size"), s.num_layers
    return [(i + 1) % size != 0 and i < number // size * size for i in range(number)]


def _linear(s: Settings, width: int) -> LayerGroup:
    """A state of gated linear attention; of each token q, k, v and what comes out are kept."""
    dims = s.head_dim if s.has("head_dim") else s.shared_dim
    return recurrent(s.heads * dims * dims * width, 4 * s.heads * dims * s.width)


def _bailing_linear(s: Settings) -> list[LayerGroup]:
    if s.head_dim != s.shared_dim:
        raise Unclear("two widths of heads")
    full = attention(s, s.kv_heads * s.head_dim)
    return _woven(_in_groups(s), _linear(s, s.width), full)


def _bailing_hybrid(s: Settings) -> list[LayerGroup]:
    return _woven(_in_groups(s), _linear(s, FLOAT32), compressed(s))


def _bailing_v3(s: Settings) -> list[LayerGroup]:
    kernel = s.count("short_conv_kernel_size", default=4)
    dims, gates = s.head_dim, s.heads * (s.head_dim + 1)
    linear = _delta(s, kernel, s.heads, dims, dims, s.heads, gates)
    return _woven(_in_groups(s), linear, compressed(s))


KINDS = {
    "qwen3_next": _qwen_next,
    **dict.fromkeys(("qwen3_5", "qwen3_5_moe"), _qwen35),
    "olmo_hybrid": _olmo,
    **dict.fromkeys(("kimi_linear", "kimi_k3"), _kimi),
    "bailing_moe_linear": _bailing_linear,
    "bailing_hybrid": _bailing_hybrid,
    "bailing_moe_v3": _bailing_v3,
}
