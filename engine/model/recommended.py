"""What a model's makers recommend for sampling, from its generation_config.json."""

import sys
from collections.abc import Mapping
from typing import Any

from engine.errors import RequestError
from engine.model.files import printable
from engine.request import SamplingParams

_FLOATS = ("temperature", "top_p", "min_p", "repetition_penalty")
_OWN = (*_FLOATS, "top_k", "do_sample")
# Ids and versions: the engine reads the ids elsewhere, nobody the others.
_UNSAID = (
    "bos_token_id",
    "eos_token_id",
    "pad_token_id",
    "transformers_version",
    "_from_model_config",
)
_MOST_TOP_K = 2**31 - 1
_MOST_TEXT = 200
_MOST_ROWS = 40


def recommended_sampling(generation: Mapping[str, Any]) -> SamplingParams | None:
    """The recommended values; one that is out of range is left out. None where there is none."""
    found = {name: generation[name] for name in _FLOATS if _is_number(generation.get(name))}
    top_k = generation.get("top_k")
    if type(top_k) is int and top_k <= _MOST_TOP_K:
        found["top_k"] = top_k
    usable = {name: value for name, value in found.items() if _fits(name, value)}
    if generation.get("do_sample") is False:
        usable = {k: v for k, v in usable.items() if k == "repetition_penalty"}
        return SamplingParams(temperature=0.0, **usable)
    if generation.get("do_sample") is True:
        usable.setdefault("temperature", 1.0)
    return SamplingParams(**usable) if usable else None


def other_settings(generation: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The rest of what they say, as text."""
    rows = [
        (printable(str(name))[:_MOST_TEXT], printable(str(value))[:_MOST_TEXT])
        for name, value in sorted(generation.items())
        if name not in _OWN and name not in _UNSAID and value is not None
    ]
    return tuple(rows[:_MOST_ROWS])


def _is_number(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    # A whole number may be larger than any float.
    return abs(value) <= sys.float_info.max


def _fits(name: str, value: Any) -> bool:
    try:
        SamplingParams(**{name: value})
    except RequestError:
        return False
    return True
