"""Safetensors headers: whether a weights file is what it says, without reading the weights."""

import json
import math
from pathlib import Path
from typing import Any

from engine.errors import WeightsError

_MAX_HEADER = 100_000_000
_DTYPE_BYTES = {
    **dict.fromkeys(("BOOL", "U8", "I8", "F8_E4M3", "F8_E5M2", "F8_E8M0"), 1),
    **dict.fromkeys(("U16", "I16", "F16", "BF16"), 2),
    **dict.fromkeys(("U32", "I32", "F32"), 4),
    **dict.fromkeys(("U64", "I64", "F64", "C64"), 8),
}


def check_weights_file(path: Path) -> None:
    """Raise `WeightsError` if the file is truncated or its header does not fit its size."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            raw = file.read(length) if 2 <= length <= min(_MAX_HEADER, size - 8) else b""
    except OSError as error:
        raise WeightsError(f"The weights file {path.name} cannot be read.", str(error)) from error
    header = _parse(path, raw, size)
    for name, entry in header.items():
        if name != "__metadata__":
            _check_tensor(path, name, entry, size - 8 - length)


def _parse(path: Path, raw: bytes, size: int) -> dict[str, Any]:
    if not raw:
        raise WeightsError(
            f"The weights file {path.name} is damaged or cut short; download the model again.",
            f"{size} bytes, no complete header",
        )
    try:
        header = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise WeightsError(
            f"The weights file {path.name} is not a safetensors file.", str(error)
        ) from error
    if not isinstance(header, dict):
        raise WeightsError(f"The weights file {path.name} is not a safetensors file.")
    return header


def _check_tensor(path: Path, name: str, entry: object, available: int) -> None:
    fault = _tensor_fault(entry, available)
    if fault == "cut":
        raise WeightsError(
            f"The weights file {path.name} is cut short; download the model again.",
            f"{name}: {entry}, {available} bytes of data",
        )
    if fault:
        raise WeightsError(
            f"The header of the weights file {path.name} contradicts itself; "
            "download the model again.",
            f"{name}: {entry}",
        )


def _tensor_fault(entry: object, available: int) -> str:
    if not isinstance(entry, dict):
        return "contradiction"
    shape, offsets = _counts(entry.get("shape")), _counts(entry.get("data_offsets"))
    if shape is None or offsets is None:
        return "contradiction"
    if len(offsets) != 2 or offsets[0] > offsets[1]:
        return "contradiction"
    width = _DTYPE_BYTES.get(str(entry.get("dtype")))
    if width is not None and math.prod(shape) * width != offsets[1] - offsets[0]:
        return "contradiction"
    return "cut" if offsets[1] > available else ""


def _counts(value: object) -> list[int] | None:
    if not isinstance(value, list):
        return None
    return value if all(type(number) is int and number >= 0 for number in value) else None
