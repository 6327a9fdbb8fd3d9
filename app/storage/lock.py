"""The lock that lets one process at a time keep chats in a folder."""

import errno
import fcntl
import os
from pathlib import Path

from app.storage.problems import LockedError, StorageError, reason

_NAME = "draftscope.lock"
_TAKEN = (errno.EWOULDBLOCK, errno.EACCES, errno.EAGAIN)


class FolderLock:
    """Held from when it is made to `release`, or the end of the process, however it ends."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _NAME
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except (FileExistsError, NotADirectoryError) as error:
            raise StorageError(_in_the_way(folder)) from error
        except OSError as error:
            raise StorageError(
                f"Chats are not kept: the folder {folder} cannot be written ({reason(error)}); "
                "allow writing to it, and start Draftscope again."
            ) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(self._file)
            kind = LockedError if error.errno in _TAKEN else StorageError
            raise kind(_refusal(folder, error)) from error

    @property
    def is_there(self) -> bool:
        """Whether it would stop another process: its file was not deleted."""
        try:
            return os.path.samestat(os.fstat(self._file), self._path.stat())
        except OSError:
            return False

    def release(self) -> None:
        """Let another process have the folder."""
        os.close(self._file)


def _in_the_way(folder: Path) -> str:
    for place in (folder, *folder.parents):
        if place.is_symlink() and not place.exists():
            return (
                f"Chats are not kept: {place} is a link to {place.readlink()}, which is not there; "
                "connect its disk or remove the link, and start Draftscope again."
            )
    return f"Chats are not kept: {folder} is a file where a folder is needed; move it away."


def _refusal(folder: Path, error: OSError) -> str:
    if error.errno in _TAKEN:
        return (
            "Chats are not kept in this window: Draftscope is already running with the same "
            f"folder ({folder}); use the other window, or close it and start again."
        )
    return (
        f"Chats are not kept: the disk of {folder} does not support locks ({reason(error)}); "
        "keep the folder on a disk of this computer."
    )
