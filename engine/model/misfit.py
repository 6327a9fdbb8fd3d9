"""Why weights do not fit: the model sees, they are packed in a foreign way, or went meanwhile."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from engine.errors import WeightsError
from engine.model.files import is_there, shortened
from engine.model.model_folder import ModelFolder
from engine.model.safetensors import check_weights_file

_MEDIA_SECTIONS = ("vision_config", "audio_config", "speech_config", "vision_tower")
_MEDIA_TYPE = re.compile(r"(?:^|[_-])(?:vl|vision|llava|audio|speech|whisper)(?:[_-]|$)")


def unknown_kind_sentence(folder: ModelFolder) -> str:
    """What is said of a model_type that mlx-lm has no class for."""
    if _is_for_media(folder):
        return _media_sentence(folder)
    kind = shortened(folder.model_type)
    return f"Models of the kind {kind!r} cannot be run by this version."


def misfit_sentence(folder: ModelFolder) -> str:
    """What is said of weights that the model's class does not take."""
    if _is_for_media(folder):
        return _media_sentence(folder)
    own, packed = folder.config.get("quantization"), folder.config.get("quantization_config")
    method = packed.get("quant_method") if isinstance(packed, dict) and own is None else None
    if isinstance(method, str):
        return (
            f"The weights of {folder.name} are quantized by {shortened(method)!r} in a way that "
            "this version cannot read; choose an MLX version of the model."
        )
    return f"The weights of {folder.name} do not fit its config.json."


@contextmanager
def whole_weights(folder: ModelFolder) -> Iterator[None]:
    """While weights are read: where they vanish or shrink meanwhile, the error says that."""
    try:
        yield
    except WeightsError as error:
        name = _cut_short(folder)
        if not name:
            raise
        sentence = f"{name} of {folder.name} is gone or cut short; download the model again."
        raise WeightsError(sentence, error.details) from error


def _cut_short(folder: ModelFolder) -> str:
    """The first weights file that is not whole any more; empty where all are."""
    for file in folder.weight_files:
        try:
            if is_there(file, WeightsError):
                check_weights_file(file)
                continue
        except WeightsError:
            pass
        return shortened(file.name)
    return ""


def _is_for_media(folder: ModelFolder) -> bool:
    has_section = any(isinstance(folder.config.get(key), dict) for key in _MEDIA_SECTIONS)
    return has_section or _MEDIA_TYPE.search(folder.model_type) is not None


def _media_sentence(folder: ModelFolder) -> str:
    kind = shortened(folder.model_type)
    return (
        f"{folder.name} is a vision or speech model of the kind {kind!r}, which this version "
        "cannot run; choose a text model."
    )
