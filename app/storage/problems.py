"""What can go wrong with the file of chats, each as one sentence for a person."""

import sqlite3

_BUSY, _LOCKED, _READ_ONLY, _INPUT_OUTPUT, _CORRUPT = 5, 6, 8, 10, 11
_FULL, _CANNOT_OPEN, _PROTOCOL, _INTERRUPTED, _NO_DATABASE = 13, 14, 15, 9, 26
_CORRUPT_INDEX = 267
_TOO_BIG, _MISMATCH = 18, 20

_REASONS = {
    _BUSY: "it is locked by another program; close that program",
    _LOCKED: "it is locked by another program; close that program",
    _READ_ONLY: "it cannot be written; allow writing to the file and its folder",
    _INPUT_OUTPUT: "the disk reports an error; check the disk",
    _CORRUPT: "it is damaged; start Draftscope again to have it repaired",
    _FULL: "the disk is full; free some space",
    _CANNOT_OPEN: "it cannot be opened; check that its folder is there and can be written",
    _PROTOCOL: "its disk does not support locks; keep it on a disk of this computer",
    _NO_DATABASE: "it is damaged; start Draftscope again to have it repaired",
}

LOST = "One change could not be saved, and is gone when Draftscope is closed."


class StorageError(Exception):
    """Chats cannot be kept or read; `str()` is one sentence."""


class LockedError(StorageError):
    """Another process has the folder."""


def code_of(error: sqlite3.Error) -> int:
    """SQLite's primary code of an error; 0 where Python raised it by itself."""
    return extended_code_of(error) & 0xFF


def extended_code_of(error: sqlite3.Error) -> int:
    """SQLite's extended code of an error, 0 where there is none."""
    # Errors that Python raises by itself lack the attribute.
    code = vars(error).get("sqlite_errorcode", 0)
    return code if isinstance(code, int) else 0


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file's content is to blame."""
    return code_of(error) in (_CORRUPT, _NO_DATABASE)


def is_index_damage(error: sqlite3.Error) -> bool:
    """Whether only the search index is to blame, which can be made anew."""
    return extended_code_of(error) == _CORRUPT_INDEX


def is_interruption(error: sqlite3.Error) -> bool:
    """Whether the work was only broken off, to be taken up again."""
    return code_of(error) == _INTERRUPTED


def is_of_one_record(error: Exception) -> bool:
    """Whether a value that cannot be written is to blame, and neither the file nor the disk."""
    if isinstance(error, OSError | StorageError | MemoryError):
        return False
    if not isinstance(error, sqlite3.Error):
        return True
    values = sqlite3.InterfaceError | sqlite3.DataError | sqlite3.ProgrammingError
    return isinstance(error, values) and code_of(error) in (0, _TOO_BIG, _MISMATCH)


def reason(error: sqlite3.Error | OSError) -> str:
    """Why, as the part of a sentence about the file."""
    if isinstance(error, OSError):
        return (error.strerror or "the system refuses it").lower()
    return _REASONS.get(code_of(error), f"the database says “{error}”")


def unwritten(error: Exception, name: str) -> str:
    """The sentence while changes wait for the file."""
    if isinstance(error, StorageError):
        return str(error)
    if not isinstance(error, sqlite3.Error | OSError):
        return f"Saving chats met a fault, and is tried again: {error!r:.200}."
    return (
        f"Chats cannot be saved to {name}: {reason(error)}. "
        "Until then they are kept in memory only."
    )
