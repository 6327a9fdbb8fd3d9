"""What is asked of the fetcher, and what its events change about a download."""

import time
from typing import Protocol

from app.fetching.events import (
    FetchChecking,
    FetchDone,
    FetchEvent,
    FetchFailed,
    FetchListed,
    FetchProgress,
    FetchRetrying,
)

# A download that does not move has neither.
STILL: dict[str, object] = {"bytes_per_second": 0.0, "seconds_left": None, "retry_at": None}
# One whose folder was removed by somebody else.
GONE: dict[str, object] = {
    "stage": "failed",
    "fault": "gone",
    "sentence": "Its files are gone from this machine; get it again.",
    "details": "",
    "done_bytes": 0,
    "loads": False,
}
BACK: dict[str, object] = {"stage": "done", "fault": "", "sentence": ""}


class AskedFetcher(Protocol):
    """What is asked of the fetcher; every call returns at once."""

    def start(
        self,
        job: int,
        repo: str,
        commit: str = "",
        *,
        waits_for_network: bool = False,
        verifies: bool = False,
    ) -> None:
        """Fetch a model, or go on with it; without a connection fail at once, or wait for one.

        What is here of it already is believed by its size, or verified first.
        """

    def pause(self, job: int) -> None:
        """Stop; what came stays."""

    def cancel(self, job: int, repo: str = "") -> None:
        """Stop, and remove what came."""

    def close(self, timeout: float = 1.0) -> bool:
        """End the thread, without another event."""


def changes_of(event: FetchEvent) -> dict[str, object]:
    """The fields of `Download` that are other now; none where it only stopped, as it was asked."""
    match event:
        case FetchListed(_, commit, _, total, done):
            return {
                "stage": "fetching",
                "commit": commit,
                "total_bytes": total,
                "done_bytes": done,
                "sentence": "",
                "verifies": False,
            }
        case FetchProgress(_, file, done, total, speed, left, verifies):
            return {
                "stage": "verifying" if verifies else "fetching",
                "file": file,
                "done_bytes": done,
                "total_bytes": total,
                "bytes_per_second": speed,
                "seconds_left": left,
                "sentence": "",
                "retry_at": None,
            }
        case FetchRetrying(_, sentence, seconds):
            again = time.time() + seconds
            return STILL | {"stage": "retrying", "sentence": sentence, "retry_at": again}
        case FetchChecking(_, file):
            return STILL | {"stage": "checking", "file": file, "sentence": ""}
        case FetchDone(_, folder):
            where = {"folder": str(folder), "commit": folder.name, "file": ""}
            return STILL | where | {"stage": "done", "sentence": ""}
        case FetchFailed(_, error):
            return STILL | {
                "stage": "failed",
                "sentence": error.sentence,
                "fault": error.fault,
                "details": error.details,
            }
        case _:
            return {}
