"""A file that lacks what its tables should have, or has odd keys, is damaged: recovered."""

import sqlite3
from contextlib import closing

import pytest

from app.storage import FolderRecord, Segment
from tests.app.storage.talk import chat, message, run

PARTS = (
    "DROP TABLE drafts",
    "DROP TABLE models",
    "DROP TABLE folders",
    "DROP TABLE traces",
    "DROP TABLE marks",
    "DROP TABLE words",
    "DROP INDEX messages_waiting",
    "DROP INDEX chats_folder",
    "ALTER TABLE chats DROP COLUMN choice",
    "ALTER TABLE chats DROP COLUMN is_pinned",
    "ALTER TABLE chats RENAME COLUMN settings TO others",
    "ALTER TABLE messages RENAME COLUMN model TO others",
    "ALTER TABLE runs DROP COLUMN text_length",
    "ALTER TABLE drafts DROP COLUMN attachments",
    "ALTER TABLE models RENAME COLUMN used TO others",
)


@pytest.mark.parametrize("statement", PARTS)
def test_the_rest_is_recovered(make_store, folder, problems, statement):
    store = make_store()
    store.save_chat(chat(1, title="kept", draft="to be said"))
    store.save_message(message(2, 1, "needle"))
    store.save_run(run(2))
    assert store.close(10)
    with closing(sqlite3.connect(store.path)) as other, other:
        other.execute("PRAGMA foreign_keys = OFF")
        other.execute(statement)
    store = make_store()
    assert "was damaged: 1 chat and 1 message were recovered" in store.notices[0]
    assert len(list(folder.glob("chats.damaged-*.db"))) == 1
    assert [each.title for each in store.chats()] == ["kept"]
    assert store.messages(1)[0].segments == (Segment("text", "needle"),)
    assert [each.finish for each in store.runs(1)] == ["stop"]
    draft = "" if statement == "DROP TABLE drafts" else "to be said"
    assert [each.draft for each in store.chats()] == [draft]
    store.save_chat(chat(1, title="kept", draft="typed later"))
    store.save_message(message(3, 1, "another needle", 2))
    assert store.flush(10)
    assert [each.draft for each in store.chats()] == ["typed later"]
    assert {hit.message for hit in store.search("needle")} == {2, 3}
    assert problems == []
    assert store.close(10)
    store = make_store()
    assert not any("damaged" in notice for notice in store.notices)


def test_what_somebody_added_is_no_damage(make_store, folder):
    assert make_store().close(10)
    with closing(sqlite3.connect(folder / "chats.db")) as other, other:
        other.execute("ALTER TABLE chats ADD COLUMN mood TEXT")
        other.execute("CREATE TABLE notes(text)")
    assert make_store().notices == ()


@pytest.mark.parametrize("key", ["'a word'", "x'01'"])
@pytest.mark.parametrize("table", ["chats", "messages", "folders"])
def test_a_key_that_is_no_number_is_damage(make_store, table, key):
    store = make_store()
    store.save_folder(FolderRecord(8, "Folder", 1.0))
    for number in (1, 5):
        store.save_chat(chat(number))
        store.save_message(message(number + 1, number, "needle"))
    assert store.close(10)
    with closing(sqlite3.connect(store.path)) as other, other:
        other.execute("PRAGMA foreign_keys = OFF")
        other.execute(f"UPDATE {table} SET id = {key} WHERE id IN (1, 2, 8)")
    store = make_store()
    assert "was damaged" in store.notices[0]
    titles = {"chats": ["Title", "Recovered chat"]}.get(table, ["Title", "Title"])
    assert [each.title for each in store.chats()] == titles
    assert [each.id for each in store.chats()] == [5, 1]
    assert len(store.folders()) == (table != "folders")


@pytest.mark.parametrize("version", [-3, 0, 1])
def test_a_version_that_is_not_that_of_the_tables_is_damage(make_store, version):
    store = make_store()
    store.save_chat(chat(1, title="kept"))
    assert store.close(10)
    with closing(sqlite3.connect(store.path)) as other:
        other.execute(f"PRAGMA user_version = {version}")
    store = make_store()
    assert "was damaged: 1 chat" in store.notices[0]
    assert [each.title for each in store.chats()] == ["kept"]


def test_a_recovery_that_was_cut_short_is_told_by_the_next_start(make_store, folder):
    store = make_store()
    store.save_chat(chat(1, title="kept"))
    assert store.close(10)
    store.path.replace(folder / "chats.rebuilt.db")
    (folder / "chats.damaged-20260101-000000.db").write_bytes(b"damaged")
    store = make_store()
    assert "was recovered" in store.notices[0]
    assert [each.title for each in store.chats()] == ["kept"]
