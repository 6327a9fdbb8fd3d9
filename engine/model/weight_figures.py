"""How large a model is, on disk and in memory, told from the headers of its weights."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.model.safetensors import Tensor
from engine.model.special_ids import text_sections

# What mlx-lm leaves out of a language model: eyes, ears, extra prediction layers, old tables.
_LEFT_OUT = re.compile(
    r"(?:^|\.)(?:vision_tower|visual|vision_model|vision_encoder|vision_embedder|audio_tower|"
    r"multi_modal_projector|mm_projector|embed_vision|embed_audio|patch_merge_mlp|mtp|inv_freq)"
    r"(?:\.|$)"
)
_LAYER = re.compile(r"(?:^|\.)layers\.([0-9]{1,9})\.")
_FLOATS = {"BF16": "bfloat16", "F16": "float16", "F32": "float32", "F64": "float64"}
_EIGHT_BIT_FLOATS = ("F8_E4M3", "F8_E5M2")
_BITS = (2, 3, 4, 5, 6, 8)
_SCALES = (".scales", ".biases", "_scales", ".weight_scale_inv", ".qzeros", ".g_idx")


@dataclass(frozen=True, slots=True)
class WeightFigures:
    """Parameters as trained, the type of the largest float array, bytes in memory."""

    num_parameters: int
    dtype: str
    memory_bytes: int


def weight_figures(
    tensors: Iterable[Tensor], config: Mapping[str, Any], *, floats_widen: bool
) -> WeightFigures:
    """What the arrays that belong to the text model add up to.

    `floats_widen` where the engine computes in float32, as it does on a CPU.
    """
    own = {tensor.name: tensor for tensor in tensors if _belongs(tensor.name, config)}
    floats = [tensor for tensor in own.values() if tensor.dtype in _FLOATS]
    largest = max(floats, key=lambda tensor: math.prod(tensor.shape), default=None)
    memory = sum(_memory_bytes(tensor, floats_widen) for tensor in own.values())
    parameters = sum(_parameters(tensor, own, config) for tensor in own.values())
    return WeightFigures(parameters, _FLOATS[largest.dtype] if largest else "", memory)


def _belongs(name: str, config: Mapping[str, Any]) -> bool:
    if _LEFT_OUT.search(name):
        return False
    sections = text_sections(config)
    numbers = [n for n in (s.get("num_hidden_layers") for s in sections) if type(n) is int]
    layer = _LAYER.search(name)
    if layer is not None and numbers and int(layer[1]) >= max(numbers):
        return False
    is_tied = any(section.get("tie_word_embeddings") is True for section in sections)
    return not (is_tied and re.search(r"(?:^|\.)lm_head\.", name))


def _memory_bytes(tensor: Tensor, floats_widen: bool) -> int:
    size = math.prod(tensor.shape)
    if tensor.dtype in _EIGHT_BIT_FLOATS:  # unpacked to bfloat16 when they are read
        return size * (4 if floats_widen else 2)
    return size * 4 if floats_widen and tensor.dtype in _FLOATS else tensor.num_bytes


def _parameters(tensor: Tensor, own: Mapping[str, Tensor], config: Mapping[str, Any]) -> int:
    size, name = math.prod(tensor.shape), tensor.name
    base, _, part = name.rpartition(".")
    if part == "qweight":
        return size * 32 // (_named_bits(base, config) or 4)
    if name.endswith("_blocks"):
        return size * 2
    if name.endswith(_SCALES):
        is_packed = f"{base}.weight" in own or f"{base}.qweight" in own or name.endswith("_scales")
        return 0 if is_packed else size
    scales = own.get(f"{base}.scales") if part == "weight" else None
    if scales is None or tensor.dtype not in ("U32", "U8"):
        return size
    bits = _packed_bits(tensor, scales, base, config)
    return size * (32 if tensor.dtype == "U32" else 8) // bits


def _packed_bits(tensor: Tensor, scales: Tensor, base: str, config: Mapping[str, Any]) -> int:
    """The bits that fit both shapes; single layers may differ from what the model says."""
    named = _named_bits(base, config) or 4
    group = _section(config).get("group_size")
    if type(group) is not int or not tensor.shape or not scales.shape:
        return named
    columns = scales.shape[-1] * group
    fitting = [bits for bits in (named, *_BITS) if tensor.shape[-1] * 32 == columns * bits]
    return fitting[0] if fitting else named


def _named_bits(base: str, config: Mapping[str, Any]) -> int | None:
    section = _section(config)
    own = section.get(base)
    for source in (own, section):
        bits = source.get("bits") if isinstance(source, Mapping) else None
        if type(bits) is int and 1 <= bits <= 32:
            return bits
    return None


def _section(config: Mapping[str, Any]) -> Mapping[str, Any]:
    for key in ("quantization", "quantization_config"):
        if isinstance(config.get(key), Mapping):
            return dict(config[key])
    return {}
