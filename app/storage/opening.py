"""Opening the file of chats: checked, repaired if it is damaged, and led to this version."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from app.storage.connection import version_of, writing
from app.storage.migrations import migrate
from app.storage.problems import StorageError, extended_code_of, is_damage, reason
from app.storage.recovery import finished_sentence, rebuilt_name, recover, set_foreign_aside
from app.storage.schema import APPLICATION_ID, Migration

NAME = "chats.db"
_LOOK = "SELECT count(*) FROM sqlite_master"
_NAMES = "SELECT type, name FROM sqlite_master"
_LAST_KEYS = (
    "SELECT (SELECT max(id) FROM folders), (SELECT max(id) FROM chats),"
    " (SELECT max(id) FROM messages)"
)
# Of the index of words only SQLite knows the columns.
_COLUMNS = (
    "SELECT tables.name, columns.name FROM sqlite_master AS tables"
    " JOIN pragma_table_info(tables.name) AS columns"
    " WHERE tables.type = 'table' AND tables.name NOT GLOB 'words*'"
)
# Cannot open, protocol, and the four errors of memory that is shared: as on a disk of a network.
_NOT_SHARED = (14, 15, 4618, 4874, 5130, 5386)


class _DamagedError(Exception):
    """The file is not whole."""


class _ForeignError(Exception):
    """The file is a database of something else."""


def opened(
    folder: Path, migrations: Sequence[Migration]
) -> tuple[sqlite3.Connection, tuple[str, ...]]:
    """The writing connection of the folder's file, and what had to be done; or `StorageError`."""
    path = folder / NAME
    notices: list[str] = []
    try:
        notices += _clear(path)
        notices += _mended(path, migrations)
        connection = writing(path)
        try:
            num_steps, journal = _prepare(connection, path, migrations)
        except (sqlite3.Error, StorageError):
            connection.close()
            raise
    except (sqlite3.Error, OSError) as error:
        raise StorageError(
            f"Chats are not kept: {path} cannot be used because {_because(error)}, "
            "and start Draftscope again."
        ) from error
    if journal != "wal":
        notices.append(
            f"The disk of {path.parent} does not support the quicker way of keeping chats; they "
            "are kept there in a slower one, and safest on a disk of this computer."
        )
    if num_steps:
        notices.append("Your chats were taken over from an earlier version of Draftscope.")
    return connection, tuple(notices)


def _because(error: sqlite3.Error | OSError) -> str:
    if isinstance(error, OSError):
        return f"the system says “{reason(error)}”; change that"
    return reason(error)


def _clear(path: Path) -> list[str]:
    """Finish or forget what an earlier start left half done; what is to be said of it."""
    rebuilt, notices = rebuilt_name(path), list[str]()
    if rebuilt.exists():
        if path.exists():
            rebuilt.unlink()
        else:
            rebuilt.replace(path)
            notices.append(finished_sentence(path))
    for partial in path.parent.glob(f"{path.stem}.*.partial*"):
        partial.unlink(missing_ok=True)
    return notices


def _mended(path: Path, migrations: Sequence[Migration]) -> list[str]:
    """Put a file that can be used in the place of one that cannot; what was done."""
    if not path.exists():
        return []
    if path.is_dir():
        raise StorageError(
            f"Chats are not kept: {path} is a folder where a file is needed; move it away, and "
            "start Draftscope again."
        )
    try:
        _reach(path)
        with closing(writing(path)) as connection:
            _check(connection, migrations)
    except _ForeignError:
        return [set_foreign_aside(path)]
    except (_DamagedError, UnicodeDecodeError):
        # What SQLite says of damaged names can be no text.
        return [recover(path, migrations)]
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        return [recover(path, migrations)]
    return []


def _check(connection: sqlite3.Connection, migrations: Sequence[Migration]) -> None:
    """Raise where the file is newer, foreign or damaged."""
    version = version_of(connection)
    is_ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    if is_ours and version > len(migrations):
        raise StorageError(
            "Chats are not kept: the file of chats was written by a newer version of Draftscope; "
            "it is left as it is, and can be used with that version."
        )
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if not version and not is_ours and not tables:
        return
    if not is_ours and tables and not tables >= {"chats", "messages", "marks", "words"}:
        raise _ForeignError
    if not is_ours or version < 1 or not _is_of(connection, migrations, version):
        raise _DamagedError
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise _DamagedError
    # Texts and bytes come after all numbers.
    if any(isinstance(last, str | bytes) for last in connection.execute(_LAST_KEYS).fetchone()):
        raise _DamagedError


def _is_of(connection: sqlite3.Connection, migrations: Sequence[Migration], version: int) -> bool:
    """Whether there is all that the steps to this version make, and nothing that later ones do.

    What somebody added does no harm.
    """
    due: list[set[tuple[str, str]]] = []
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as model:
        for number, step in enumerate(migrations, 1):
            step(model)
            model.execute(f"PRAGMA user_version = {number}")
            due.append(_parts(model))
    here = _parts(connection)
    return due[version - 1] <= here and not (due[-1] - due[version - 1]) & here


def _parts(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """All tables, indices and columns."""
    return {*connection.execute(_NAMES), *connection.execute(_COLUMNS)}


def _prepare(
    connection: sqlite3.Connection, path: Path, migrations: Sequence[Migration]
) -> tuple[int, str]:
    """Lead it to this version; how many steps that took, and which journal the disk supports."""
    journal = _journal(connection)
    return migrate(connection, path, migrations), journal


def _journal(connection: sqlite3.Connection) -> str:
    """Keep a log where the disk can share memory and locks, else a journal that needs neither."""
    try:
        mode = str(connection.execute("PRAGMA journal_mode = WAL").fetchone()[0])
        connection.execute(_LOOK).fetchone()
    except sqlite3.OperationalError as error:
        if extended_code_of(error) not in _NOT_SHARED:
            raise
        mode = ""
    return mode if mode == "wal" else _without_log(connection)


def _reach(path: Path) -> None:
    """Take a file that has a log to a journal, where this disk does not support the log."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        try:
            connection.execute(_LOOK).fetchone()
        except sqlite3.OperationalError as error:
            if extended_code_of(error) not in _NOT_SHARED:
                raise
            _without_log(connection)


def _without_log(connection: sqlite3.Connection) -> str:
    # Alone with the file, SQLite reads a log without memory that is shared.
    connection.execute("PRAGMA locking_mode = EXCLUSIVE")
    connection.execute(_LOOK).fetchone()
    mode = str(connection.execute("PRAGMA journal_mode = TRUNCATE").fetchone()[0])
    connection.execute("PRAGMA locking_mode = NORMAL")
    connection.execute(_LOOK).fetchone()
    return mode
