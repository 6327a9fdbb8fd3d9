"""The file that is written, for as long as it is at its place; then a new one there."""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from app.storage.problems import StorageError

# Other programs may move a file for a moment.
_PATIENCE_SECONDS = 2.0
_NO_FILE = (-1, -1)


class KeptFile:
    """Has the writing connection; `reopen` begins a new file, and connects to it."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path, reopen: Callable[[], sqlite3.Connection]
    ) -> None:
        self.connection, self.path = connection, path
        self._reopen = reopen
        self._identity = _identity(path)
        self._gone_since: float | None = None

    def hold(self, *, is_last_time: bool) -> bool:
        """Go on in a new file where this one is gone; whether that was so.

        `StorageError` where there is none yet: it may come back, or a new one cannot be made.
        """
        if _identity(self.path) == self._identity:
            self._gone_since = None
            return False
        now = time.monotonic()
        if self._gone_since is None:
            self._gone_since = now
        if not is_last_time and now < self._gone_since + _PATIENCE_SECONDS:
            raise StorageError(
                f"Chats cannot be saved: {self.path} was moved or deleted; put it back, or wait "
                "for a new file to be begun there."
            )
        # At its end a connection removes its log by name, which must not be the new file's.
        self.connection.close()
        self._identity = _NO_FILE
        self.connection = self._reopen()
        self._identity, self._gone_since = _identity(self.path), None
        return True

    def replaced(self) -> str:
        """What to say once a new file is written."""
        return (
            f"The file of chats was moved or deleted while Draftscope was running, so a new one "
            f"was begun ({self.path}): chats opened since the start are saved in it again, the "
            "others are lost unless you have the old file."
        )


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file this is, by whatever name; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
