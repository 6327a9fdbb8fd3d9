"""A model made in a test, as `engine.model.load` would hand it out."""

from typing import Any

import mlx.core as mx
from mlx_lm.models.cache import make_prompt_cache

from engine.model.cache import cache_families, is_recurrent, speculation_refusal
from engine.model.loaded_model import LoadedModel
from engine.model.prompt import ChatTemplate
from engine.model_info import ModelInfo
from tests.fakes.toy_tokenizer import toy_tokenizer


def stand_in(
    model: Any,
    vocabulary: int,
    *,
    name: str = "stand-in",
    stop_ids: frozenset[int] = frozenset(),
    excluded_ids: frozenset[int] = frozenset(),
    context_length: int = 512,
) -> LoadedModel:
    """`model` is called as mlx-lm's are and makes its caches as they do; ids are toy characters."""
    tokenizer = toy_tokenizer()
    entries = make_prompt_cache(model)
    info = ModelInfo(
        name=name,
        path="",
        model_type="stand_in",
        num_parameters=0,
        bits=None,
        dtype="float32",
        device=str(mx.default_device()),
        context_length=context_length,
        vocabulary_size=vocabulary,
        memory_bytes=0,
        cache_families=cache_families(entries),
        is_recurrent=is_recurrent(entries),
        is_demo=False,
        speculation_refusal=speculation_refusal(entries),
    )
    template = ChatTemplate(tokenizer)
    loaded = LoadedModel(model, tokenizer, info, stop_ids, excluded_ids, context_length, template)
    loaded.check_local()
    return loaded
