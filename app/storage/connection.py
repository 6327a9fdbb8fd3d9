"""Connections to the file of chats, and the transactions of the one that writes."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_BUSY_MILLISECONDS = 1000


def writing(path: Path) -> sqlite3.Connection:
    """The connection that writes: opened by one thread, used by the writer's."""
    make_private(path)
    pragmas = "foreign_keys = ON", "secure_delete = ON", "synchronous = FULL"
    return _connected(path, *(f"PRAGMA {pragma}" for pragma in pragmas))


def reading(path: Path, *preparations: str) -> sqlite3.Connection:
    """A connection that cannot change anything, once it is prepared."""
    return _connected(path, "PRAGMA cache_size = -16000", *preparations, "PRAGMA query_only = ON")


def make_private(path: Path) -> None:
    """Have the file there, for its owner alone: SQLite gives those beside it the same rights.

    One that is there is left alone: closing it would take SQLite's locks from it.
    """
    with suppress(OSError):  # SQLite says better why it cannot be
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def version_of(connection: sqlite3.Connection) -> int:
    """The version of the tables, 0 for a new file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _connected(path: Path, *statements: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=_BUSY_MILLISECONDS / 1000, isolation_level=None, check_same_thread=False
    )
    # Text that damage made unreadable is shown with marks in it rather than not at all.
    connection.text_factory = _decoded
    try:
        for statement in statements:
            connection.execute(statement)
    except (sqlite3.Error, UnicodeDecodeError):
        connection.close()
        raise
    return connection


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")
