"""The tables, and the steps that lead from one version of them to the next.

Every table has a small, dense key of its own (`seq`): new rows go to the end, and a damaged file
can be read by counting. All of them together must fit into the first page, which recovery can make
anew. `words` holds the index and no text; `indexed` says
which messages are in it.
"""

import sqlite3
from collections.abc import Callable

APPLICATION_ID = 0x44726166

Migration = Callable[[sqlite3.Connection], None]

_TABLES = (
    "CREATE TABLE marks(seq INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value TEXT NOT NULL)",
    "CREATE TABLE folders(seq INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE,"
    " name TEXT NOT NULL, position REAL NOT NULL)",
    "CREATE TABLE chats(seq INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE,"
    " title TEXT NOT NULL, is_named INTEGER NOT NULL, created REAL NOT NULL,"
    " changed REAL NOT NULL, is_pinned INTEGER NOT NULL, is_archived INTEGER NOT NULL,"
    " trashed REAL, folder INTEGER REFERENCES folders(id) ON DELETE SET NULL,"
    " model TEXT NOT NULL, settings TEXT NOT NULL, choice INTEGER)",
    "CREATE TABLE drafts(seq INTEGER PRIMARY KEY,"
    " chat INTEGER NOT NULL UNIQUE REFERENCES chats(id) ON DELETE CASCADE,"
    " text TEXT NOT NULL, attachments TEXT NOT NULL)",
    "CREATE TABLE messages(seq INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE,"
    " chat INTEGER NOT NULL REFERENCES chats(id) ON DELETE CASCADE,"
    " parent INTEGER REFERENCES messages(id), role TEXT NOT NULL, created REAL NOT NULL,"
    " model TEXT NOT NULL, choice INTEGER, indexed INTEGER NOT NULL, segments TEXT NOT NULL)",
    "CREATE TABLE runs(seq INTEGER PRIMARY KEY,"
    " message INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,"
    " number INTEGER NOT NULL, text_length INTEGER NOT NULL, finish TEXT, statistics TEXT,"
    " config TEXT, facts TEXT NOT NULL, UNIQUE(message, number))",
    "CREATE TABLE traces(seq INTEGER PRIMARY KEY,"
    " message INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,"
    " number INTEGER NOT NULL, part INTEGER NOT NULL, data BLOB NOT NULL,"
    " UNIQUE(message, number, part))",
    "CREATE VIRTUAL TABLE words USING fts5(text, content='', prefix='1 2',"
    " tokenize='unicode61 remove_diacritics 2')",
    "CREATE INDEX chats_folder ON chats(folder)",
    "CREATE INDEX messages_chat ON messages(chat)",
    "CREATE INDEX messages_parent ON messages(parent)",
    "CREATE INDEX messages_waiting ON messages(seq) WHERE indexed = 0",
)


def _first(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for statement in _TABLES:
        connection.execute(statement)


_MODEL_TABLES = (
    "CREATE TABLE model_folders(seq INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE,"
    " position REAL NOT NULL)",
    "CREATE TABLE downloads(seq INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE,"
    " repo TEXT NOT NULL, revision TEXT NOT NULL, stage TEXT NOT NULL, position REAL NOT NULL,"
    " total INTEGER NOT NULL, done INTEGER NOT NULL, sentence TEXT NOT NULL,"
    " loads INTEGER NOT NULL, fault TEXT NOT NULL, details TEXT NOT NULL)",
    "CREATE TABLE models(seq INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, used REAL,"
    " settings TEXT NOT NULL)",
)


def _models(connection: sqlite3.Connection) -> None:
    for statement in _MODEL_TABLES:
        connection.execute(statement)


# The n-th step leads to version n; a step that was released is never changed.
MIGRATIONS: tuple[Migration, ...] = (_first, _models)
