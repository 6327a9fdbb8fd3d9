"""Small bundles of both systems: every file a bundle needs is there, and nothing is in it."""

import importlib.util
import io
import marshal
import plistlib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import informing
import needed
from bundle_tree import BundleTree
from check import faults
from facts import Facts

from tests.packaging.binaries import elf, mach, program

VERSION = "1.2.3"
SYSTEMS = ("macos", "linux")
MODULES = (
    "mlx/__array_api_info.py",
    "mlx_lm/generate.py",
    "mlx_lm/tokenizer_utils.py",
    "mlx_lm/utils.py",
    "mlx_lm/models/llama.py",
    "mlx_lm/models/qwen3_5.py",
    "mlx_lm/chat_templates/muse_spark.py",
    "mlx_lm/tool_parsers/json_tools.py",
    "transformers/models/auto/modeling_auto.py",
    "transformers/models/qwen2/tokenization_qwen2.py",
    "transformers/models/qwen2/configuration_qwen2.py",
)
PACKED = {
    pattern.replace("**", "inside").replace("*", "module").removesuffix(".py")
    for pattern in needed.PACKED
}
_DEMO = ("config.json", "model.safetensors", "tokenizer.json")
_SOURCE = "VALUE = 1\n"


def make_facts(folder: Path) -> Facts:
    """Installed packages and resources of a few files each."""
    for module in (*MODULES, *(f"{path}.py" for path in PACKED)):
        _write(folder / "packages" / module, _SOURCE.encode())
    _write(folder / "packages" / "mlx" / "lib" / "mlx.metallib", b"content of mlx.metallib")
    for name in _DEMO:
        _write(folder / "resources" / "models" / "demo" / name, f"content of {name}".encode())
    _write(folder / "resources" / "__init__.py", b"")
    built_in = (folder / "repository", folder / "build")
    return Facts(folder / "packages", folder / "resources", built_in, VERSION)


def needed_paths(system: str) -> Iterator[str]:
    """A path, from the folder of modules, for everything that the check asks for."""
    own = needed.NEEDED_ON_MAC if system == "macos" else needed.NEEDED_ON_LINUX
    for pattern in (*needed.NEEDED, *own):
        yield pattern.replace("*", "x")
    for package in needed.NEEDED_METADATA:
        yield f"{package}-1.0.dist-info/METADATA"
    for module in MODULES:
        yield module if module.startswith("transformers") else f"{module}c"
    for name in _DEMO:
        yield f"resources/models/demo/{name}"
    yield "resources/licences.txt"


def make_tree(root: Path, system: str) -> Path:
    """A sound bundle at `root`."""
    for path in needed_paths(system):
        _write(place(root, system, path), content(system, path))
    write_program(root, system, packed())
    if system == "linux":
        for name in ("draftscope.desktop", "draftscope.png"):
            _write(root / name, name.encode())
        return root
    contents = root / "Contents"
    _write(contents / "Resources" / "icon.icns", b"icon")
    info = {
        **informing.info_plist(VERSION),
        "CFBundleIconFile": "icon.icns",
        "CFBundleExecutable": "Draftscope",
    }
    (contents / "Info.plist").write_bytes(plistlib.dumps(info))
    frameworks = contents / "Frameworks"
    (frameworks / "mlx" / "lib" / "mlx.metallib").symlink_to(
        "../../../Resources/mlx/lib/mlx.metallib"
    )
    for name in ("libmlx.dylib", "mlx.metallib"):
        (frameworks / name).symlink_to(f"mlx/lib/{name}")
    return root


def write_program(root: Path, system: str, modules: dict[str, bytes]) -> Path:
    """What a person starts, with these modules in it."""
    file = root / ("Contents/MacOS/Draftscope" if system == "macos" else "draftscope")
    _write(file, program(modules))
    file.chmod(0o755)
    return file


def found(root: Path, facts: Facts) -> list[str]:
    """What the check says of a bundle."""
    tree = BundleTree.of(root)
    assert tree is not None
    return list(faults(tree, facts))


def name_of(path: str) -> str:
    """What a module is imported as."""
    return path.removesuffix("/__init__").replace("/", ".")


def packed() -> dict[str, bytes]:
    """The modules in the program of a sound bundle."""
    return {name_of(path): _code() for path in PACKED}


def content(system: str, path: str) -> bytes:
    """What lies at a path: a library, code, or words."""
    if path.endswith("libqxcb.so"):
        return elf(("libxcb-cursor.so.0", "libxkbcommon-x11.so.0"))
    if path.endswith((".so", ".dylib")) or ".framework/" in path or ".so." in path:
        return mach() if system == "macos" else elf()
    if path.endswith(".pyc"):
        return importlib.util.MAGIC_NUMBER + bytes(12) + _code()
    if path.endswith(".py"):
        return _SOURCE.encode()
    if path.endswith(".zip"):
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("codecs.pyc", bytes(100))
        return held.getvalue()
    if path.endswith("licences.txt"):
        told = "".join(f"{package} 1.0: MIT\n" for package in needed.NEEDED_METADATA)
        return f"Draftscope is made with this.\n\n{told}\n".encode()
    return f"content of {path.rpartition('/')[2]}".encode()


def place(root: Path, system: str, path: str) -> Path:
    """Where a file lies: on a Mac code is apart from data."""
    if system == "linux":
        return root / "_internal" / path
    is_code = path.endswith((".so", ".dylib")) or ".framework/" in path
    return root / "Contents" / ("Frameworks" if is_code else "Resources") / path


def _code() -> bytes:
    return marshal.dumps(compile(_SOURCE, "module.py", "exec"))


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
