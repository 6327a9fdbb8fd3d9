"""What the hub says of models, as plain values."""

from dataclasses import dataclass
from typing import Literal

FetchFault = Literal[
    "offline",  # no way to the hub
    "gated",  # its terms must be accepted first, or a key is missing
    "unauthorized",  # the key is not taken
    "not_found",
    "server",  # the hub fails, again and again
    "stalled",  # nothing came for a long time, again and again
    "checksum",  # what came is not what was listed, twice
    "disk_full",
    "disk",  # the folder cannot be written
    "gone",  # it was here, and was removed since
    "unusable",  # not a model that can be run here: no safetensors, for example
]


class FetchError(Exception):
    """Why something cannot be fetched: `fault`, one sentence for a person, details for a report."""

    def __init__(self, fault: FetchFault, sentence: str, details: str = "") -> None:
        super().__init__(sentence)
        self.fault: FetchFault = fault
        self.sentence = sentence
        self.details = details


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file of a model: `size` in bytes; `sha256` for large ones, `git_sha1` for all others."""

    name: str
    size: int
    sha256: str | None
    git_sha1: str | None

    @property
    def checksum(self) -> str:
        """The one that it is known by."""
        return str(self.sha256 or self.git_sha1)


@dataclass(frozen=True, slots=True)
class RemoteModel:
    """A model at one commit, and the files of it that are needed to run it."""

    repo: str
    commit: str
    files: tuple[RemoteFile, ...]
    license: str
    is_gated: bool

    @property
    def total_bytes(self) -> int:
        """What there is to fetch, all in all."""
        return sum(file.size for file in self.files)


@dataclass(frozen=True, slots=True)
class FoundModel:
    """One row of a search; None where the hub does not say."""

    repo: str
    num_downloads: int | None
    num_likes: int | None
    changed: float | None
    num_parameters: int | None
    total_bytes: int | None
    license: str
    is_gated: bool
    tags: tuple[str, ...]
