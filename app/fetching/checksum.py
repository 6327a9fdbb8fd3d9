"""The checksum of a file on the disk, read piece by piece."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.fetching.found import RemoteFile
from app.fetching.halt import Halt

_CHUNK_BYTES = 1 << 20


def checksum(
    place: Path, file: RemoteFile, halt: Halt, note: Callable[[int], object] = lambda _: None
) -> str:
    """Of what lies there, as the hub tells it of `file`; `note` hears of each piece's bytes."""
    digest = _new_digest(file)
    with place.open("rb", buffering=0) as source:
        while chunk := source.read(_CHUNK_BYTES):
            halt.check()
            digest.update(chunk)
            note(len(chunk))
    return str(digest.hexdigest())


def _new_digest(file: RemoteFile) -> Any:
    if file.sha256:
        return hashlib.sha256()
    digest = hashlib.sha1(usedforsecurity=False)
    digest.update(b"blob %d\0" % file.size)  # as git names a file
    return digest
