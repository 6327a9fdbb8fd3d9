"""What the fetcher tells, as frozen values; `job` is the number that the asker gave."""

from dataclasses import dataclass
from pathlib import Path

from app.fetching.found import FetchError


@dataclass(frozen=True, slots=True)
class FetchListed:
    """The model's files are known: `total_bytes` in all, `done_bytes` of them here already."""

    job: int
    commit: str
    num_files: int
    total_bytes: int
    done_bytes: int


@dataclass(frozen=True, slots=True)
class FetchProgress:
    """At most ten times a second. `seconds_left` is None until there is a speed to tell it from.

    It `verifies` while what was here already is compared with its checksums, before anything comes.
    """

    job: int
    file: str
    done_bytes: int
    total_bytes: int
    bytes_per_second: float
    seconds_left: float | None
    verifies: bool = False


@dataclass(frozen=True, slots=True)
class FetchRetrying:
    """Something failed for now, as `sentence` says; it goes on by itself in `seconds`."""

    job: int
    sentence: str
    seconds: float


@dataclass(frozen=True, slots=True)
class FetchChecking:
    """All bytes are here; `file` is compared with its checksum."""

    job: int
    file: str


@dataclass(frozen=True, slots=True)
class FetchDone:
    """Every listed file is complete and checked, in `folder`."""

    job: int
    folder: Path


@dataclass(frozen=True, slots=True)
class FetchStopped:
    """Paused or cancelled; what came so far stays, or is gone."""

    job: int
    is_cancelled: bool


@dataclass(frozen=True, slots=True)
class FetchFailed:
    """It does not go on by itself; what came so far stays."""

    job: int
    error: FetchError


FetchEvent = (
    FetchListed
    | FetchProgress
    | FetchRetrying
    | FetchChecking
    | FetchDone
    | FetchStopped
    | FetchFailed
)
