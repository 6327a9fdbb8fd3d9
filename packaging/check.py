"""Checks a built bundle: `python packaging/check.py TREE [--built-in FOLDER] [--packages FOLDER]`.

TREE is Draftscope.app or the folder draftscope. Run it with the Python of the build, whose
packages say what must be inside; it needs nothing else.
"""

import argparse
import mmap
import plistlib
import re
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import contents
import informing
import needed
from bundle_tree import BundleTree

REPOSITORY = Path(__file__).resolve().parent.parent
_MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Facts:
    """What a bundle is measured by: installed packages, our resources, where it was built."""

    packages: Path
    resources: Path
    built_in: tuple[Path, ...]
    version: str


def faults(tree: BundleTree, facts: Facts) -> Iterator[str]:
    """What is wrong with the bundle, a sentence each; nothing where it is sound."""
    yield from _needed(tree)
    yield from _modules(tree, facts)
    yield from _resources(tree, facts)
    yield from _unwanted(tree)
    yield from _build_paths(tree, facts)
    yield from _size(tree)
    if tree.is_mac:
        yield from _metallib(tree)
        yield from _info(tree, facts)


def _needed(tree: BundleTree) -> Iterator[str]:
    if not tree.executable.is_file():
        yield f"The program {tree.executable.name} is missing."
    own = needed.NEEDED_ON_MAC if tree.is_mac else needed.NEEDED_ON_LINUX
    for pattern in (*needed.NEEDED, *own):
        if not tree.matching(pattern):
            yield f"{pattern} is missing."
    for package in needed.NEEDED_METADATA:
        if not tree.matching(f"{package}-*.dist-info/METADATA"):
            yield f"The metadata of {package} is missing."
    if not tree.is_mac:
        for name in ("draftscope.desktop", "draftscope.png"):
            if not (tree.root / name).is_file():
                yield f"{name} is missing."


def _modules(tree: BundleTree, facts: Facts) -> Iterator[str]:
    """Modules imported by name: no import of the program shows that they are needed."""
    for pattern, endings in needed.BY_NAME:
        found = sorted(facts.packages.glob(pattern))
        if not found:
            yield f"No {pattern} is installed here; run this with the Python of the build."
        for file in found:
            path = file.relative_to(facts.packages).with_suffix("").as_posix()
            if contents.is_left_out(f"{path}.py"):
                continue
            if not any(path + ending in tree.files for ending in endings):
                yield f"The module {path.replace('/', '.')} is missing."


def _resources(tree: BundleTree, facts: Facts) -> Iterator[str]:
    """Every file of the resources that the program reads, unchanged, and the licences."""
    for file in sorted((facts.resources / "models").rglob("*")):
        if not file.is_file():
            continue
        path = f"resources/{file.relative_to(facts.resources).as_posix()}"
        if path not in tree.files:
            yield f"{path} is missing."
        elif tree.files[path].read_bytes() != file.read_bytes():
            yield f"{path} is not the one of the repository."
    licences = tree.files.get("resources/licences.txt")
    if licences is None or not licences.read_text(encoding="utf-8").strip():
        yield "resources/licences.txt is missing or empty."


def _unwanted(tree: BundleTree) -> Iterator[str]:
    for path in tree.files:
        if contents.is_unused_qt(path):
            yield f"{path} is a part of Qt that nothing uses."
        elif contents.is_left_out(path):
            yield f"{path} does not belong into a bundle."


def _build_paths(tree: BundleTree, facts: Facts) -> Iterator[str]:
    """Folders of the machine that built it, wherever they stand."""
    needles = [str(folder).encode() for folder in facts.built_in]
    for path in tree.all_files():
        if path.stat().st_size == 0:
            continue
        with (
            path.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
        ):
            found = [needle.decode() for needle in needles if data.find(needle) >= 0]
        for folder in found:
            yield f"{path.relative_to(tree.root).as_posix()} names the build's folder {folder}."


def _size(tree: BundleTree) -> Iterator[str]:
    total = sum(tree.sizes().values()) // _MB
    budget = needed.BUDGET_MB_MAC if tree.is_mac else needed.BUDGET_MB_LINUX
    if total > budget:
        yield f"The bundle has {total} MB; its budget is {budget} MB."


def _metallib(tree: BundleTree) -> Iterator[str]:
    """MLX finds its kernels beside the library, under each name that the library can load by."""
    for path in tree.matching("*libmlx.dylib"):
        if not tree.files[path].with_name("mlx.metallib").is_file():
            yield f"mlx.metallib is missing beside {path}."


def _info(tree: BundleTree, facts: Facts) -> Iterator[str]:
    file = tree.root / "Contents" / "Info.plist"
    try:
        info = plistlib.loads(file.read_bytes())
    except (OSError, plistlib.InvalidFileException, ValueError) as error:
        yield f"Info.plist cannot be read: {error}."
        return
    for key, value in informing.info_plist(facts.version).items():
        if info.get(key) != value:
            yield f"Info.plist has {info.get(key)!r} as {key}, not {value!r}."
    if "NSRequiresAquaSystemAppearance" in info:
        yield "Info.plist forces light or dark; the look follows the system."
    icon = str(info.get("CFBundleIconFile", ""))
    if not icon or not (tree.root / "Contents" / "Resources" / icon).is_file():
        yield "The icon that Info.plist names is missing."


def _table(tree: BundleTree) -> str:
    """The parts from 1 MB up, the largest first."""
    sizes = sorted(tree.sizes().items(), key=lambda item: -item[1])
    large = [(part, size) for part, size in sizes if size >= _MB]
    rest = sum(size for _, size in sizes) - sum(size for _, size in large)
    rows = [*large, ("everything else", rest), ("in all", sum(size for _, size in sizes))]
    return "\n".join(f"{size / _MB:8.1f} MB  {part}" for part, size in rows)


def _version() -> str:
    text = (REPOSITORY / "engine" / "version.py").read_text(encoding="utf-8")
    return re.findall(r'^__version__ = "(.+)"', text, re.MULTILINE)[0]


def main(arguments: list[str]) -> int:
    """Print the sizes and every fault; 1 where there is one."""
    parser = argparse.ArgumentParser(prog="check", description=__doc__.partition("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("--built-in", type=Path, action="append", default=[], metavar="FOLDER")
    parser.add_argument("--packages", type=Path, default=Path(sysconfig.get_path("purelib")))
    given = parser.parse_args(arguments)
    tree = BundleTree.of(given.tree)
    if tree is None:
        sys.stderr.write(f"draftscope: {given.tree} is no bundle; build one first.\n")
        return 2
    folders = (REPOSITORY, *(folder.resolve() for folder in given.built_in))
    facts = Facts(given.packages, REPOSITORY / "resources", folders, _version())
    found = list(faults(tree, facts))
    sys.stdout.write(f"{_table(tree)}\n")
    for fault in found:
        sys.stderr.write(f"draftscope: {fault}\n")
    verdict = f"not sound ({len(found)} faults)" if found else "sound"
    sys.stdout.write(f"draftscope: {given.tree.name} is {verdict}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
