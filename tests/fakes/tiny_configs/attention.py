"""Architectures that keep attention caches only: plain, rotating, chunked, lists."""

from typing import Any

from tests.fakes.tiny_configs.common import COMMON, MIXED_LAYERS, WINDOW, Specific

_LLAMA_4: dict[str, Any] = {
    **COMMON,
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

LONGCAT: dict[str, Any] = {
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

ATTENTION: Specific = {
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
    "llama_sliding": ("llama", {"layer_types": MIXED_LAYERS}),
    "gemma3_text": ("gemma3_text", {"sliding_window_pattern": 3, "query_pre_attn_scalar": 8}),
    "gpt_oss": (
        "gpt_oss",
        {"layer_types": MIXED_LAYERS, "num_local_experts": 4, "num_experts_per_tok": 2},
    ),
    "olmo3": ("olmo3", {"layer_types": MIXED_LAYERS}),
    "cohere2": ("cohere2", {"sliding_window_pattern": 3, "logit_scale": 4.0}),
    "exaone4": ("exaone4", {"sliding_window_pattern": "LLG", "rope_scaling": None}),
    "longcat_flash": ("longcat_flash", LONGCAT),
    "llama4": ("llama4", {"text_config": _LLAMA_4}),
}
