"""Kinds of models with multi-head latent attention, cached compressed or unpacked."""

from engine.model.layers.kept import attention
from engine.model.layers.settings import Settings
from engine.model_survey import LayerGroup


def compressed(s: Settings) -> LayerGroup:
    """One latent a token and the part of the key that carries its position."""
    return attention(s, s.count("kv_lora_rank"), s.count("qk_rope_head_dim"))


def _compressed(s: Settings) -> list[LayerGroup]:
    return [compressed(s)] * s.num_layers


def _unpacked(s: Settings) -> list[LayerGroup]:
    keys = s.count("qk_nope_head_dim") + s.count("qk_rope_head_dim")
    return [attention(s, s.heads * keys, s.heads * s.count("v_head_dim"))] * s.num_layers


def _minicpm3(s: Settings) -> list[LayerGroup]:
    keys = s.count("qk_nope_head_dim") + s.count("qk_rope_head_dim")
    values = s.hidden // s.heads
    return [attention(s, s.heads * keys, s.heads * values)] * s.num_layers


def _indexed(s: Settings) -> list[LayerGroup]:
    """A second cache beside the first says which tokens are attended to."""
    return [compressed(s), attention(s, s.count("index_head_dim"))] * s.num_layers


def _longcat(s: Settings) -> list[LayerGroup]:
    return [compressed(s)] * (2 * s.count("num_layers"))


KINDS = {
    **dict.fromkeys(
        ("deepseek_v3", "glm4_moe_lite", "kimi_k25", "kimi_vl", "mistral4"), _compressed
    ),
    **dict.fromkeys(("deepseek_v2", "youtu_llm"), _unpacked),
    **dict.fromkeys(("deepseek_v32", "glm_moe_dsa"), _indexed),
    "minicpm3": _minicpm3,
    "longcat_flash": _longcat,
}
