"""The models being fetched, in the order of the queue."""

from dataclasses import dataclass, replace
from typing import Literal

from PySide6.QtCore import QObject, Signal

Stage = Literal[
    "waiting",
    "listing",
    "verifying",
    "fetching",
    "retrying",
    "checking",
    "paused",
    "failed",
    "done",
]
RUNNING: frozenset[Stage] = frozenset(("listing", "verifying", "fetching", "retrying", "checking"))


@dataclass(frozen=True, slots=True)
class Download:
    """One model, as far as it has come.

    `sentence` says why it failed or waits to try again; `fault` names the failure (one
    of `app.fetching.found.FetchFault`), `details` is for a report. `retry_at` is when it tries
    again, in seconds of `time.time()`. `loads` is whether it is to be loaded when it is here;
    `folder` is where it lies then. It `verifies` until what was here before is compared with its
    checksums; `done_bytes` is what was compared, then.
    """

    id: int
    repo: str
    stage: Stage = "waiting"
    commit: str = ""
    position: float = 0.0
    file: str = ""
    done_bytes: int = 0
    total_bytes: int = 0
    bytes_per_second: float = 0.0
    seconds_left: float | None = None
    retry_at: float | None = None
    sentence: str = ""
    fault: str = ""
    details: str = ""
    loads: bool = False
    folder: str = ""
    verifies: bool = False

    @property
    def is_running(self) -> bool:
        """Whether it is being fetched now, or looked after so that it can be."""
        return self.stage in RUNNING

    @property
    def is_under_way(self) -> bool:
        """Whether it runs or waits to."""
        return self.stage == "waiting" or self.is_running

    @property
    def is_gone(self) -> bool:
        """Whether it was here, and was removed by somebody else."""
        return self.stage == "failed" and self.fault == "gone"

    @property
    def has_ended(self) -> bool:
        """Whether nothing more comes of it by itself, or is kept for it."""
        return self.stage == "done" or self.is_gone

    @property
    def fraction(self) -> float:
        """The share that is here, 0 to 1."""
        return min(self.done_bytes / self.total_bytes, 1.0) if self.total_bytes else 0.0


class Downloads(QObject):
    """The queue as it is shown; written by its controller only."""

    added = Signal(object)  # a Download
    changed = Signal(object)  # the Download as it is now
    removed = Signal(int)  # its id
    finished = Signal(object)  # a Download that is done

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._items: dict[int, Download] = {}

    @property
    def items(self) -> list[Download]:
        """All of them, in the order of the queue."""
        return sorted(self._items.values(), key=lambda each: (each.position, each.id))

    @property
    def running(self) -> Download | None:
        """The one that is being fetched now."""
        return next((each for each in self.items if each.is_running), None)

    def find(self, repo: str) -> Download | None:
        """The download of a repository."""
        return next((each for each in self._items.values() if each.repo == repo), None)

    def get(self, id: int) -> Download | None:
        """The download of that number."""
        return self._items.get(id)

    def add(self, download: Download) -> None:
        """One more, at its position."""
        self._items[download.id] = download
        self.added.emit(download)

    def change(self, id: int, **changes: object) -> Download | None:
        """Other facts of one of them; None where it is gone."""
        before = self._items.get(id)
        if before is None:
            return None
        now = replace(before, **changes)  # type: ignore[arg-type]
        if now != before:
            self._items[id] = now
            self.changed.emit(now)
            if now.stage == "done" and before.stage != "done":
                self.finished.emit(now)
        return now

    def remove(self, id: int) -> None:
        """Forget one."""
        if self._items.pop(id, None) is not None:
            self.removed.emit(id)
