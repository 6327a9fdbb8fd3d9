"""Connections to the file of chats, and the transactions of the one that writes."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_BUSY_MILLISECONDS = 1000


def writing(path: Path) -> sqlite3.Connection:
    """The connection that writes: opened by one thread, used by the writer's."""
    return _connected(path, "foreign_keys = ON", "secure_delete = ON", "synchronous = FULL")


def reading(path: Path) -> sqlite3.Connection:
    """A connection that cannot change anything."""
    return _connected(path, "query_only = ON", "cache_size = -16000")


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


def _connected(path: Path, *pragmas: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=_BUSY_MILLISECONDS / 1000, isolation_level=None, check_same_thread=False
    )
    # Text that damage made unreadable is shown with marks in it rather than not at all.
    connection.text_factory = _decoded
    try:
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")
