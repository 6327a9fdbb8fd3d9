"""Kinds of models in words for people."""

import re

_WORDS = {
    "afm7": "Apple AFM", "afmoe": "Arcee MoE", "apertus": "Apertus", "baichuan_m1": "Baichuan M1",
    "bailing_hybrid": "Ling (hybrid)", "bailing_moe": "Ling", "bailing_moe_linear": "Ring linear",
    "bitnet": "BitNet", "cohere": "Command R", "cohere2": "Command R7B / A", "dbrx": "DBRX",
    "deepseek_v2": "DeepSeek V2", "deepseek_v3": "DeepSeek V3", "deepseek_v32": "DeepSeek V3.2",
    "ernie4_5": "ERNIE 4.5", "ernie4_5_moe": "ERNIE 4.5 MoE", "exaone": "EXAONE",
    "exaone4": "EXAONE 4", "falcon_h1": "Falcon H1", "falcon_mamba": "Falcon Mamba",
    "gemma": "Gemma", "gemma2": "Gemma 2", "gemma3": "Gemma 3", "gemma3_text": "Gemma 3",
    "gemma3n": "Gemma 3n", "gemma4": "Gemma 4", "gemma4_text": "Gemma 4", "glm": "GLM",
    "glm4": "GLM 4", "glm4_moe": "GLM 4.5 MoE", "gpt2": "GPT-2", "gpt_bigcode": "StarCoder",
    "gpt_neox": "GPT-NeoX", "gpt_oss": "gpt-oss", "granite": "Granite", "granitemoe": "Granite MoE",
    "granitemoehybrid": "Granite 4 (hybrid)", "hunyuan": "Hunyuan", "internlm2": "InternLM 2",
    "internlm3": "InternLM 3", "jamba": "Jamba", "kimi_k2": "Kimi K2", "kimi_linear": "Kimi Linear",
    "lfm2": "LFM2", "lfm2_moe": "LFM2 MoE", "llama": "Llama", "llama4": "Llama 4", "mamba": "Mamba",
    "mamba2": "Mamba 2", "minicpm": "MiniCPM", "minimax": "MiniMax", "minimax_m2": "MiniMax M2",
    "ministral3": "Ministral 3", "mistral": "Mistral", "mistral3": "Mistral 3",
    "mixtral": "Mixtral", "nemotron_h": "Nemotron H", "olmo2": "OLMo 2", "olmo3": "OLMo 3",
    "olmo_hybrid": "OLMo (hybrid)", "olmoe": "OLMoE", "phi": "Phi", "phi3": "Phi 3",
    "phimoe": "Phi 3.5 MoE", "plamo2": "PLaMo 2", "qwen": "Qwen", "qwen2": "Qwen 2",
    "qwen2_moe": "Qwen 2 MoE", "qwen3": "Qwen 3", "qwen3_5": "Qwen 3.5",
    "qwen3_5_moe": "Qwen 3.5 MoE", "qwen3_moe": "Qwen 3 MoE", "qwen3_next": "Qwen3-Next",
    "recurrent_gemma": "RecurrentGemma", "rwkv7": "RWKV-7", "seed_oss": "Seed-OSS",
    "smollm3": "SmolLM3", "stablelm": "StableLM", "starcoder2": "StarCoder 2",
}  # fmt: skip
_MOST = 40


def family_words(model_type: str) -> str:
    """The name a person knows the kind by; one that is not listed, made readable."""
    known = _WORDS.get(model_type)
    if known is not None:
        return known
    plain = re.sub(r"[^0-9A-Za-z.\-]+", " ", model_type).strip()[:_MOST]
    return plain[:1].upper() + plain[1:]
