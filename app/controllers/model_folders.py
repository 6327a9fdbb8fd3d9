"""Finds folders that hold models, in the hub's cache and in folders of the person; opens no model.

In the hub's cache it is the snapshot that the main branch names, or the newest one, incomplete,
where none is named. In other folders it is the folder itself and two levels below.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import islice
from pathlib import Path

from app.controllers.folder_access import is_folder, regular_bytes, shown, why_shut
from app.fetching.cache_layout import PREFIX, SNAPSHOTS
from app.models.library import Origin
from engine import DEMO

MOST_ENTRIES = 2_000
LEVELS = 2
_MOST_FILES = 1_000
_INDEX = "model.safetensors.index.json"
# As much as the engine reads of one.
_MOST_INDEX_BYTES = 16_000_000
_MOST_REF_BYTES = 1_000
_COMMIT = re.compile(r"\w[\w.-]{0,199}", re.ASCII)
_WEIGHTS = (".safetensors", ".gguf", ".bin", ".pt", ".pth", ".npz")
_NAMED = re.compile(rb'"([^"\\/]{1,200}\.safetensors)"')

# Names of files, when they were changed, and how large they are; -1 for a link to nowhere.
Stamp = tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class ModelPlace:
    """A folder with a model in it; `stamp` changes when what is read of it does.

    `target` is what to load it by; `is_named` whether the main branch of its repository is it.
    """

    target: str
    path: Path
    origin: Origin
    stamp: Stamp
    is_named: bool = True

    @property
    def is_complete(self) -> bool:
        """Whether every file is there that its index, or a link, names; reads the index."""
        names = {name for name, _, _ in self.stamp}
        weights = any(name.endswith(".safetensors") for name in names)
        is_whole = all(size >= 0 for _, _, size in self.stamp)
        if not (self.is_named and is_whole and weights and "config.json" in names):
            return False
        return _INDEX not in names or _named_in(self.path / _INDEX) <= names


@dataclass(slots=True)
class Looking:
    """One look through everything: what was met already, what there is to say and to watch."""

    seen: set[tuple[int, int]] = field(default_factory=set)
    sentences: list[str] = field(default_factory=list)
    # These are watched first: in them others come and go.
    roots: list[str] = field(default_factory=list)
    within: list[str] = field(default_factory=list)

    def is_new(self, path: Path) -> bool:
        """Whether the folder was not met before, by this or another name."""
        try:
            status = path.stat()
        except (OSError, ValueError):
            return False
        key = status.st_dev, status.st_ino
        is_new = key not in self.seen
        self.seen.add(key)
        return is_new


def demo_places() -> Iterator[ModelPlace]:
    """The embedded model, where it is installed."""
    demo = files("resources") / "models" / DEMO
    if isinstance(demo, Path) and (stamp := _stamp(demo)):
        yield ModelPlace(DEMO, demo, "built in", stamp)


def hub_places(cache: Path, looking: Looking) -> Iterator[ModelPlace]:
    """The models of the hub's cache."""
    looking.roots.append(str(_nearest(cache)))
    try:
        names = sorted(entry.name for entry in os.scandir(cache))
    except FileNotFoundError:
        return
    except OSError as error:
        reason = error.strerror or "it is not there"
        looking.sentences.append(f"The hub's cache in {shown(cache)} cannot be read: {reason}.")
        return
    for name in names:
        if name.startswith(PREFIX):
            yield from _repository_places(cache / name, looking)


def folder_places(folder: Path, looking: Looking) -> Iterator[ModelPlace]:
    """The models of a folder of the person's; what is odd about it is said."""
    # Only the folder above tells that this one is moved away.
    looking.roots += [str(_nearest(folder)), str(_nearest(folder.parent))]
    count = _Count()
    found = 0
    if not is_folder(folder):
        looking.sentences.append(
            f"The folder {shown(folder)} is not there now; its models come back with it."
        )
        return
    for place in _walk(folder, LEVELS, count, looking):
        found += 1
        yield place
    if count.reason:
        looking.sentences.append(f"The folder {shown(folder)} cannot be read: {count.reason}.")
    elif count.num_entries > MOST_ENTRIES:
        looking.sentences.append(
            f"Only the first {MOST_ENTRIES:,} entries of {shown(folder)} were looked at; add the "
            "folders in it that hold models instead."
        )
    elif not found:
        looking.sentences.append(
            f"No model was found in {shown(folder)}, or {LEVELS} levels below; models are folders "
            "with a config.json."
        )


