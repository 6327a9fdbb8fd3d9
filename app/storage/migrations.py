"""Leading a file of chats to this version's tables, a copy of it made before."""

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from app.storage.cleaning import backups
from app.storage.connection import make_private, transaction, version_of
from app.storage.schema import Migration


def migrate(connection: sqlite3.Connection, path: Path, migrations: Sequence[Migration]) -> int:
    """Take every step that is missing, each in a transaction; how many changed older tables."""
    start = version_of(connection)
    for version in range(start + 1, len(migrations) + 1):
        if start and version > 1:
            _copy(connection, path, version)
        with transaction(connection):
            migrations[version - 1](connection)
            connection.execute(f"PRAGMA user_version = {version}")
    return len(migrations) - start if start else 0


def _copy(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """A whole copy under its name, or none; earlier ones are not needed beside it."""
    copy = path.with_name(f"{path.stem}.before-{version}.db")
    partial = copy.with_suffix(".partial")
    partial.unlink(missing_ok=True)
    make_private(partial)
    connection.execute("VACUUM INTO ?", (str(partial),))
    file = os.open(partial, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
    older = [backup for backup in backups(path) if backup != copy]
    partial.replace(copy)
    for backup in older:
        backup.unlink(missing_ok=True)
