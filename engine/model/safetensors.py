"""Safetensors headers: whether a weights file is what it says, without reading the weights."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import pairwise
from pathlib import Path
from typing import Any

from engine.errors import WeightsError
from engine.model.files import shortened
from engine.model.json_parts import entries

_MAX_HEADER = 100_000_000
_MOST_DIMENSIONS = 64
_PIECE = 2_000
DTYPE_BYTES = {
    **dict.fromkeys(("BOOL", "U8", "I8", "F8_E4M3", "F8_E5M2", "F8_E8M0"), 1),
    **dict.fromkeys(("U16", "I16", "F16", "BF16"), 2),
    **dict.fromkeys(("U32", "I32", "F32"), 4),
    **dict.fromkeys(("U64", "I64", "F64", "C64"), 8),
}


@dataclass(frozen=True, slots=True)
class Tensor:
    """One array of a weights file, as its header has it."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    num_bytes: int


def check_weights_file(path: Path, hear: Callable[[Tensor], None] | None = None) -> None:
    """Raise `WeightsError` if the file is truncated or its header does not fit its size.

    `hear` is told of every array.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            raw = file.read(length) if 2 <= length <= min(_MAX_HEADER, size - 8) else b""
    except OSError as error:
        name = shortened(path.name)
        raise WeightsError(f"The weights file {name} cannot be read.", str(error)) from error
    spans: list[tuple[int, int]] = []
    for name, entry in _parse(path, raw, size):
        if name != "__metadata__":
            _check_tensor(path, name, entry, size - 8 - length)
            start, end = entry["data_offsets"]
            spans.append((start, end))
            if hear is not None:
                hear(Tensor(name, str(entry.get("dtype")), tuple(entry["shape"]), end - start))
    _check_apart(path, spans)


def _check_apart(path: Path, spans: list[tuple[int, int]]) -> None:
    # In pieces: one sort of all would keep other threads waiting.
    pieces = [sorted(spans[i : i + _PIECE]) for i in range(0, len(spans), _PIECE)]
    overlap = next((pair for pair in pairwise(merge(*pieces)) if pair[1][0] < pair[0][1]), None)
    if overlap is not None:
        raise WeightsError(_contradiction(path), f"two arrays share bytes: {overlap}")


def _contradiction(path: Path) -> str:
    return (
        f"The header of the weights file {shortened(path.name)} contradicts itself; "
        "download the model again."
    )


def _parse(path: Path, raw: bytes, size: int) -> Iterator[tuple[str, Any]]:
    name = shortened(path.name)
    if not raw:
        raise WeightsError(
            f"The weights file {name} is damaged or cut short; download the model again.",
            f"{size} bytes, no complete header",
        )
    try:
        yield from entries(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        sentence = f"The weights file {name} is not a safetensors file."
        raise WeightsError(sentence, str(error)) from error


def _check_tensor(path: Path, name: str, entry: object, available: int) -> None:
    fault = _tensor_fault(entry, available)
    if fault == "cut":
        raise WeightsError(
            f"The weights file {shortened(path.name)} is cut short; download the model again.",
            f"{name:.200}: {entry!r:.500}, {available} bytes of data",
        )
    if fault:
        raise WeightsError(_contradiction(path), f"{name:.200}: {entry!r:.500}")


def _tensor_fault(entry: object, available: int) -> str:
    if not isinstance(entry, dict):
        return "contradiction"
    shape, offsets = _counts(entry.get("shape")), _counts(entry.get("data_offsets"))
    if shape is None or offsets is None:
        return "contradiction"
    if len(offsets) != 2 or offsets[0] > offsets[1]:
        return "contradiction"
    num_bytes, width = offsets[1] - offsets[0], DTYPE_BYTES.get(str(entry.get("dtype")))
    if len(shape) > _MOST_DIMENSIONS:
        return "contradiction"
    size = math.prod(shape)
    # No type takes less than a bit: what a shape says is bounded by the file, whatever its type.
    if size > num_bytes * 8 or (width is not None and size * width != num_bytes):
        return "contradiction"
    return "cut" if offsets[1] > available else ""


def _counts(value: object) -> list[int] | None:
    if not isinstance(value, list):
        return None
    return value if all(type(number) is int and number >= 0 for number in value) else None
