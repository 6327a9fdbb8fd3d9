"""Architectures with gated delta and gated linear attention layers."""

from typing import Any

from tests.fakes.tiny_configs.common import COMMON, CONTEXT_LENGTH, Specific

_GATED_DELTA: dict[str, Any] = {
    "linear_num_value_heads": 4,
    "linear_num_key_heads": 2,
    "linear_key_head_dim": 8,
    "linear_value_head_dim": 8,
    "linear_conv_kernel_dim": 4,
    "full_attention_interval": 3,
}

_NO_EXPERTS: dict[str, Any] = {
    "num_experts": 0,
    "num_experts_per_tok": 0,
    "decoder_sparse_step": 1,
    "shared_expert_intermediate_size": 0,
    "moe_intermediate_size": 0,
    "mlp_only_layers": [],
}

_KIMI: dict[str, Any] = {
    "linear_attn_config": {
        "kda_layers": [1, 2],
        "full_attn_layers": [3],
        "num_heads": 4,
        "head_dim": 8,
        "short_conv_kernel_size": 4,
    },
    "model_max_length": CONTEXT_LENGTH,
    "num_experts": 0,
    "moe_intermediate_size": 16,
    "kv_lora_rank": 8,
    "qk_nope_head_dim": 8,
    "qk_rope_head_dim": 4,
    "v_head_dim": 8,
}

_QWEN_35: dict[str, Any] = {
    **_GATED_DELTA,
    "rope_parameters": {
        "type": "default",
        "rope_theta": 10000.0,
        "partial_rotary_factor": 0.5,
        "mrope_section": [1, 1, 0],
    },
}

_EXPERTS: dict[str, Any] = {
    "num_experts": 4,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 16,
    "shared_expert_intermediate_size": 16,
}

_LATENT: dict[str, Any] = {
    "q_lora_rank": 8,
    "kv_lora_rank": 8,
    "qk_nope_head_dim": 8,
    "qk_rope_head_dim": 4,
    "v_head_dim": 8,
}

_BAILING: dict[str, Any] = {
    "moe_intermediate_size": 16,
    "num_experts": 4,
    "num_shared_experts": 1,
    "norm_topk_prob": True,
    "num_experts_per_tok": 2,
    "num_key_value_heads": 4,
    "first_k_dense_replace": 1,
    "layer_group_size": 3,
    "group_norm_size": 2,
    "n_group": 1,
    "topk_group": 1,
    "routed_scaling_factor": 1.0,
}

GATED: Specific = {
    "qwen3_next": (
        "qwen3_next",
        {**_GATED_DELTA, **_NO_EXPERTS, "partial_rotary_factor": 0.5},
    ),
    "qwen3_5": ("qwen3_5", _QWEN_35),
    "qwen3_5_moe": (
        "qwen3_5_moe",
        {"text_config": {**COMMON, **_QWEN_35, **_EXPERTS, "model_type": "qwen3_5_moe_text"}},
    ),
    "kimi_linear": ("kimi_linear", _KIMI),
    "kimi_k3": (
        "kimi_k3",
        {"text_config": {**COMMON, **_KIMI, **_LATENT}},
    ),
    "olmo_hybrid": (
        "olmo_hybrid",
        {
            **_GATED_DELTA,
            "linear_num_key_heads": 4,
            "linear_allow_neg_eigval": True,
            "layer_types": ["linear_attention", "linear_attention", "full_attention"],
        },
    ),
    "bailing_moe_linear": ("bailing_moe_linear", _BAILING),
    "bailing_hybrid": ("bailing_hybrid", {**_BAILING, **_LATENT}),
    "bailing_moe_v3": (
        "bailing_moe_v3",
        {
            **_BAILING,
            **_LATENT,
            "short_conv_kernel_size": 4,
            "moe_shared_expert_intermediate_size": 16,
        },
    ),
}
