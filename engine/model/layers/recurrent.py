"""Kinds of models with other recurrent layers: Mamba, short convolutions, RWKV and others.

What a verify keeps of each token is what goes into and comes out of the functions that the
adapters in `engine.model.local` hear.
"""

from engine.model.layers.kept import FLOAT32, attention, recurrent, sliding
from engine.model.layers.latent import KINDS as LATENT
from engine.model.layers.settings import Settings, Unclear
from engine.model.layers.windows import FULL, SLIDING, layer_types
from engine.model_survey import LayerGroup

_ID_BYTES = 8


def _mamba1(s: Settings, inner: int, kernel: int, state: int, *, steps: bool) -> LayerGroup:
    """Where the layer folds a token a call (`steps`), the state after each token is kept."""
    captured = inner * (4 + state) if steps else 4 * inner
    return recurrent(((kernel - 1) + state) * inner * s.width, captured * s.width)


def _mamba2(s: Settings, kernel: int, heads: int, dims: int, state: int, extra: int) -> LayerGroup:
    """A convolution over x, B and C (`extra` numbers), and a state in float32."""
    row = heads * dims + extra
    kept = (kernel - 1) * row * s.width + heads * dims * state * FLOAT32
    return recurrent(kept, (3 * row + heads * dims) * s.width + heads * FLOAT32)


def _mamba(s: Settings) -> list[LayerGroup]:
    inner, kernel, state = (
        s.count("intermediate_size"),
        s.count("conv_kernel"),
        s.count("state_size"),
    )
    return [_mamba1(s, inner, kernel, state, steps=True)] * s.num_layers


def _mamba_2(s: Settings) -> list[LayerGroup]:
    state = s.count("state_size", "ssm_state_size")
    extra = 2 * s.count("n_groups") * state
    heads, dims = s.count("num_heads"), s.count("head_dim")
    return [_mamba2(s, s.count("conv_kernel"), heads, dims, state, extra)] * s.num_layers


def _jamba(s: Settings) -> list[LayerGroup]:
    inner = s.hidden * s.count("mamba_expand")
    kernel, state = s.count("mamba_d_conv"), s.count("mamba_d_state")
    own = _mamba1(s, inner, kernel, state, steps=False)
    kinds = s.listed("layers_block_type")
    if kinds is None:
        period, offset = s.count("attn_layer_period"), s.section.get("attn_layer_offset")
        if type(offset) is not int:
            raise Unclear("attn_layer_offset is not said")
        kinds = ["attention" if i % period == offset else "mamba" for i in range(s.num_layers)]
    full = attention(s, s.kv_heads * s.shared_dim)
    return [full if kind == "attention" else own for kind in kinds]


def _granite(s: Settings) -> list[LayerGroup]:
    full, found = attention(s, s.kv_heads * s.shared_dim), []
    kinds = layer_types(s)
    if not set(kinds) <= {"mamba", "attention"}:
        raise Unclear("layer_types has an unknown name")
    for kind in kinds:
        found.append(full if kind == "attention" else _prefixed_mamba2(s))
    return found


def _prefixed_mamba2(s: Settings) -> LayerGroup:
    """The figures that Granite and Falcon name."""
    state = s.count("mamba_d_state")
    extra = 2 * s.count("mamba_n_groups") * state
    heads, dims = s.count("mamba_n_heads"), s.count("mamba_d_head")
    return _mamba2(s, s.count("mamba_d_conv"), heads, dims, state, extra)


def _falcon(s: Settings) -> list[LayerGroup]:
    return [_prefixed_mamba2(s), attention(s, s.kv_heads * s.head_dim)] * s.num_layers


_NEMOTRON = {"mamba": "M", "attention": "*", "full_attention": "*", "mlp": "-", "moe": "E"}


def _nemotron(s: Settings) -> list[LayerGroup]:
    pattern = s.section.get("hybrid_override_pattern")
    named = s.listed("layers_block_type", "layer_types") or []
    if not isinstance(pattern, (str, list)) or not pattern:
        pattern = [_NEMOTRON.get(str(name), "?") for name in named]
    letters = [str(letter) for letter in pattern]
    if not letters or not set(letters) <= set("M*-E"):
        raise Unclear("the order of the layers is not said")
    state = s.count("ssm_state_size")
    heads, dims = s.count("mamba_num_heads"), s.count("mamba_head_dim")
    extra = 2 * s.count("n_groups") * state
    own = _mamba2(s, s.count("conv_kernel"), heads, dims, state, extra)
    full = attention(s, s.kv_heads * s.head_dim)
    return [own if letter == "M" else full for letter in letters if letter in "M*"]


