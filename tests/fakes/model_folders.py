"""A copy of the demo model's folder that a test may break, and ways to edit it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.model.load import load
from engine.model.loaded_model import LoadedModel
from engine.model.preflight import resolve

WEIGHTS = "model.safetensors"


def demo_folder(parent: Path) -> Path:
    """A copy below `parent`, its weights linked."""
    copy = parent / "model"
    copy.mkdir()
    for file in resolve("demo").iterdir():
        if file.name == WEIGHTS:
            (copy / WEIGHTS).symlink_to(file)
        elif file.is_file():
            shutil.copy2(file, copy)
    return copy


def load_quietly(name: str | Path) -> LoadedModel:
    return load(str(name), on_progress=lambda _stage, _share: None, is_cancelled=lambda: False)


def edit(file: Path, **changes: Any) -> None:
    value = json.loads(file.read_text()) | changes
    file.write_text(json.dumps({key: item for key, item in value.items() if item is not None}))


def edit_text_config(folder: Path, **changes: Any) -> None:
    section = json.loads((folder / "config.json").read_text())["text_config"]
    edit(folder / "config.json", text_config=section | changes)


def edit_weights(folder: Path, change: Callable[[dict[str, Any], bytearray], None]) -> None:
    """Let `change` edit the header and the data of a copy of the weights."""
    raw = (folder / WEIGHTS).read_bytes()
    length = int.from_bytes(raw[:8], "little")
    header, data = json.loads(raw[8 : 8 + length]), bytearray(raw[8 + length :])
    change(header, data)
    text = json.dumps(header).encode()
    (folder / WEIGHTS).unlink()
    (folder / WEIGHTS).write_bytes(len(text).to_bytes(8, "little") + text + data)


def relabel_packed(header: dict[str, Any], _data: bytearray) -> None:
    """Packed weights that say they are signed."""
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "U32":
            entry["dtype"] = "I32"


def without_numbers(header: dict[str, Any], data: bytearray) -> None:
    """Every floating weight becomes NaN."""
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] in ("BF16", "F16", "F32"):
            start, end = entry["data_offsets"]
            data[start:end] = b"\xff" * (end - start)
