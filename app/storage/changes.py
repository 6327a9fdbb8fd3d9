"""Writing a batch into the tables, inside the writer's transaction.

Rows are updated in place: replacing one would delete what belongs to it.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import suppress

from app.storage import index, marks
from app.storage.pending import Pending
from app.storage.records import ChatRecord, MessageRecord
from app.storage.rows import (
    CHAT_COLUMNS,
    DOWNLOAD_COLUMNS,
    MESSAGE_COLUMNS,
    MODEL_COLUMNS,
    MODEL_FOLDER_COLUMNS,
    RUN_COLUMNS,
    chat_row,
    download_row,
    json_of,
    message_row,
    run_row,
    segments_json,
    sound,
)

_BELOW = (
    "WITH RECURSIVE below(id) AS (SELECT ? UNION"
    " SELECT messages.id FROM messages JOIN below ON messages.parent = below.id) "
)


def write(connection: sqlite3.Connection, batch: Pending) -> None:
    """All of the batch; a row whose chat or message is gone is dropped."""
    _delete(connection, batch)
    folder = _upsert("folders", "id, name, position", "id")
    for record in batch.folders.values():
        _put(connection, folder, (record.id, sound(record.name), record.position))
    for chat in batch.chats.values():
        _write_chat(connection, chat)
    for message in batch.ordered_messages():
        _write_message(connection, message)
    run = _upsert("runs", RUN_COLUMNS, "message, number")
    for item in batch.runs.values():
        _put(connection, run, run_row(item))
    trace = _upsert("traces", "message, number, part, data", "message, number, part")
    for key, part in batch.parts.items():
        _put(connection, trace, (*key, part.data()))
    _write_models(connection, batch)


def _write_models(connection: sqlite3.Connection, batch: Pending) -> None:
    folder = _upsert("model_folders", MODEL_FOLDER_COLUMNS, "path")
    for place in batch.model_folders.values():
        _put(connection, folder, (sound(place.path), place.position))
    download = _upsert("downloads", DOWNLOAD_COLUMNS, "id")
    for item in batch.downloads.values():
        _put(connection, download, download_row(item))
    model = _upsert("models", MODEL_COLUMNS, "name")
    for each in batch.models.values():
        _put(connection, model, (sound(each.name), each.used, json_of(each.settings)))


def _delete(connection: sqlite3.Connection, batch: Pending) -> None:
    for chat in batch.deleted_chats:
        _take_out(connection, "chat = ?", chat)
        connection.execute("DELETE FROM chats WHERE id = ?", (chat,))
    for message in batch.deleted_messages:
        _take_out(connection, f"id IN ({_BELOW} SELECT id FROM below)", message)
        # One statement: a chain of cascades would be too long for a long chat.
        connection.execute(
            f"DELETE FROM messages WHERE id IN ({_BELOW} SELECT id FROM below)", (message,)
        )
    for folder in batch.deleted_folders:
        connection.execute("DELETE FROM folders WHERE id = ?", (folder,))
    for key in batch.forgotten:
        connection.execute("DELETE FROM traces WHERE message = ? AND number = ?", key)
    for path in batch.deleted_model_folders:
        connection.execute("DELETE FROM model_folders WHERE path = ?", (sound(path),))
    for download in batch.deleted_downloads:
        connection.execute("DELETE FROM downloads WHERE id = ?", (download,))
    if batch.deleted_chats or batch.deleted_messages or batch.deleted_folders or batch.forgotten:
        marks.note(connection, marks.VACUUM, marks.REWRITE_DRAFTS)


def _take_out(connection: sqlite3.Connection, condition: str, value: int) -> None:
    """Take messages that are about to be deleted out of the index."""
    query = f"SELECT seq, segments FROM messages WHERE indexed = 1 AND {condition}"
    for seq, segments in connection.execute(query, (value,)).fetchall():
        index.take_out(connection, seq, segments)
        marks.note(connection, marks.MERGE_INDEX)


def _write_chat(connection: sqlite3.Connection, record: ChatRecord) -> None:
    old = connection.execute("SELECT title FROM chats WHERE id = ?", (record.id,)).fetchone()
    if old is not None and not record.title.startswith(old[0]):
        marks.note(connection, marks.VACUUM)
    # A folder that is gone leaves its chat without one.
    values = ("?, " * 12)[:-2].split(", ")
    values[8] = "(SELECT id FROM folders WHERE id = ?)"
    _put(connection, _upsert("chats", CHAT_COLUMNS, "id", values), chat_row(record))
    draft = sound(record.draft), segments_json(record.draft_attachments)
    query = "SELECT text, attachments FROM drafts WHERE chat = ?"
    before = connection.execute(query, (record.id,)).fetchone() or ("", "[]")
    if draft == before:
        return
    if before != ("", "[]"):
        marks.note(connection, marks.REWRITE_DRAFTS)
    if draft == ("", "[]"):
        connection.execute("DELETE FROM drafts WHERE chat = ?", (record.id,))
    else:
        _put(connection, _upsert("drafts", "chat, text, attachments", "chat"), (record.id, *draft))


def _write_message(connection: sqlite3.Connection, record: MessageRecord) -> None:
    row = message_row(record)
    query = "SELECT seq, segments, indexed FROM messages WHERE id = ?"
    old = connection.execute(query, (record.id,)).fetchone()
    if old is not None and old[1] != row[-1]:
        seq, before, is_indexed = old
        if is_indexed:
            index.take_out(connection, seq, before)
        if not index.searchable(row[-1]).startswith(index.searchable(before)):
            marks.note(connection, marks.MERGE_INDEX, marks.VACUUM)
    if old is None:
        _put(connection, _INSERT_MESSAGE, row)
    else:
        _put(connection, _UPDATE_MESSAGE, (*row, record.id))


def _upsert(table: str, columns: str, key: str, values: Iterable[str] | None = None) -> str:
    names = [name.strip() for name in columns.split(",")]
    slots = ", ".join(values or "?" * len(names))
    updates = ", ".join(f"{name} = excluded.{name}" for name in names)
    return (
        f"INSERT INTO {table}({columns}) VALUES({slots}) ON CONFLICT({key}) DO UPDATE SET {updates}"
    )


_INSERT_MESSAGE = f"INSERT INTO messages(indexed, {MESSAGE_COLUMNS}) VALUES(0{', ?' * 8})"
_UPDATE_MESSAGE = f"UPDATE messages SET ({MESSAGE_COLUMNS}) = ({', '.join('?' * 8)}) WHERE id = ?"


def _put(connection: sqlite3.Connection, statement: str, values: tuple[object, ...]) -> None:
    # What it belongs to was deleted after it was handed over.
    with suppress(sqlite3.IntegrityError):
        connection.execute(statement, values)
