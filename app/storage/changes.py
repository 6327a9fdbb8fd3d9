"""Writes a batch into the tables.

Rows are updated in place: replacing one would delete what belongs to it.
"""

import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial

from app.storage import index, marks
from app.storage.connection import transaction
from app.storage.pending import Part, Pending
from app.storage.problems import is_of_one_record
from app.storage.records import (
    ChatRecord,
    FolderRecord,
    MessageRecord,
    ModelFolderRecord,
    ModelRecord,
)
from app.storage.rows import (
    CHAT_COLUMNS,
    DOWNLOAD_COLUMNS,
    MESSAGE_COLUMNS,
    MODEL_COLUMNS,
    MODEL_FOLDER_COLUMNS,
    RUN_COLUMNS,
    Row,
    chat_row,
    download_row,
    json_of,
    message_row,
    run_row,
    segments_json,
    sound,
    text_of,
)

log = logging.getLogger("draftscope")
_BELOW = (
    "WITH RECURSIVE below(id) AS (SELECT ? UNION"
    " SELECT messages.id FROM messages JOIN below ON messages.parent = below.id) "
)


# Writes one record, or does the deletes.
Change = Callable[[sqlite3.Connection], None]


def write(connection: sqlite3.Connection, batch: Pending) -> bool:
    """All of the batch; a row whose chat or message is gone is dropped.

    False where something had a value that cannot be written: that is dropped, the rest is written.
    """
    try:
        with transaction(connection):
            for change in _changes(batch):
                change(connection)
    except Exception as error:
        if not is_of_one_record(error):
            raise
    else:
        return True
    # It must not keep all others from the disk, now and at every later beat.
    with transaction(connection):
        return _write_singly(connection, batch)


def _write_singly(connection: sqlite3.Connection, batch: Pending) -> bool:
    is_whole = True
    for change in _changes(batch):
        connection.execute("SAVEPOINT single")
        try:
            change(connection)
        except Exception as error:
            if not is_of_one_record(error):
                raise
            log.exception("A change cannot be saved")
            connection.execute("ROLLBACK TO single")
            is_whole = False
        connection.execute("RELEASE single")
    return is_whole


def _changes(batch: Pending) -> Iterator[Change]:
    """What others depend on first."""
    yield partial(_delete, batch=batch)
    folder = _upsert("folders", "id, name, position", "id")
    for record in batch.folders.values():
        yield _row(folder, partial(_folder_row, record))
    for chat in batch.chats.values():
        yield partial(_write_chat, record=chat)
    for message in batch.ordered_messages():
        yield partial(_write_message, record=message)
    run = _upsert("runs", RUN_COLUMNS, "message, number")
    for item in batch.runs.values():
        yield _row(run, partial(run_row, item))
    trace = _upsert("traces", "message, number, part, data", "message, number, part")
    for key, part in batch.parts.items():
        yield _row(trace, partial(_part_row, key, part))
    yield from _changes_of_models(batch)


def _changes_of_models(batch: Pending) -> Iterator[Change]:
    folder = _upsert("model_folders", MODEL_FOLDER_COLUMNS, "path")
    for place in batch.model_folders.values():
        yield _row(folder, partial(_model_folder_row, place))
    download = _upsert("downloads", DOWNLOAD_COLUMNS, "id")
    for item in batch.downloads.values():
        yield _row(download, partial(download_row, item))
    model = _upsert("models", MODEL_COLUMNS, "name")
    for each in batch.models.values():
        yield _row(model, partial(_model_row, each))


def _folder_row(record: FolderRecord) -> Row:
    return record.id, sound(record.name), record.position


def _part_row(key: tuple[int, int, int], part: Part) -> Row:
    return (*key, part.data())


def _model_folder_row(record: ModelFolderRecord) -> Row:
    return sound(record.path), record.position


def _model_row(record: ModelRecord) -> Row:
    return sound(record.name), record.used, json_of(record.settings)


def _row(statement: str, values: Callable[[], Row]) -> Change:
    """Its values are made when it is written: a trace is large, and what fails is one record."""
    return lambda connection: _put(connection, statement, values())


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
    if old is not None and not record.title.startswith(text_of(old[0])):
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