def loaded_places(targets: tuple[str, ...], looking: Looking) -> Iterator[ModelPlace]:
    """Models that were loaded from elsewhere, under what they were loaded by."""
    for target in targets:
        try:
            path = Path(target).expanduser()
        except RuntimeError:  # an unknown ~user
            continue
        if looking.is_new(path) and (stamp := _stamp(path)):
            looking.roots += [str(path.parent), str(path)]
            origin: Origin = "hub" if path.parent.name == SNAPSHOTS else "folder"
            yield ModelPlace(target, path, origin, stamp)


@dataclass(slots=True)
class _Count:
    num_entries: int = 0
    reason: str = ""


def _walk(folder: Path, levels: int, count: _Count, looking: Looking) -> Iterator[ModelPlace]:
    if not looking.is_new(folder):
        return
    if folder.name.startswith(PREFIX) and is_folder(folder / SNAPSHOTS):
        yield from _repository_places(folder, looking)
        return
    stamp = _stamp(folder)
    if stamp is not None:
        looking.within += [str(folder.parent), str(folder)]
        yield ModelPlace(str(folder), folder, "folder", stamp)
        return
    if levels == 0:
        return
    try:
        with os.scandir(folder) as entries:
            room = max(MOST_ENTRIES + 1 - count.num_entries, 0)
            held = list(islice(entries, room))
    except OSError as error:
        if levels == LEVELS:
            count.reason = error.strerror or "it is not there"
        return
    count.num_entries += len(held)
    for entry in sorted(held, key=lambda each: each.name):
        if not entry.name.startswith(".") and _is_folder(entry):
            yield from _walk(Path(entry.path), levels - 1, count, looking)


def _repository_places(repository: Path, looking: Looking) -> Iterator[ModelPlace]:
    """The snapshot of one repository of a cache."""
    looking.within += [str(repository), str(repository / "refs"), str(repository / SNAPSHOTS)]
    commit = _named_commit(repository)
    snapshots = repository / SNAPSHOTS
    path = snapshots / commit if commit else _newest(snapshots)
    if why := why_shut(repository) or why_shut(snapshots) or (path and why_shut(path)):
        looking.sentences.append(f"{shown(repository)} in the hub's cache cannot be read: {why}.")
        return
    if path is None or not is_folder(path) or not looking.is_new(path):
        return
    if stamp := _stamp(path):
        yield ModelPlace(str(path), path, "hub", stamp, is_named=bool(commit))


def _named_commit(repository: Path) -> str:
    """The commit that the main branch names; empty where it names none that could be one."""
    raw = regular_bytes(repository / "refs" / "main", _MOST_REF_BYTES) or b""
    commit = raw.decode("ascii", "replace").strip()
    return commit if _COMMIT.fullmatch(commit) else ""


def _newest(folder: Path) -> Path | None:
    try:
        held = [Path(entry.path) for entry in os.scandir(folder) if entry.is_dir()]
        return max(held, key=lambda each: each.stat().st_mtime_ns, default=None)
    except OSError:
        return None


def _stamp(folder: Path) -> Stamp | None:
    """Of a folder that holds a model; None for any other."""
    found: list[tuple[str, int, int]] = []
    try:
        with os.scandir(folder) as entries:
            for entry in islice(entries, _MOST_FILES):
                if not entry.name.startswith(".") and not _is_folder(entry):
                    found.append((entry.name, *_facts(entry)))
    except OSError:
        return None
    names = {name for name, _, _ in found}
    has_weights = any(name.endswith(_WEIGHTS) for name in names)
    is_model = "config.json" in names and (
        has_weights or _INDEX in names or any(name.startswith("tokenizer") for name in names)
    )
    if is_model or any(n.startswith("model") and n.endswith(".safetensors") for n in names):
        return tuple(sorted(found))
    return None


def _facts(entry: os.DirEntry[str]) -> tuple[int, int]:
    try:
        status = entry.stat()
    except OSError:
        return 0, -1
    return status.st_mtime_ns, status.st_size


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _named_in(index: Path) -> set[str]:
    """The weights files that an index names, found without reading it as JSON: it may be large."""
    data = regular_bytes(index, _MOST_INDEX_BYTES) or b""
    return {os.fsdecode(name) for name in set(_NAMED.findall(data))}


def _nearest(path: Path) -> Path:
    """The folder, or the nearest above it that is there: it tells when the folder comes back."""
    return next((each for each in (path, *path.parents) if is_folder(each)), path)
