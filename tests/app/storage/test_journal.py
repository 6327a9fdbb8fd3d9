"""Disks that cannot share memory or locks as SQLite's log needs: chats are kept, and it is said."""

import sqlite3
from contextlib import closing

import pytest

from app.storage.opening import NAME
from tests.app.storage.talk import chat, message


@pytest.fixture
def network_disk(monkeypatch):
    """Files as on such a disk: through the part of SQLite that shares nothing."""
    connect = sqlite3.connect

    def connected(path, **options):
        return connect(f"file:{path}?vfs=unix-dotfile", uri=True, **options)

    monkeypatch.setattr("app.storage.connection.sqlite3.connect", connected)
    return monkeypatch


def journal_of(store) -> str:
    return store._writer._file.connection.execute("PRAGMA journal_mode").fetchone()[0]


def keep_one(store) -> None:
    store.save_chat(chat(1))
    store.save_message(message(2, 1, "needle"))
    assert store.flush(10)


def test_a_new_file_there_is_kept_in_the_slower_way(network_disk, make_store):
    store = make_store()
    assert "slower" in store.notices[0]
    assert store.notices[0].endswith(".")
    assert journal_of(store) == "truncate"
    keep_one(store)
    assert [hit.message for hit in store.search("needle")] == [2]
    assert store.close()
    assert make_store().chats()[0].title == "Title"


def test_a_file_that_was_moved_there_keeps_its_chats(make_store, folder, monkeypatch, request):
    store = make_store()
    keep_one(store)
    assert journal_of(store) == "wal"
    assert store.close()
    request.getfixturevalue("network_disk")
    store = make_store()
    assert "slower" in " ".join(store.notices)
    assert [each.id for each in store.chats()] == [1]
    store.save_chat(chat(3))
    assert store.close()
    monkeypatch.undo()
    # Back on a disk that can, all is as it was.
    store = make_store()
    assert store.notices == ()
    assert journal_of(store) == "wal"
    assert [each.id for each in store.chats()] == [3, 1]


def test_the_log_of_a_killed_run_is_not_lost_there(make_store, folder, request):
    store = make_store()
    keep_one(store)
    assert store.close()
    with closing(sqlite3.connect(folder / NAME, isolation_level=None)) as other:
        other.execute("UPDATE chats SET title = 'in the log'")
        saved = {name: (folder / name).read_bytes() for name in (NAME, f"{NAME}-wal")}
    for name, data in saved.items():
        (folder / name).write_bytes(data)
    request.getfixturevalue("network_disk")
    assert make_store().chats()[0].title == "in the log"
