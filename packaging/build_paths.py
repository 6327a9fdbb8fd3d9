"""Folders of the building machine, wherever they stand in a bundle: in files, in what is packed."""

import mmap
import zipfile
from collections.abc import Iterator
from contextlib import suppress

from archive import ArchiveError, packed_modules
from bundle_tree import BundleTree
from facts import Facts


def build_path_faults(tree: BundleTree, facts: Facts) -> Iterator[str]:
    """Files, and modules packed into one, that name a folder of the build."""
    needles = [str(folder).encode() for folder in facts.built_in]
    for name, data in _everything(tree):
        for needle in needles:
            if data.find(needle) >= 0:
                yield f"{name} names the build's folder {needle.decode()}."


def link_faults(tree: BundleTree) -> Iterator[str]:
    """Links that lead nowhere, or to the building machine."""
    inside = tree.root.resolve()
    for path in sorted(tree.root.rglob("*")):
        if not path.is_symlink():
            continue
        name = path.relative_to(tree.root).as_posix()
        if path.readlink().is_absolute() or not path.resolve().is_relative_to(inside):
            yield f"{name} is a link out of the bundle."
        elif not path.exists():
            yield f"{name} is a link to nowhere."


def _everything(tree: BundleTree) -> Iterator[tuple[str, bytes | mmap.mmap]]:
    """Every file's name and bytes, then those of what is packed; none of it stays in memory."""
    for path in tree.all_files():
        if path.stat().st_size:
            with (
                path.open("rb") as file,
                mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
            ):
                yield path.relative_to(tree.root).as_posix(), data
    # What cannot be unpacked is told of by those who look for what is in it.
    with suppress(ArchiveError, FileNotFoundError):
        for module, code in packed_modules(tree.executable):
            yield f"The module {module} in the program", code
    for path in tree.matching("*.zip"):
        with suppress(zipfile.BadZipFile), zipfile.ZipFile(tree.files[path]) as archive:
            for member in archive.namelist():
                yield f"{member} in {path}", archive.read(member)
