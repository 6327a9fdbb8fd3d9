"""Making a sound file of chats out of a damaged one, which is set aside as it is."""

import os
import shutil
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from app.storage import marks
from app.storage.connection import make_private, reading, transaction, writing
from app.storage.migrations import migrate
from app.storage.rows import (
    CHAT_COLUMNS,
    DOWNLOAD_COLUMNS,
    MESSAGE_COLUMNS,
    MODEL_COLUMNS,
    MODEL_FOLDER_COLUMNS,
    RUN_COLUMNS,
)
from app.storage.salvage import askable, salvaged
from app.storage.schema import Migration

_PAGE = 4096
_MOST_GROWTH = 1000
# All tables begin in this many first pages.
_FIRST_PAGES = 64
_SIDES = ("", "-wal", "-shm")
_TABLES = (
    ("folders", "id, name, position"),
    ("chats", CHAT_COLUMNS),
    ("drafts", "chat, text, attachments"),
    ("messages", MESSAGE_COLUMNS),
    ("runs", RUN_COLUMNS),
    ("traces", "message, number, part, data"),
    ("model_folders", MODEL_FOLDER_COLUMNS),
    ("downloads", DOWNLOAD_COLUMNS),
    ("models", MODEL_COLUMNS),
)
# What stands at which place of a row, where that is not a number that names it.
_TEXTS = {
    "folders": (1,), "chats": (1, 9, 10), "drafts": (1, 2), "messages": (3, 5, 7),
    "model_folders": (0,), "downloads": (1, 2, 3, 7, 9, 10), "models": (0, 2),
}  # fmt: skip
_NUMBERS = {
    "folders": (0, 2), "chats": (0, 3, 4), "drafts": (0,), "messages": (0, 1, 4),
    "runs": (0, 1, 2), "traces": (0,), "model_folders": (1,), "downloads": (0, 4, 5, 6, 8),
}  # fmt: skip
_LOST_CHAT = (
    "INSERT OR IGNORE INTO chats(id, title, is_named, created, changed, is_pinned, is_archived,"
    " model, settings) SELECT chat, 'Recovered chat', 1, min(created), max(created), 0, 0, '', '{}'"
    " FROM messages WHERE chat NOT IN (SELECT id FROM chats) GROUP BY chat"
)
# A message whose parent is lost goes on from the message before it.
_LOST_PARENT = (
    "UPDATE messages SET parent = (SELECT id FROM messages AS earlier WHERE"
    " earlier.chat = messages.chat AND earlier.seq < messages.seq"
    " ORDER BY earlier.seq DESC LIMIT 1)"
    " WHERE parent IS NOT NULL AND parent NOT IN (SELECT id FROM messages)"
)


class _TriedError(Exception):
    """It was only to be seen how much is found."""


def rebuilt_name(path: Path) -> Path:
    """What a finished new file is called until it takes the damaged one's place."""
    return path.with_name(f"{path.stem}.rebuilt.db")


def recover(path: Path, migrations: Sequence[Migration]) -> str:
    """Put a new file in the damaged one's place, with all that could be read; what was done."""
    partial, copy = (
        path.with_name(f"{path.stem}.new.partial"),
        path.with_name(f"{path.stem}.old.partial"),
    )
    new = rebuilt_name(path)
    for leftover in (partial, copy):
        _remove(leftover)
    num_chats, num_messages = _fill(partial, path, copy, migrations)
    _remove(copy)
    with partial.open("rb") as file:
        os.fsync(file.fileno())
    partial.replace(new)
    aside = _set_aside(path, "damaged")
    new.replace(path)
    chats = f"{num_chats} chat{'' if num_chats == 1 else 's'}"
    messages = f"{num_messages} message{'' if num_messages == 1 else 's'}"
    return (
        f"The file of chats was damaged: {chats} and {messages} were recovered; the damaged "
        f"file is now {aside}, and may hold deleted text, so delete it when you are done with it."
    )


def finished_sentence(path: Path) -> str:
    """What is said where the start that recovered the file was ended before it could say so."""
    return (
        "The file of chats was damaged, and what could be read of it was recovered; the damaged "
        f"file is beside {path} with “damaged” in its name, and may hold deleted text, so delete "
        "it when you are done with it."
    )


def set_foreign_aside(path: Path) -> str:
    """Make room where a database of something else is; what was done."""
    aside = _set_aside(path, "other")
    return (
        f"{path} is not a file of chats but a database of another program: it is now {aside}, and "
        "a new file of chats was begun."
    )


def _fill(
    partial: Path, path: Path, copy: Path, migrations: Sequence[Migration]
) -> tuple[int, int]:
    with closing(writing(partial)) as target:
        migrate(target, partial, migrations)
        target.execute("PRAGMA foreign_keys = OFF")
        if not _take_over(target, path, copy):
            # The first page, which says where the tables are, is the same in every file.
            # Where tables begin is not: the head under which most is found is the right one.
            heads = _heads(partial)
            found = [_take_over(target, path, copy, head, keeps=False) for head in heads]
            _take_over(target, path, copy, heads[found.index(max(found))])
        with transaction(target):
            _mend(target)
        target.execute("PRAGMA journal_mode = DELETE")
        return (
            target.execute("SELECT count(*) FROM chats").fetchone()[0],
            target.execute("SELECT count(*) FROM messages").fetchone()[0],
        )


