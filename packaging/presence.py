"""What a bundle must hold, whole, and what it must not hold."""

import importlib.util
import marshal
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import contents
import needed
from archive import ArchiveError, packed_modules
from bundle_tree import BundleTree
from facts import Facts
from licences import RULE

_PYC_HEAD = 16


def needed_faults(tree: BundleTree) -> Iterator[str]:
    """Files by pattern, metadata by package, and what lies beside the modules."""
    own = needed.NEEDED_ON_MAC if tree.is_mac else needed.NEEDED_ON_LINUX
    for pattern in (*needed.NEEDED, *own):
        found = tree.matching(pattern)
        if not found:
            yield f"{pattern} is missing."
        yield from (f"{path} is empty." for path in found if not tree.files[path].stat().st_size)
    for package in needed.NEEDED_METADATA:
        if not tree.matching(f"{package}-*.dist-info/METADATA"):
            yield f"The metadata of {package} is missing."
    if not tree.is_mac:
        for name in ("draftscope.desktop", "draftscope.png"):
            if not (tree.root / name).is_file():
                yield f"{name} is missing."


def module_faults(tree: BundleTree, facts: Facts) -> Iterator[str]:
    """Modules imported by name: no import of the program shows that they are needed."""
    for pattern, endings in needed.BY_NAME:
        for path in _installed(pattern, facts):
            held = next((path + end for end in endings if path + end in tree.files), None)
            if held is None:
                yield f"The module {path.replace('/', '.')} is missing."
            elif not _is_whole(tree.files[held], facts.packages / f"{path}.py"):
                yield f"The module {path.replace('/', '.')} is not the one that is installed."
        if not any(facts.packages.glob(pattern)):
            yield f"No {pattern} is installed here; run this with the Python of the build."


def program_faults(tree: BundleTree, facts: Facts) -> Iterator[str]:
    """The program can be started and has every module packed that is imported by name."""
    program = tree.executable
    if not program.is_file():
        yield f"The program {program.name} is missing."
        return
    if not program.stat().st_mode & 0o111:
        yield f"The program {program.name} may not be executed."
    try:
        packed = {name for name, _ in packed_modules(program)}
    except ArchiveError as error:
        yield f"The program {program.name} is damaged: {error}."
        return
    for pattern in needed.PACKED:
        for path in _installed(pattern, facts):
            name = path.removesuffix("/__init__").replace("/", ".")
            if name not in packed:
                yield f"The module {name} is missing from the program."
    for name in sorted(packed):
        if contents.is_left_out(f"{name.replace('.', '/')}.py") or contents.is_excluded(name):
            yield f"The module {name} does not belong into the program."


def resource_faults(tree: BundleTree, facts: Facts) -> Iterator[str]:
    """Every file of the resources is there, unchanged, and the licence of every package."""
    for file in sorted(facts.resources.rglob("*")):
        if not file.is_file() or file.suffix in (".py", ".pyc"):
            continue
        path = f"resources/{file.relative_to(facts.resources).as_posix()}"
        if path not in tree.files:
            yield f"{path} is missing."
        elif tree.files[path].read_bytes() != file.read_bytes():
            yield f"{path} is not the one of the repository."
    licences = tree.files.get("resources/licences.txt")
    text = licences.read_text(encoding="utf-8") if licences is not None else ""
    if not text.strip():
        yield "resources/licences.txt is missing or empty."
        return
    listed = text.partition(RULE)[0].splitlines()
    told = {_plain(line.partition(" ")[0]) for line in listed}
    for path in tree.matching("*.dist-info/METADATA"):
        package = path.partition("-")[0]
        if _plain(package) not in told:
            yield f"resources/licences.txt has no licence of {package}."


def zip_faults(tree: BundleTree) -> Iterator[str]:
    """Archives beside the modules, Python's own first of all."""
    for path in tree.matching("*.zip"):
        try:
            with zipfile.ZipFile(tree.files[path]) as archive:
                damaged = archive.testzip()
        except (zipfile.BadZipFile, zlib.error) as error:
            damaged = str(error)
        if damaged is not None:
            yield f"{path} is damaged: {damaged}."


def unwanted_faults(tree: BundleTree) -> Iterator[str]:
    """Parts of Qt that nothing uses, tests, and what only builds."""
    for path in tree.files:
        if contents.is_unused_qt(path):
            yield f"{path} is a part of Qt that nothing uses."
        elif contents.is_left_out(path) or contents.is_excluded(_module_of(path)):
            yield f"{path} does not belong into a bundle."


def _module_of(path: str) -> str:
    """What a file would be imported as; Python's own compiled modules lie in a folder apart."""
    path = re.sub(r"^python3\.\d+/lib-dynload/", "", path)
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0]}".replace("/", ".")


def _installed(pattern: str, facts: Facts) -> Iterator[str]:
    """The modules that belong into a bundle, by their path without its ending."""
    for file in sorted(facts.packages.glob(pattern)):
        path = file.relative_to(facts.packages)
        if not contents.is_left_out(path.as_posix()):
            yield path.with_suffix("").as_posix()


def _is_whole(held: Path, installed: Path) -> bool:
    """Whether it is the installed source, or code compiled by the Python that runs this."""
    data = held.read_bytes()
    if held.suffix == ".py":
        return data == installed.read_bytes()
    try:
        marshal.loads(data[_PYC_HEAD:])
    except (EOFError, ValueError, TypeError):
        return False
    return data.startswith(importlib.util.MAGIC_NUMBER)


def _plain(package: str) -> str:
    """A package's name as all spellings of it have it."""
    return re.sub(r"[-_.]+", "-", package).lower()
