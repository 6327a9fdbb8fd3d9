"""A model's folder in the hub's cache, in the layout that every program shares.

A file lies in blobs/ under its checksum and is linked from snapshots/<commit>/. What has come of
one so far lies beside it as <checksum>.incomplete: always the true beginning, so it can go on.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from app.fetching.cache_layout import SNAPSHOTS, repository_name
from app.fetching.found import RemoteFile, RemoteModel
from app.fetching.halt import Halt
from app.fetching.hub_library import hub_utils

_LOCK_SECONDS = 0.2
_INCOMPLETE = ".incomplete"
_CHECKSUM_LENGTHS = (40, 64)


class FileLockedError(Exception):
    """Another program is fetching the same file."""


class RepositoryFolder:
    """Where the files of one repository are, and what is there of them."""

    def __init__(self, cache: Path, repo: str) -> None:
        name = repository_name(repo)
        self.path = cache / name
        self._locks = cache / ".locks" / name
        self._blobs = self.path / "blobs"

    def blob(self, file: RemoteFile) -> Path:
        """The file's place when it is complete."""
        return self._blobs / file.checksum

    def incomplete(self, file: RemoteFile) -> Path:
        """The file's place until then."""
        return self._blobs / f"{file.checksum}{_INCOMPLETE}"

    def snapshot(self, commit: str) -> Path:
        """The folder to load the model from."""
        return self.path / SNAPSHOTS / commit

    def is_complete(self, file: RemoteFile, commit: str) -> bool:
        """Whether all of it is here, by its size: what is in its place has been checked."""
        return bool(self.places(file, commit))

    def places(self, file: RemoteFile, commit: str) -> list[Path]:
        """Where all of it lies, each of them once: in its place, and where a model is loaded."""
        both = (self.blob(file), self.snapshot(commit) / file.name)
        found = [place for place in both if _size(place) == file.size]
        is_one = len(found) > 1 and os.path.realpath(both[0]) == os.path.realpath(both[1])
        return found[:1] if is_one else found

    def bytes_here(self, file: RemoteFile, commit: str) -> int:
        """How much of it is here."""
        if self.is_complete(file, commit):
            return file.size
        size = _size(self.incomplete(file)) or 0
        return size if size <= file.size else 0

    def make(self) -> None:
        """Make the folders."""
        self._blobs.mkdir(parents=True, exist_ok=True)
        self._locks.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def locked(self, file: RemoteFile, halt: Halt) -> Iterator[None]:
        """Hold the lock that the hub's library takes; FileLockedError where another has it."""
        file_lock = hub_utils().WeakFileLock
        halt.check()
        with ExitStack() as stack:
            try:
                lock = self._locks / f"{self.blob(file).name}.lock"
                stack.enter_context(file_lock(lock, timeout=_LOCK_SECONDS))
            except TimeoutError as error:
                raise FileLockedError from error
            yield

    def finish(self, model: RemoteModel) -> Path:
        """Link the complete files into the snapshot, then say that it is the newest one."""
        snapshot = self.snapshot(model.commit)
        for file in model.files:
            self._link(file, snapshot / file.name)
        main = self.path / "refs" / "main"
        main.parent.mkdir(exist_ok=True)
        written = main.with_name(f"main.{os.getpid()}.tmp")
        written.write_text(model.commit, encoding="utf-8")
        written.replace(main)
        return snapshot

    def discard(self) -> None:
        """Remove what no snapshot uses, except what another program is at just now."""
        used = self._used()
        for place in self._blobs.glob("*") if self._blobs.is_dir() else ():
            name = place.name.removesuffix(_INCOMPLETE)
            # Others name what they are at <checksum>.<letters>.incomplete.
            if (
                len(name) in _CHECKSUM_LENGTHS
                and "." not in name
                and os.path.realpath(place) not in used
            ):
                self._remove(place, name)
        for empty in (self._blobs, self.path / SNAPSHOTS, self.path / "refs", self.path):
            if empty.is_dir() and not any(empty.iterdir()):
                empty.rmdir()

    def _used(self) -> set[str]:
        """Where links of snapshots lead; an OSError where a snapshot cannot be read."""
        found: set[str] = set()
        # realpath, and not resolve, which raises for links in a circle before Python 3.13.
        for folder, folders, names in os.walk(self.path / SNAPSHOTS, onerror=_raise_unless_gone):
            found.update(os.path.realpath(os.path.join(folder, each)) for each in folders + names)
        return found

    def _link(self, file: RemoteFile, place: Path) -> None:
        blob = self.blob(file)
        if _size(place) == file.size and (not blob.exists() or os.path.samefile(place, blob)):
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        new = place.with_name(f".{place.name}.{os.getpid()}.tmp")
        new.unlink(missing_ok=True)
        try:
            new.symlink_to(os.path.relpath(blob, place.parent))
        except OSError:  # a disk without links, as sticks have: the file itself moves
            new = blob
        new.replace(place)

    def _remove(self, place: Path, name: str) -> None:
        file_lock = hub_utils().WeakFileLock
        self._locks.mkdir(parents=True, exist_ok=True)
        try:
            with file_lock(self._locks / f"{name}.lock", timeout=_LOCK_SECONDS):
                place.unlink(missing_ok=True)
        except TimeoutError:
            return


def _raise_unless_gone(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error


def _size(place: Path) -> int | None:
    try:
        return place.stat().st_size
    except OSError:
        return None
