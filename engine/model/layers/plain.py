"""Kinds of models whose every layer keeps the same plain cache of keys and values."""

from engine.model.layers.kept import attention
from engine.model.layers.settings import Settings, Unclear
from engine.model_survey import LayerGroup


def set_heads(s: Settings) -> list[LayerGroup]:
    """Heads as wide as `head_dim` says."""
    return [attention(s, s.kv_heads * s.head_dim)] * s.num_layers


def shared_heads(s: Settings) -> list[LayerGroup]:
    """Heads that share the hidden size out, whatever `head_dim` says."""
    return [attention(s, s.kv_heads * s.shared_dim)] * s.num_layers


def all_heads(s: Settings) -> list[LayerGroup]:
    """A key for every query; heads share the hidden size out."""
    return [attention(s, s.heads * s.shared_dim)] * s.num_layers


def _bigcode(s: Settings) -> list[LayerGroup]:
    heads = 1 if s.section.get("multi_query", True) else s.heads
    return [attention(s, heads * s.shared_dim)] * s.num_layers


def _talkie(s: Settings) -> list[LayerGroup]:
    return [attention(s, s.heads * s.count("head_dim", default=128))] * s.num_layers


def _dbrx(s: Settings) -> list[LayerGroup]:
    heads = s.below("attn_config").count("kv_n_heads")
    return [attention(s, heads * s.shared_dim)] * s.num_layers


def _plamo(s: Settings) -> list[LayerGroup]:
    heads = -(-s.heads // s.count("n_shared_head", default=8))
    return [attention(s, heads * s.shared_dim)] * s.num_layers


def _afm7(s: Settings) -> list[LayerGroup]:
    own = s.count("num_layers") - s.count("num_kv_reuse_layers")
    if own <= 0:
        raise Unclear("every layer shares its keys")
    return [attention(s, s.kv_heads * s.shared_dim)] * own


def _nanbeige(s: Settings) -> list[LayerGroup]:
    losses = s.listed("loop_loss_weights")
    loops = len(losses) + 1 if losses else s.count("num_loops", default=1)
    return set_heads(s) * loops


def _openelm(s: Settings) -> list[LayerGroup]:
    heads = s.listed("num_kv_heads") or []
    if len(heads) != s.count("num_transformer_layers") or {type(n) for n in heads} != {int}:
        raise Unclear("num_kv_heads does not say one number a layer")
    return [attention(s, number * s.count("head_dim")) for number in heads]


def _nemotron_nas(s: Settings) -> list[LayerGroup]:
    found = []
    for block in s.listed("block_configs") or []:
        own = Settings(block, s.width).below("attention") if isinstance(block, dict) else None
        if own is None or own.section.get("replace_with_linear"):
            raise Unclear("a layer without a known kind of attention")
        if not own.section.get("no_op"):
            found.append(attention(s, s.heads // own.count("n_heads_in_group") * s.shared_dim))
    return found


KINDS = {
    **dict.fromkeys(
        (
            "bitnet", "dots1", "ernie4_5", "ernie4_5_moe", "exaone", "gemma", "gemma2", "glm",
            "glm4", "glm4_moe", "hunyuan_v1_dense", "llama4_text", "minimax", "nemotron",
            "olmo2", "olmoe", "pixtral", "qwen3", "qwen3_moe", "qwen3_vl", "qwen3_vl_moe",
            "seed_oss", "smollm3", "solar_open", "telechat3",
        ),
        set_heads,
    ),
    **dict.fromkeys(
        (
            "Klear", "apertus", "bailing_moe", "cohere", "deepseek", "granite", "granitemoe",
            "helium", "hunyuan", "internlm2", "internlm3", "lille-130m", "mimo", "minicpm",
            "mixtral", "nanochat", "phi", "phi3", "phi3small", "phimoe", "qwen2", "qwen2_moe",
            "qwen2_vl", "stablelm", "starcoder2",
        ),
        shared_heads,
    ),
    **dict.fromkeys(("gpt2", "gpt_neox", "gptj", "qwen"), all_heads),
    "gpt_bigcode": _bigcode,
    "talkie": _talkie,
    "dbrx": _dbrx,
    "plamo": _plamo,
    "afm7": _afm7,
    "nanbeige": _nanbeige,
    "openelm": _openelm,
    "nemotron-nas": _nemotron_nas,
}  # fmt: skip
