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

from app.models.library import Origin

MOST_ENTRIES = 2_000
LEVELS = 2
_MOST_FILES = 1_000
_INDEX = "model.safetensors.index.json"
_MOST_INDEX_BYTES = 64_000_000
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
    """One look through everything: what was met already, and what there is to say."""

    seen: set[tuple[int, int]] = field(default_factory=set)
    sentences: list[str] = field(default_factory=list)
    watched: list[str] = field(default_factory=list)

    def is_new(self, path: Path) -> bool:
        """Whether the folder was not met before, by this or another name."""
        try:
            status = path.stat()
        except OSError:
            return False
        key = status.st_dev, status.st_ino
        is_new = key not in self.seen
        self.seen.add(key)
        return is_new


def demo_places() -> Iterator[ModelPlace]:
    """The embedded model, where it is installed."""
    demo = files("resources") / "models" / "demo"
    if isinstance(demo, Path) and (stamp := _stamp(demo)):
        yield ModelPlace("demo", demo, "built in", stamp)


def hub_cache() -> Path:
    """Where the hub's own programs keep what they fetch."""
    from huggingface_hub.constants import HF_HUB_CACHE

    return Path(HF_HUB_CACHE)


def hub_places(cache: Path, looking: Looking) -> Iterator[ModelPlace]:
    """The models of the hub's cache."""
    looking.watched.append(str(_nearest(cache)))
    try:
        names = sorted(entry.name for entry in os.scandir(cache))
    except FileNotFoundError:
        return
    except OSError as error:
        looking.sentences.append(
            f"The hub's cache in {cache} cannot be read: {error.strerror or 'it is not there'}."
        )
        return
    for name in names:
        if name.startswith("models--"):
            yield from _repository_places(cache / name, looking)


def folder_places(folder: Path, looking: Looking) -> Iterator[ModelPlace]:
    """The models of a folder of the person's; what is odd about it is said."""
    # Only the folder above tells that this one is moved away.
    looking.watched += [str(_nearest(folder)), str(_nearest(folder.parent))]
    count = _Count()
    found = 0
    try:
        is_there = folder.is_dir()
    except OSError:
        is_there = False
    if not is_there:
        looking.sentences.append(
            f"The folder {folder} is not there now; its models come back with it."
        )
        return
    for place in _walk(folder, LEVELS, count, looking):
        found += 1
        yield place
    if count.reason:
        looking.sentences.append(f"The folder {folder} cannot be read: {count.reason}.")
    elif count.num_entries > MOST_ENTRIES:
        looking.sentences.append(
            f"Only the first {MOST_ENTRIES:,} entries of {folder} were looked at; add the folders "
            "in it that hold models instead."
        )
    elif not found:
        looking.sentences.append(
            f"No model was found in {folder}, or {LEVELS} levels below; models are folders with a "
            "config.json."
        )


@dataclass(slots=True)
class _Count:
    num_entries: int = 0
    reason: str = ""


def _walk(folder: Path, levels: int, count: _Count, looking: Looking) -> Iterator[ModelPlace]:
    if not looking.is_new(folder):
        return
    if folder.name.startswith("models--") and (folder / "snapshots").is_dir():
        yield from _repository_places(folder, looking)
        return
    stamp = _stamp(folder)
    if stamp is not None:
        looking.watched += [str(folder.parent), str(folder)]
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
    looking.watched += [str(repository), str(repository / "refs"), str(repository / "snapshots")]
    try:
        commit = (repository / "refs" / "main").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        commit = ""
    snapshots = repository / "snapshots"
    path = snapshots / commit if commit else _newest(snapshots)
    if path is None or "\0" in commit or not path.is_dir() or not looking.is_new(path):
        return
    if stamp := _stamp(path):
        yield ModelPlace(str(path), path, "hub", stamp, is_named=bool(commit))


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
    try:
        with index.open("rb") as file:
            data = file.read(_MOST_INDEX_BYTES)
    except OSError:
        return set()
    return {os.fsdecode(name) for name in set(_NAMED.findall(data))}


def _nearest(path: Path) -> Path:
    """The folder, or the nearest above it that is there: it tells when the folder comes back."""
    for each in (path, *path.parents):
        try:
            if each.is_dir():
                return each
        except OSError:
            continue
    return path
