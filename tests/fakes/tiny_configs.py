"""Configurations, small enough for a test, of mlx-lm's own model classes.

`CONFIGS` maps a name to (module of mlx_lm.models, config). The window is 16 and the chunk is 16, so
that a prompt and a short reply go past them.
"""

from typing import Any

VOCABULARY = 61
WINDOW = 16
CONTEXT_LENGTH = 512

# Shared by nearly every architecture; `from_dict` drops the keys a class does not know.
_COMMON: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "rms_norm_eps": 1e-5,
    "vocab_size": VOCABULARY,
    "rope_theta": 10000.0,
    "max_position_embeddings": CONTEXT_LENGTH,
    "sliding_window": WINDOW,
    "tie_word_embeddings": False,
    "attention_bias": False,
    "mlp_bias": False,
}

_MIXED_LAYERS = ["sliding_attention", "sliding_attention", "full_attention"]

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

_MAMBA_1: dict[str, Any] = {
    "state_size": 8,
    "conv_kernel": 4,
    "use_bias": False,
    "use_conv_bias": True,
    "time_step_rank": 4,
}

_GRANITE: dict[str, Any] = {
    "embedding_multiplier": 1.0,
    "attention_multiplier": 0.35,
    "logits_scaling": 1.0,
    "residual_multiplier": 1.0,
    "layer_types": ["mamba", "attention", "mamba"],
    "mamba_n_heads": 4,
    "mamba_d_head": 16,
    "mamba_proj_bias": False,
    "mamba_d_state": 8,
    "mamba_d_conv": 4,
    "mamba_n_groups": 1,
    "mamba_conv_bias": True,
    "shared_intermediate_size": 48,
}

_NEMOTRON: dict[str, Any] = {
    "hybrid_override_pattern": ["M", "-", "*", "M"],
    "mamba_num_heads": 4,
    "mamba_head_dim": 16,
    "mamba_proj_bias": False,
    "ssm_state_size": 8,
    "conv_kernel": 4,
    "n_groups": 2,
    "layer_norm_epsilon": 1e-5,
    "use_bias": False,
    "use_conv_bias": True,
}

