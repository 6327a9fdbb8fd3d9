"""The index of words: which messages are in it, and how they get in and out.

A message that grows is left out until it rests, so a reply is indexed once and not at every flush.
"""

import sqlite3

from app.storage import marks
from app.storage.connection import transaction
from app.storage.rows import segments_of
from app.storage.words import LAW, indexed

_SLICE = 100
_WAITING = (
    "SELECT seq, segments FROM messages INDEXED BY messages_waiting WHERE indexed = 0"
    " ORDER BY seq DESC LIMIT ?"
)
# A row beside all messages, for a merge that has too little to do.
_NOBODY = (-1, "nobody")


def searchable(segments: str) -> str:
    """A message's text as a search sees it, from its segments' JSON; errors are left out."""
    found = segments_of(segments, lambda _what: None)
    parts = [f"{s.name}\n{s.text}" if s.name else s.text for s in found if s.kind != "error"]
    return "\n".join(parts)


def take_out(connection: sqlite3.Connection, seq: int, segments: str) -> None:
    """Remove a message that is in the index."""
    _delete(connection, seq, indexed(searchable(segments)))
    connection.execute("UPDATE messages SET indexed = 0 WHERE seq = ?", (seq,))


def put_in_some(connection: sqlite3.Connection) -> bool:
    """Index the newest of the messages that wait; whether more may be waiting."""
    if connection.execute(_WAITING, (1,)).fetchone() is None:
        return False
    with transaction(connection):
        rows = connection.execute(_WAITING, (_SLICE,)).fetchall()
        for seq, segments in rows:
            _insert(connection, seq, indexed(searchable(segments)))
        connection.executemany(
            "UPDATE messages SET indexed = 1 WHERE seq = ?", [(seq,) for seq, _ in rows]
        )
    return len(rows) == _SLICE


def hold_to_law(connection: sqlite3.Connection) -> None:
    """Empty an index that was made by another law; its messages wait to be indexed again."""
    if marks.law(connection) == LAW:
        return
    with transaction(connection):
        connection.execute("INSERT INTO words(words) VALUES('delete-all')")
        connection.execute("UPDATE messages SET indexed = 0 WHERE indexed != 0")
        marks.keep_law(connection, LAW)


def forget_law(connection: sqlite3.Connection) -> None:
    """Have an index that was found damaged made anew."""
    with transaction(connection):
        marks.keep_law(connection, "")


def merge(connection: sqlite3.Connection) -> None:
    """Make one piece of the index, which drops the words that were taken out."""
    # A lone piece would be left as it is, with what it still holds of deleted words.
    with transaction(connection):
        _insert(connection, *_NOBODY)
    with transaction(connection):
        _delete(connection, *_NOBODY)
    with transaction(connection):
        connection.execute("INSERT INTO words(words) VALUES('optimize')")
        marks.done(connection, marks.MERGE_INDEX)


def _insert(connection: sqlite3.Connection, seq: int, text: str) -> None:
    connection.execute("INSERT INTO words(rowid, text) VALUES(?, ?)", (seq, text))


def _delete(connection: sqlite3.Connection, seq: int, text: str) -> None:
    connection.execute("INSERT INTO words(words, rowid, text) VALUES('delete', ?, ?)", (seq, text))
