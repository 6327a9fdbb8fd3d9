"""Small bundles of both systems: every file a bundle needs is there, and nothing is in it."""

import plistlib
from collections.abc import Iterator
from pathlib import Path

import informing
import needed
from check import Facts

VERSION = "1.2.3"
SYSTEMS = ("macos", "linux")
_MODULES = (
    "mlx/__array_api_info.py",
    "mlx_lm/models/llama.py",
    "mlx_lm/models/qwen3_5.py",
    "mlx_lm/chat_templates/muse_spark.py",
    "transformers/models/auto/modeling_auto.py",
    "transformers/models/qwen2/tokenization_qwen2.py",
    "transformers/models/qwen2/configuration_qwen2.py",
)
_DEMO = ("config.json", "model.safetensors", "tokenizer.json")


def make_facts(folder: Path) -> Facts:
    """Installed packages and resources of a few files each."""
    for module in _MODULES:
        _write(folder / "packages" / module, "pass")
    for name in _DEMO:
        _write(folder / "resources" / "models" / "demo" / name, f"content of {name}")
    built_in = (folder / "repository", folder / "build")
    return Facts(folder / "packages", folder / "resources", built_in, VERSION)


def needed_paths(system: str) -> Iterator[str]:
    """A path, from the folder of modules, for everything that the check asks for."""
    own = needed.NEEDED_ON_MAC if system == "macos" else needed.NEEDED_ON_LINUX
    for pattern in (*needed.NEEDED, *own):
        yield pattern.replace("*", "x")
    for package in needed.NEEDED_METADATA:
        yield f"{package}-1.0.dist-info/METADATA"
    for module in _MODULES:
        yield module if module.startswith("transformers") else f"{module}c"
    for name in _DEMO:
        yield f"resources/models/demo/{name}"
    yield "resources/licences.txt"


def make_tree(root: Path, system: str) -> Path:
    """A sound bundle at `root`."""
    for path in needed_paths(system):
        name = path.rpartition("/")[2]
        _write(place(root, system, path), f"content of {name}")
    if system == "linux":
        for name in ("draftscope", "draftscope.desktop", "draftscope.png"):
            _write(root / name, name)
        return root
    contents = root / "Contents"
    _write(contents / "MacOS" / "Draftscope", "program")
    _write(contents / "Resources" / "icon.icns", "icon")
    info = {**informing.info_plist(VERSION), "CFBundleIconFile": "icon.icns"}
    (contents / "Info.plist").write_bytes(plistlib.dumps(info))
    frameworks = contents / "Frameworks"
    (frameworks / "mlx" / "lib" / "mlx.metallib").symlink_to(
        "../../../Resources/mlx/lib/mlx.metallib"
    )
    for name in ("libmlx.dylib", "mlx.metallib"):
        (frameworks / name).symlink_to(f"mlx/lib/{name}")
    return root


def place(root: Path, system: str, path: str) -> Path:
    """Where a file lies: on a Mac code is apart from data."""
    if system == "linux":
        return root / "_internal" / path
    is_code = path.endswith((".so", ".dylib")) or ".framework/" in path
    return root / "Contents" / ("Frameworks" if is_code else "Resources") / path


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
