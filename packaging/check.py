"""Checks a built bundle: `python packaging/check.py TREE [--built-in FOLDER] [--packages FOLDER]`.

TREE is Draftscope.app or the folder draftscope. Run it with the Python of the build, whose
packages say what must be inside; it needs nothing else.
"""

import argparse
import plistlib
import re
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import informing
import needed
from build_paths import build_path_faults, link_faults
from bundle_tree import BundleTree
from facts import Facts
from libraries import library_faults
from presence import (
    module_faults,
    needed_faults,
    program_faults,
    resource_faults,
    unwanted_faults,
    zip_faults,
)

REPOSITORY = Path(__file__).resolve().parent.parent
_MB = 1_000_000


def faults(tree: BundleTree, facts: Facts) -> Iterator[str]:
    """What is wrong with the bundle, a sentence each; nothing where it is sound."""
    yield from needed_faults(tree)
    yield from zip_faults(tree)
    yield from module_faults(tree, facts)
    yield from program_faults(tree, facts)
    yield from resource_faults(tree, facts)
    yield from library_faults(tree)
    yield from unwanted_faults(tree)
    yield from build_path_faults(tree, facts)
    yield from link_faults(tree)
    yield from _size(tree)
    if tree.is_mac:
        yield from _metallib(tree, facts)
        yield from _info(tree, facts)


def _size(tree: BundleTree) -> Iterator[str]:
    total = sum(tree.sizes().values())
    budget = needed.BUDGET_MB_MAC if tree.is_mac else needed.BUDGET_MB_LINUX
    if total > budget * _MB:
        yield f"The bundle has {total / _MB:.1f} MB; its budget is {budget} MB."


def _metallib(tree: BundleTree, facts: Facts) -> Iterator[str]:
    """MLX finds its kernels beside the library, under each name that the library can load by."""
    installed = facts.packages / "mlx" / "lib" / "mlx.metallib"
    for path in tree.matching("*libmlx.dylib"):
        kernels = tree.files[path].with_name("mlx.metallib")
        if not kernels.is_file():
            yield f"mlx.metallib is missing beside {path}."
        elif not installed.is_file() or kernels.read_bytes() != installed.read_bytes():
            yield f"mlx.metallib beside {path} is not the one that is installed."


def _info(tree: BundleTree, facts: Facts) -> Iterator[str]:
    file = tree.root / "Contents" / "Info.plist"
    try:
        info = plistlib.loads(file.read_bytes())
    except (OSError, plistlib.InvalidFileException, ValueError) as error:
        yield f"Info.plist cannot be read: {error}."
        return
    wanted = {**informing.info_plist(facts.version), "CFBundleExecutable": tree.executable.name}
    for key, value in wanted.items():
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


def _both_names(folder: Path) -> set[Path]:
    """A folder as it was named, and as it is called without links on the way."""
    return {folder.absolute(), folder.resolve()}


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
    folders = {name for folder in (REPOSITORY, *given.built_in) for name in _both_names(folder)}
    facts = Facts(given.packages, REPOSITORY / "resources", tuple(sorted(folders)), _version())
    found = list(faults(tree, facts))
    sys.stdout.write(f"{_table(tree)}\n")
    for fault in found:
        sys.stderr.write(f"draftscope: {fault}\n")
    verdict = f"not sound ({len(found)} faults)" if found else "sound"
    sys.stdout.write(f"draftscope: {given.tree.name} is {verdict}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