def _take_over(
    target: sqlite3.Connection, path: Path, copy: Path, head: bytes = b"", *, keeps: bool = True
) -> int:
    """Read a copy of the damaged file, under another head if given; how many rows were found."""
    _remove(copy)
    for side in ("", "-wal"):
        if Path(f"{path}{side}").exists():
            make_private(Path(f"{copy}{side}"))
            shutil.copyfile(f"{path}{side}", f"{copy}{side}")
    _pad(copy)
    if head:
        _graft(copy, head)
    num_pages = copy.stat().st_size // _PAGE + 1
    before = target.total_changes
    try:
        source = reading(copy)
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return 0
    with closing(source), suppress(_TriedError), transaction(target):
        for table, columns in _TABLES:
            _insert_all(target, source, table, columns, num_pages)
        if not keeps:
            raise _TriedError
    return target.total_changes - before


def _insert_all(
    target: sqlite3.Connection, source: sqlite3.Connection, table: str, columns: str, pages: int
) -> None:
    is_message = table == "messages"
    names = f"seq, {'indexed, ' if is_message else ''}{columns}"
    slots = ", ".join("?" * len(names.split(",")))
    statement = f"INSERT OR IGNORE INTO {table}({names}) VALUES({slots})"
    asked = askable(target, source, table, columns)
    for seq, *values in salvaged(source, table, asked, pages):
        row: list[Any] = [seq, 0, *values] if is_message else [seq, *values]
        if _is_plausible(table, values):
            target.execute(statement, row)


def _is_plausible(table: str, values: Sequence[Any]) -> bool:
    """Whether a row's numbers and texts are where they belong; damage may mix them up."""
    if table == "models" and not isinstance(values[1], float | None):
        return False
    if 0 in _NUMBERS.get(table, ()) and not isinstance(values[0], int):
        return False
    return all(isinstance(values[at], str) for at in _TEXTS.get(table, ())) and all(
        isinstance(values[at], int | float) for at in _NUMBERS.get(table, ())
    )


def _mend(target: sqlite3.Connection) -> None:
    """Make what is left belong to something, and drop what cannot."""
    target.execute(_LOST_CHAT)
    target.execute(_LOST_PARENT)
    target.execute("UPDATE chats SET folder = NULL WHERE folder NOT IN (SELECT id FROM folders)")
    target.execute("DELETE FROM drafts WHERE chat NOT IN (SELECT id FROM chats)")
    for table in ("runs", "traces"):
        target.execute(f"DELETE FROM {table} WHERE message NOT IN (SELECT id FROM messages)")
    marks.note(target, marks.REWRITE_DRAFTS)


def _heads(partial: Path) -> list[bytes]:
    """The first page as a new file has it, and as one that was compacted has it."""
    found = []
    for side, statement in enumerate(("VACUUM INTO ?", "")):
        other = partial.with_suffix(f".head{side}.partial")
        _remove(other)
        with closing(sqlite3.connect(partial, isolation_level=None)) as connection:
            if statement:
                connection.execute(statement, (str(other),))
            else:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        source = other if statement else partial
        with source.open("rb") as file:
            found.append(file.read(_PAGE))
        _remove(other)
    return found


def _pad(copy: Path) -> None:
    """Give a file that was cut off the pages it should have, with nothing in them.

    SQLite reads no table of a file that is shorter than it says, or than where a table begins.
    """
    with copy.open("r+b") as file:
        said = int.from_bytes(file.read(32)[28:], "big")
        size = max(copy.stat().st_size, _FIRST_PAGES * _PAGE)
        # What a damaged header says may be anything.
        if size < said * _PAGE <= _MOST_GROWTH * size:
            size = said * _PAGE
        file.truncate(size)


def _graft(copy: Path, head: bytes) -> None:
    """Give a file another first page, and the number of pages it has."""
    num_pages = copy.stat().st_size // _PAGE
    counted = bytearray(head)
    counted[28:32] = num_pages.to_bytes(4, "big")
    counted[92:96] = counted[24:28]
    # No free pages: the list of them is lost with the page.
    counted[32:40] = bytes(8)
    with copy.open("r+b") as file:
        file.write(counted)


def _set_aside(path: Path, kind: str) -> Path:
    """Rename the file and its log, over no earlier one."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    aside, number = path.with_name(f"{path.stem}.{kind}-{stamp}.db"), 1
    while os.path.lexists(aside):
        number += 1
        aside = path.with_name(f"{path.stem}.{kind}-{stamp}-{number}.db")
    for side in ("-shm", "-wal", ""):
        with suppress(FileNotFoundError):
            os.replace(f"{path}{side}", f"{aside}{side}")
    return aside


def _remove(path: Path) -> None:
    for side in (*_SIDES, "-journal"):
        Path(f"{path}{side}").unlink(missing_ok=True)
