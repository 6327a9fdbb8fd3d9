"""Architectures with other recurrent layers: Mamba, convolutions, RWKV and others."""

from typing import Any

from tests.fakes.tiny_configs.attention import LONGCAT
from tests.fakes.tiny_configs.common import WINDOW, Specific

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

RECURRENT: Specific = {
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
    "lfm2_moe": (
        "lfm2_moe",
        {
            "norm_eps": 1e-5,
            "conv_bias": False,
            "conv_L_cache": 3,
            "moe_intermediate_size": 16,
            "num_experts": 4,
            "num_experts_per_tok": 2,
            "norm_topk_prob": True,
            "use_expert_bias": True,
            "num_dense_layers": 1,
            "layer_types": ["conv", "full_attention", "conv"],
        },
    ),
    "gear": (
        "gear",
        {
            "conv_L_cache": 3,
            "layer_types": ["conv_mixer", "sliding_attention", "full_attention"],
        },
    ),
    "longcat_flash_ngram": (
        "longcat_flash_ngram",
        {**LONGCAT, "ngram_vocab_size_ratio": 3, "emb_neighbor_num": 3, "emb_split_num": 2},
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
}
