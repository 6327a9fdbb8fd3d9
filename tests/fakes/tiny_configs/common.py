"""What nearly every tiny configuration shares; `from_dict` drops the keys a class does not know."""

from typing import Any

VOCABULARY = 61
WINDOW = 16
CONTEXT_LENGTH = 512

COMMON: dict[str, Any] = {
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

MIXED_LAYERS = ["sliding_attention", "sliding_attention", "full_attention"]

Specific = dict[str, tuple[str, dict[str, Any]]]
