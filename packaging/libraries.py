"""The compiled files of a bundle: whole, and with every library that they ask for."""

import re
from collections.abc import Iterator
from pathlib import Path

import contents
from bundle_tree import BundleTree
from linkage import DamagedError, wanted_libraries

_CODE = re.compile(r".*\.(so|dylib)(\.[\d.]+)?$|.*/Qt\w+\.framework/(Versions/\w+/)?Qt\w+$")
# The program itself opens Python's.
_BESIDE = re.compile(r"lib(?!python)[^/]*\.so[^/]*")
_OF_A_MAC = ("/usr/lib/", "/System/")


def library_faults(tree: BundleTree) -> Iterator[str]:
    """What is damaged, what asks for a library that is nowhere, and what nothing asks for."""
    wanted: dict[str, str] = {}
    looked_at: set[Path] = set()
    for path, file in tree.files.items():
        if not _CODE.match(path) or file.resolve() in looked_at:
            continue
        looked_at.add(file.resolve())
        try:
            wanted |= dict.fromkeys(wanted_libraries(file), path)
        except DamagedError as error:
            yield f"{path} is damaged: {error}."
    there = {path.rpartition("/")[2] for path in tree.files}
    for name, path in wanted.items():
        if name.rpartition("/")[2] not in there and not _is_of_the_system(name, tree.is_mac):
            yield f"{path} asks for {name}, which is missing."
    if not tree.is_mac:
        for path in tree.files:
            if _BESIDE.match(path) and path not in wanted:
                yield f"{path} is a library that nothing asks for."


def _is_of_the_system(name: str, is_mac: bool) -> bool:
    if is_mac:
        return name.startswith(_OF_A_MAC)
    return bool(contents.SYSTEM_LIBRARIES.match(name) or contents.C_LIBRARY.match(name))