def _plamo2(s: Settings) -> list[LayerGroup]:
    step, number = s.count("mamba_step", default=2), s.num_layers
    half = step // 2
    dims = s.count("hidden_size_per_head", default=128)
    full = attention(s, s.count("num_key_value_heads", default=4) * dims)
    heads, state = s.count("mamba_num_heads", default=64), s.count("mamba_d_state", default=64)
    row, kernel = heads * dims, s.count("mamba_d_conv", default=4)
    # Its convolution runs over x alone.
    kept = (kernel - 1) * row * s.width + row * state * FLOAT32
    own = recurrent(kept, (4 * row + 2 * state) * s.width + heads * FLOAT32)
    if s.section.get("mamba_enabled", True) is False:
        return [full] * number
    if number <= half:
        return [own] * (number - 1) + [full]
    return [own if i % step != half else full for i in range(number)]


def _short_conv(s: Settings) -> list[LayerGroup]:
    window = s.count("conv_L_cache") - 1
    own = recurrent(window * s.hidden * s.width, 2 * s.hidden * s.width)
    full = attention(s, s.kv_heads * s.shared_dim)
    indices = s.listed("full_attn_idxs")
    if indices is None:
        indices = [i for i, kind in enumerate(layer_types(s)) if kind == FULL]
    return [full if i in indices else own for i in range(s.num_layers)]


def _gear(s: Settings) -> list[LayerGroup]:
    row = s.kv_heads * s.head_dim
    window = s.count("conv_L_cache", default=3) - 1
    own = recurrent(2 * window * row * s.width, 4 * row * s.width)
    kinds = {
        FULL: attention(s, row),
        SLIDING: sliding(s, s.count("sliding_window", default=512), row),
    }
    return [kinds.get(kind, own) for kind in layer_types(s, [FULL])]


def _rwkv7(s: Settings) -> list[LayerGroup]:
    state = s.hidden * s.count("head_dim")
    own = recurrent((2 * s.hidden + state) * s.width, 11 * s.hidden * s.width)
    return [own] * s.num_layers


def _recurrent_gemma(s: Settings) -> list[LayerGroup]:
    kinds = s.listed("block_types", "_block_types")
    if not kinds:
        raise Unclear("block_types are not said")
    rows = s.count("conv1d_width") - 1
    # The engine's CPU runs in float32; elsewhere too the state is as wide as what it is fed.
    own = recurrent((rows + 1) * s.hidden * s.width, 5 * s.hidden * s.width)
    full = sliding(s, s.count("attention_window_size"), s.kv_heads * s.shared_dim)
    return [own if kinds[i % len(kinds)] == "recurrent" else full for i in range(s.num_layers)]


def _baichuan(s: Settings) -> list[LayerGroup]:
    chosen = s.listed("sliding_window_layers") or []
    found: list[LayerGroup] = []
    for i in range(s.num_layers):
        is_sliding = i in chosen
        swa = ("num_swa_key_value_heads",) if is_sliding else ()
        heads = s.count(*swa, "num_key_value_heads")
        queries = s.count(
            *(("num_swa_attention_heads",) if is_sliding else ()), "num_attention_heads"
        )
        row = heads * (s.hidden // queries)
        found.append(recurrent(2 * row * s.width, 4 * row * s.width))
        if is_sliding:
            found.append(sliding(s, s.count("sliding_window"), row))
        else:
            found.append(attention(s, row))
    return found


def _longcat_ngram(s: Settings) -> list[LayerGroup]:
    held = s.count("emb_neighbor_num") - 1
    ids = recurrent(held * _ID_BYTES, (held + 1) * _ID_BYTES)
    return [ids, *LATENT["longcat_flash"](s)]


KINDS = {
    "mamba": _mamba,
    "mamba2": _mamba_2,
    "jamba": _jamba,
    "granitemoehybrid": _granite,
    "falcon_h1": _falcon,
    "nemotron_h": _nemotron,
    "plamo2": _plamo2,
    **dict.fromkeys(("lfm2", "lfm2_moe", "lfm2-vl"), _short_conv),
    "gear": _gear,
    "rwkv7": _rwkv7,
    "recurrent_gemma": _recurrent_gemma,
    "baichuan_m1": _baichuan,
    "longcat_flash_ngram": _longcat_ngram,
}
