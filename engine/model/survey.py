"""Looks at a model's folder without loading it: JSON and headers only, nothing is run."""

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.errors import ModelConfigError, ModelError
from engine.model.family_words import family_words
from engine.model.files import folder_name, printable, read_optional
from engine.model.kinds import module_of
from engine.model.layer_kinds import OWN_CACHES, families, layer_groups
from engine.model.model_folder import ModelFolder
from engine.model.preflight import preflight
from engine.model.recommended import other_settings, recommended_sampling
from engine.model.safetensors import Tensor
from engine.model.weight_figures import weight_figures
from engine.model_survey import LayerGroup, ModelSurvey

# What is larger is no size that a machine could have.
_LARGEST = 2**53
_FLOAT_BYTES = {"bfloat16": 2, "float16": 2}


def survey(path: Path) -> ModelSurvey:
    """What the folder says of itself; one that cannot be used has a `fault`, never an error."""
    tensors: list[Tensor] = []
    blank = ModelSurvey(str(path), folder_name(path))
    if "\0" in str(path):
        return replace(blank, fault="A model is named by its folder; this is not a usable name.")
    try:
        folder = preflight(path, tensors.append)
    except ModelError as error:
        known = _config_at_least(path)
        kind = known.get("model_type")
        kind = kind if isinstance(kind, str) else ""
        return replace(
            blank,
            fault=error.sentence,
            fault_details=error.details,
            model_type=printable(kind)[:80],
            family=family_words(kind),
            file_bytes=_file_bytes(path),
        )
    return _described(blank, folder, tensors)


def _described(blank: ModelSurvey, folder: ModelFolder, tensors: list[Tensor]) -> ModelSurvey:
    # On Linux the engine runs on the CPU and widens floats when it reads them.
    floats_widen = sys.platform != "darwin"
    figures = weight_figures(tensors, folder.config, floats_widen=floats_widen)
    width = 4 if floats_widen else _FLOAT_BYTES.get(figures.dtype, 4)
    module = module_of(folder.config) or ""
    context = folder.context_length()
    layers = _sane_layers(layer_groups(module, folder.config, width), context)
    is_recurrent = any(group.kind == "recurrent" for group in layers) if layers else None
    own_cache = OWN_CACHES.get(module)
    return replace(
        blank,
        model_type=folder.model_type,
        family=family_words(folder.model_type),
        num_parameters=_sane(figures.num_parameters),
        bits=_bits(folder.config),
        dtype=figures.dtype,
        file_bytes=_file_bytes(folder.path),
        weights_bytes=_sane(figures.memory_bytes),
        context_length=context,
        layers=layers,
        cache_families=families(layers),
        is_recurrent=is_recurrent,
        rollback=None if is_recurrent is None else ("local" if is_recurrent else "trim"),
        speculation_refusal=own_cache
        and f"the model keeps a {own_cache}, which cannot be rolled back here",
        has_chat_template=_has_template(folder),
        sampling=recommended_sampling(folder.generation),
        generation=other_settings(folder.generation),
    )


def _config_at_least(path: Path) -> Mapping[str, Any]:
    try:
        return read_optional(path / "config.json", ModelConfigError)
    except ModelError:
        return {}


def _file_bytes(path: Path) -> int | None:
    """What the weights take on disk; None where there are none to be seen."""
    try:
        sizes = [os.stat(file).st_size for file in path.glob("*.safetensors")]
    except OSError:
        return None
    return _sane(sum(sizes))


def _sane(figure: int) -> int | None:
    return figure if 0 < figure <= _LARGEST else None


def _sane_layers(layers: tuple[LayerGroup, ...], context: int) -> tuple[LayerGroup, ...]:
    """None where their caches would be larger than any memory: what they say is no size then."""
    most = sum(
        each.num_layers * (each.bytes_per_token * context + each.state_bytes + each.captured_bytes)
        for each in layers
    )
    return layers if most <= _LARGEST else ()


def _bits(config: Mapping[str, Any]) -> int | None:
    for key in ("quantization", "quantization_config"):
        section = config.get(key)
        bits = section.get("bits") if isinstance(section, Mapping) else None
        if type(bits) is int and 1 <= bits <= 32:
            return bits
    return None


def _has_template(folder: ModelFolder) -> bool:
    """A template of its own, in one of the places where templates are looked for."""
    if any(config.get("chat_template") for config in folder.tokenizer_configs):
        return True
    path = folder.path
    names = ("chat_template.jinja", "chat_template.json")
    try:
        return any((path / name).is_file() for name in names) or any(
            path.glob("additional_chat_templates/*.jinja")
        )
    except OSError:
        return False
