"""A copy of the demo model's folder that a test may break, and ways to edit it."""

import json
import shutil
from pathlib import Path
from typing import Any

from engine.model.load import LoadedModel, load
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
            shutil.copy(file, copy)
    return copy


def load_quietly(name: str | Path) -> LoadedModel:
    return load(str(name), on_progress=lambda _stage, _share: None, is_cancelled=lambda: False)


def edit(file: Path, **changes: Any) -> None:
    value = json.loads(file.read_text()) | changes
    file.write_text(json.dumps({key: item for key, item in value.items() if item is not None}))


def edit_text_config(folder: Path, **changes: Any) -> None:
    section = json.loads((folder / "config.json").read_text())["text_config"]
    edit(folder / "config.json", text_config=section | changes)
