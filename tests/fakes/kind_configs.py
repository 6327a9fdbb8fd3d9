"""Small configurations of kinds of models that only their caches are looked at of.

`KIND_CONFIGS` maps a module of mlx_lm.models to a configuration; a wrapper finds the same settings
in its part for text. Most keys mean nothing to most of them.
"""

from typing import Any

from engine.model.layer_kinds import KINDS

_SLIDING, _FULL = "sliding_attention", "full_attention"

WIDE: dict[str, Any] = {
    "hidden_size": 64, "intermediate_size": 48, "num_hidden_layers": 4, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 8, "rms_norm_eps": 1e-5, "layer_norm_eps": 1e-5,
    "layer_norm_epsilon": 1e-5, "norm_eps": 1e-5, "norm_epsilon": 1e-5, "layernorm_epsilon": 1e-5,
    "vocab_size": 61, "rope_theta": 10000.0, "max_position_embeddings": 512, "sliding_window": 16,
    "tie_word_embeddings": False, "attention_bias": False, "mlp_bias": False, "use_bias": False,
    "use_qkv_bias": False, "num_experts": 4, "num_experts_per_tok": 2, "num_local_experts": 4,
    "n_routed_experts": 4, "n_shared_experts": 1, "moe_intermediate_size": 16,
    "shared_expert_intermediate_size": 16, "decoder_sparse_step": 1, "mlp_only_layers": [],
    "norm_topk_prob": True, "n_group": 1, "topk_group": 1, "routed_scaling_factor": 1.0,
    "first_k_dense_replace": 1, "num_shared_experts": 1, "kv_lora_rank": 8, "q_lora_rank": 8,
    "qk_rope_head_dim": 4, "qk_nope_head_dim": 8, "v_head_dim": 8, "n_embd": 64, "n_head": 4,
    "n_layer": 4, "n_positions": 512, "n_ctx": 512, "n_inner": 48, "num_layers": 4,
    "rotary_dim": 4, "rotary_pct": 0.5, "partial_rotary_factor": 0.5, "bos_token_id": 1,
    "eos_token_id": 2, "pad_token_id": 0, "rope_scaling": None, "hidden_act": "silu",
    "embedding_multiplier": 1.0, "attention_multiplier": 0.3, "logits_scaling": 1.0,
    "residual_multiplier": 1.0, "dim_model_base": 64, "scale_depth": 1.0, "scale_emb": 1.0,
    "moe_layer_start_index": 1, "moe_layer_interval": 1, "moe_num_experts": 4, "moe_k": 2,
    "d_model": 64, "n_heads": 4, "n_layers": 4, "max_seq_len": 512, "qk_norm": False,
    "post_norm": False, "use_qk_norm": False, "rotary_emb_base": 10000, "block_size": 512,
    "n_kv_heads": 2, "shared_intermediate_size": 48, "dense_attention_every_n_layers": 2,
    "ff_intermediate_size": 48, "gegelu_limit": 1.0,
    "layer_types": [_SLIDING, _FULL, _SLIDING, _FULL],
}  # fmt: skip

_YARN = {
    "rope_type": "yarn", "type": "yarn", "rope_theta": 10000.0, "factor": 2.0,
    "original_max_position_embeddings": 256, "mscale": 1.0, "mscale_all_dim": 1.0,
    "beta_fast": 32, "beta_slow": 1, "llama_4_scaling_beta": 0.1,
}  # fmt: skip
_BY_LAYER = {
    _SLIDING: {"rope_theta": 1e4, "rope_type": "default"},
    _FULL: {"rope_theta": 1e4, "rope_type": "default"},
}
_INDEX = {"index_head_dim": 8, "index_n_heads": 2, "index_topk": 4}
_GEMMA_4 = {
    "vocab_size_per_layer_input": 61, "hidden_size_per_layer_input": 8, "global_head_dim": 16
}  # fmt: skip

