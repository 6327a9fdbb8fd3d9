"""Getting rid of what was deleted or overwritten: in index, tables, log and backups.

SQLite zeroes what it frees (secure_delete), but a page that was split may keep a copy of a row
that moved, and the log keeps old pages. So drafts, which change at every key, are rewritten whole
(they are few), a deletion has the file compacted, and the log is emptied when the writer rests.
"""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from app.storage import index, marks
from app.storage.connection import transaction

_STEPS = 2000


def clean_lightly(connection: sqlite3.Connection) -> bool:
    """What is cheap at any size: drafts and the log; whether it is done."""
    if marks.REWRITE_DRAFTS in marks.noted(connection):
        with transaction(connection):
            rows = connection.execute("SELECT chat, text, attachments FROM drafts").fetchall()
            connection.execute("DELETE FROM drafts")
            connection.executemany(
                "INSERT INTO drafts(chat, text, attachments) VALUES(?, ?, ?)", rows
            )
            marks.done(connection, marks.REWRITE_DRAFTS)
    return empty_log(connection)


def clean_deeply(
    connection: sqlite3.Connection, path: Path, is_unwanted: Callable[[], bool]
) -> bool:
    """What takes time by the size of the file; broken off, with an error, when no longer wanted."""
    chores = marks.noted(connection)
    if marks.MERGE_INDEX in chores:
        index.merge(connection)
    if marks.VACUUM in chores:
        remove_backups(path)
        connection.set_progress_handler(lambda: int(is_unwanted()), _STEPS)
        try:
            connection.execute("VACUUM")
        finally:
            connection.set_progress_handler(None, _STEPS)
        marks.done(connection, marks.VACUUM)
    return empty_log(connection)


def needs_deep_cleaning(connection: sqlite3.Connection) -> bool:
    """Whether something was deleted, or overwritten by something else."""
    return bool(marks.noted(connection) & {marks.MERGE_INDEX, marks.VACUUM})


def empty_log(connection: sqlite3.Connection) -> bool:
    """Move the log into the file and empty it; whether no reader was in the way."""
    return bool(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)


def backups(path: Path) -> list[Path]:
    """The copies made before migrations."""
    return sorted(path.parent.glob(f"{path.stem}.before-*.db"))


def remove_backups(path: Path) -> None:
    """Delete these copies: they hold what was deleted since."""
    for backup in backups(path):
        backup.unlink(missing_ok=True)