_FALCON: dict[str, Any] = {
    "mamba_d_conv": 4,
    "mamba_d_head": 16,
    "mamba_d_ssm": 64,
    "mamba_d_state": 8,
    "mamba_n_groups": 1,
    "mamba_n_heads": 4,
    "embedding_multiplier": 1.0,
    "lm_head_multiplier": 1.0,
    "ssm_out_multiplier": 1.0,
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

_LLAMA_4: dict[str, Any] = {
    **_COMMON,
    "model_type": "llama4_text",
    "num_hidden_layers": 4,
    "attention_chunk_size": WINDOW,
    "interleave_moe_layer_step": 5,
    "intermediate_size_mlp": 48,
    "num_experts_per_tok": 1,
    "num_local_experts": 2,
    "rope_scaling": None,
    "use_qk_norm": True,
}

_LONGCAT: dict[str, Any] = {
    "attention_method": "MLA",
    "zero_expert_type": "identity",
    "ffn_hidden_size": 48,
    "moe_topk": 2,
    "expert_ffn_hidden_size": 16,
    "n_routed_experts": 4,
    "zero_expert_num": 1,
    "num_layers": 2,
    "kv_lora_rank": 8,
    "q_lora_rank": 8,
    "qk_rope_head_dim": 4,
    "qk_nope_head_dim": 8,
    "v_head_dim": 8,
    "routed_scaling_factor": 1.0,
    "mla_scale_q_lora": True,
    "mla_scale_kv_lora": True,
}

_SPECIFIC: dict[str, tuple[str, dict[str, Any]]] = {
    "llama": ("llama", {}),
    "qwen3": ("qwen3", {}),
    "gemma2": ("gemma2", {"query_pre_attn_scalar": 8.0}),
    "phi3": ("phi3", {}),
    "deepseek_v3": (
        "deepseek_v3",
        {
            "first_k_dense_replace": 1,
            "moe_intermediate_size": 16,
            "n_shared_experts": 1,
            "n_routed_experts": 4,
            "num_experts_per_tok": 2,
            "num_key_value_heads": 4,
            "kv_lora_rank": 8,
            "q_lora_rank": 8,
            "qk_rope_head_dim": 4,
            "v_head_dim": 8,
            "qk_nope_head_dim": 8,
        },
    ),
    "llama_sliding": ("llama", {"layer_types": _MIXED_LAYERS}),
    "gemma3_text": ("gemma3_text", {"sliding_window_pattern": 3, "query_pre_attn_scalar": 8}),
    "gpt_oss": (
        "gpt_oss",
        {"layer_types": _MIXED_LAYERS, "num_local_experts": 4, "num_experts_per_tok": 2},
    ),
    "olmo3": ("olmo3", {"layer_types": _MIXED_LAYERS}),
    "cohere2": ("cohere2", {"sliding_window_pattern": 3, "logit_scale": 4.0}),
    "exaone4": ("exaone4", {"sliding_window_pattern": "LLG", "rope_scaling": None}),
    "qwen3_next": (
        "qwen3_next",
        {**_GATED_DELTA, **_NO_EXPERTS, "partial_rotary_factor": 0.5},
    ),
    "qwen3_5": (
        "qwen3_5",
        {
            **_GATED_DELTA,
            "rope_parameters": {
                "type": "default",
                "rope_theta": 10000.0,
                "partial_rotary_factor": 0.5,
                "mrope_section": [1, 1, 0],
            },
        },
    ),
    "kimi_linear": ("kimi_linear", _KIMI),
    "olmo_hybrid": (
        "olmo_hybrid",
        {
            **_GATED_DELTA,
            "linear_num_key_heads": 4,
            "linear_allow_neg_eigval": True,
            "layer_types": ["linear_attention", "linear_attention", "full_attention"],
        },
    ),
    "mamba2": (
        "mamba2",
        {
            **_MAMBA_1,
            "num_heads": 4,
            "head_dim": 16,
            "layer_norm_epsilon": 1e-5,
            "n_groups": 1,
            "time_step_limit": (0.0, 100.0),
            "intermediate_size": 64,
        },
    ),
    "granitemoehybrid": ("granitemoehybrid", _GRANITE),
    "nemotron_h": ("nemotron_h", _NEMOTRON),
    "falcon_h1": ("falcon_h1", _FALCON),
    "mamba": ("mamba", {**_MAMBA_1, "intermediate_size": 64}),
    "jamba": (
        "jamba",
        {
            "attn_layer_offset": 1,
            "attn_layer_period": 3,
            "expert_layer_offset": 1,
            "expert_layer_period": 2,
            "mamba_d_conv": 4,
            "mamba_d_state": 8,
            "mamba_expand": 2,
            "num_experts": 2,
            "num_experts_per_tok": 1,
        },
    ),
    "plamo2": (
        "plamo2",
        {
            "hidden_size_per_head": 8,
            "mamba_d_state": 8,
            "mamba_num_heads": 4,
            "full_attention_idx": [1],
        },
    ),
    "lfm2": (
        "lfm2",
        {
            "norm_eps": 1e-5,
            "conv_bias": False,
            "conv_L_cache": 3,
            "block_dim": 32,
            "block_multiple_of": 8,
            "block_ffn_dim_multiplier": 1.0,
            "block_auto_adjust_ff_dim": False,
            "layer_types": ["conv", "full_attention", "conv"],
        },
    ),
    "rwkv7": (
        "rwkv7",
        {
            "norm_eps": 1e-5,
            "a_low_rank_dim": 8,
            "v_low_rank_dim": 8,
            "gate_low_rank_dim": 8,
            "decay_low_rank_dim": 8,
        },
    ),
    "recurrent_gemma": (
        "recurrent_gemma",
        {
            "conv1d_width": 4,
            "logits_soft_cap": 30.0,
            "num_key_value_heads": 1,
            "attention_window_size": WINDOW,
            "block_types": ["recurrent", "recurrent", "attention"],
        },
    ),
    "baichuan_m1": (
        "baichuan_m1",
        {
            "sliding_window_layers": [0, 2],
            "conv_window": 2,
            "num_swa_attention_heads": 4,
            "num_swa_key_value_heads": 2,
        },
    ),
    "longcat_flash": ("longcat_flash", _LONGCAT),
    "llama4": ("llama4", {"text_config": _LLAMA_4}),
    "bailing_moe_linear": (
        "bailing_moe_linear",
        {
            "moe_intermediate_size": 16,
            "num_experts": 4,
            "num_shared_experts": 1,
            "norm_topk_prob": True,
            "num_experts_per_tok": 2,
            "num_key_value_heads": 4,
            "first_k_dense_replace": 1,
            "layer_group_size": 3,
            "group_norm_size": 2,
        },
    ),
}

CONFIGS: dict[str, tuple[str, dict[str, Any]]] = {
    name: (module, {**_COMMON, "model_type": module, **specific})
    for name, (module, specific) in _SPECIFIC.items()
}