_SPECIFIC: dict[str, dict[str, Any]] = {
    "afm7": {"hidden_dim": 64, "num_kv_reuse_layers": 1, "num_heads": 4, "num_kv_heads": 2},
    "cohere2": {"head_dim": 16, "sliding_window_pattern": 2},
    "dbrx": {
        "ffn_config": {"ffn_hidden_size": 48, "moe_num_experts": 4, "moe_top_k": 2},
        "attn_config": {"kv_n_heads": 2, "clip_qkv": 8.0, "rope_theta": 1e4},
    },
    "deepseek_v2": {"rope_scaling": _YARN},
    "deepseek_v32": _INDEX,
    "exaone": {"head_dim": 16},
    "exaone4": {"sliding_window_pattern": None},
    "exaone_moe": {"is_moe_layer": [False, True, True, True]},
    "gemma3": {"sliding_window_pattern": 2},
    "gemma3n": {
        "num_kv_shared_layers": 2, "vocab_size_per_layer_input": 61, "rope_local_base_freq": 1e4,
        "final_logit_softcapping": 30.0, "activation_sparsity_pattern": [0.0] * 4,
        "hidden_size_per_layer_input": 8, "altup_num_inputs": 2, "altup_coef_clip": 100.0,
        "altup_correct_scale": True, "altup_active_idx": 0, "laurel_rank": 8,
        "intermediate_size": [48] * 4,
    },
    "gemma4": {**_GEMMA_4, "num_kv_shared_layers": 0},
    "gemma4_text": {
        **_GEMMA_4, "num_kv_shared_layers": 1, "attention_k_eq_v": True,
        "num_global_key_value_heads": 1, "layer_types": [_SLIDING, _FULL, _FULL, _FULL],
    },
    "glm_moe_dsa": {
        **_INDEX, "topk_method": "noaux_tc", "scoring_func": "sigmoid", "moe_layer_freq": 1,
        "rope_parameters": {"rope_theta": 10000.0},
    },
    "hunyuan": {
        "moe_topk": 2, "num_shared_expert": 1, "use_mixed_mlp_moe": True, "use_cla": True,
        "cla_share_factor": 2, "rope_scaling": {"alpha": 1000.0, "factor": 1.0, "type": "dynamic"},
    },
    "lfm2-vl": {
        "conv_bias": False, "conv_L_cache": 3, "block_dim": 64, "block_multiple_of": 8,
        "block_ffn_dim_multiplier": 1.0, "block_auto_adjust_ff_dim": False,
        "layer_types": ["conv", _FULL, "conv", _FULL],
    },
    "llama4_text": {"no_rope_layers": [1, 1, 1, 0], "intermediate_size_mlp": 48},
    "mellum": {"rope_parameters": _BY_LAYER},
    "mimo_v2_flash": {
        "hybrid_layer_pattern": [1, 0, 1, 0], "moe_layer_freq": [0, 1, 1, 1],
        "sliding_window_size": 16, "topk_method": "noaux_tc", "scoring_func": "sigmoid",
        "swa_num_attention_heads": 4, "swa_num_key_value_heads": 4, "swa_head_dim": 16,
        "swa_v_head_dim": 8, "swa_rope_theta": 1e4, "add_swa_attention_sink_bias": False,
        "add_full_attention_sink_bias": False,
    },
    "minicpm3": {
        "rope_scaling": {
            "type": "longrope", "original_max_position_embeddings": 256,
            "long_factor": [1.0, 1.0], "short_factor": [1.0, 1.0],
        }
    },
    "ministral3": {"rope_parameters": _YARN},
    "mistral4": {"rope_parameters": _YARN},
    "nanbeige": {"num_loops": 2},
    "nemotron-nas": {
        "block_configs": [
            {"attention": {"n_heads_in_group": n, "no_op": n == 0}, "ffn": {"ffn_mult": 1.0}}
            for n in (2, 0, 4, 2)
        ]
    },
    "openelm": {
        "num_transformer_layers": 4, "model_dim": 64, "ffn_dim_divisor": 8,
        "num_query_heads": [4] * 4, "num_kv_heads": [1, 2, 2, 4], "ffn_multipliers": [1.0] * 4,
    },
    "qwen": {"kv_channels": 16},
    "plamo": {"n_shared_head": 2},
    "plamo3": {"sliding_window_pattern": 2},
    "spark2_5": {"hidden_act": "gelu", "rope_parameters": _BY_LAYER},
    "step3p5": {
        "num_attention_groups": 2, "moe_top_k": 2,
        "attention_other_setting": {"num_attention_heads": 8, "num_attention_groups": 4},
    },
}  # fmt: skip

# No forward on a CPU, or only built as another kind.
_NOT_BUILT = ("bitnet", "muse_spark", "qwen3_5", "qwen3_5_moe")


def kind_configs(built_elsewhere: set[str]) -> dict[str, dict[str, Any]]:
    """One for every known kind that is not built elsewhere."""
    left_out = built_elsewhere - _SPECIFIC.keys()
    names = [name for name in KINDS if name not in left_out and name not in _NOT_BUILT]
    return {name: _config(name) for name in names}


def _config(name: str) -> dict[str, Any]:
    own = {**WIDE, **_SPECIFIC.get(name, {}), "model_type": name}
    return {**own, "text_config": dict(own)}
