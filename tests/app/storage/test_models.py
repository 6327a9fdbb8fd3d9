"""What is kept of models: folders, the queue of downloads, and what each model is used with."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest

from app.storage import DownloadRecord, ModelFolderRecord, ModelRecord, NoStore
from app.storage.schema import MIGRATIONS
from tests.app.storage.talk import chat, message

PAGE = 4096
DOWNLOAD = DownloadRecord(7, "maker/model", "abc", "waiting", 1.0, 1 << 40, 12, "", False)
FOLDER = ModelFolderRecord("/models/über", 1.0)
MODEL = ModelRecord("maker/model", 5.0, {"context": 4096, "sampling": {"temperature": 0.5}})


def fill(store) -> None:
    """One of each."""
    store.save_model_folder(FOLDER)
    store.save_download(DOWNLOAD)
    store.save_model(MODEL)


def held(store) -> tuple:
    """All of it."""
    return store.model_folders(), store.downloads(), store.model_records()


def damage(path, place: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        file.write(data)


def test_all_of_it_comes_back(make_store):
    store = make_store()
    fill(store)
    assert store.flush(10)
    assert held(store) == ([FOLDER], [DOWNLOAD], [MODEL])
    assert store.close()
    assert held(make_store()) == ([FOLDER], [DOWNLOAD], [MODEL])


def test_the_last_word_holds_and_positions_order(store):
    fill(store)
    failed = replace(DOWNLOAD, stage="failed", sentence="No way.", fault="offline", loads=True)
    store.save_download(failed)
    first = replace(DOWNLOAD, id=8, repo="other/model", position=0.5)
    store.save_download(first)
    store.save_model(replace(MODEL, used=None, settings={}))
    store.save_model_folder(ModelFolderRecord("/a", 0.0))
    assert store.flush(10)
    assert store.downloads() == [first, failed]
    assert [each.path for each in store.model_folders()] == ["/a", FOLDER.path]
    assert store.model_records() == [replace(MODEL, used=None, settings={})]


@pytest.mark.parametrize("is_flushed", [True, False])
def test_deleted_is_gone_and_may_come_again(store, is_flushed):
    fill(store)
    assert not is_flushed or store.flush(10)
    store.delete_download(DOWNLOAD.id)
    store.delete_model_folder(FOLDER.path)
    assert not is_flushed or store.flush(10)
    assert not is_flushed or held(store) == ([], [], [MODEL])
    store.save_download(DOWNLOAD)
    store.delete_model_folder("/never there")
    assert store.flush(10)
    assert held(store) == ([], [DOWNLOAD], [MODEL])


def test_odd_values_are_kept_or_read_as_well_as_can_be(store):
    store.save_model(ModelRecord("half a \ud800 pair", None, {"a": object}))
    store.save_download(DOWNLOAD)
    assert store.flush(10)
    assert store.model_records()[0].name == "half a ? pair"
    with closing(sqlite3.connect(store.path)) as other, other:
        other.execute("UPDATE models SET settings = '[1'")
        other.execute("UPDATE downloads SET stage = 'dancing'")
    assert store.model_records()[0].settings == {}
    assert store.downloads()[0].stage == "paused"
    assert "settings of a model is damaged" in store.notices[0]


def test_a_file_of_the_first_version_is_taken_over_and_copied(make_store):
    store = make_store(MIGRATIONS[:1])
    store.save_chat(chat(1))
    store.save_message(message(10, 1, "kept words"))
    assert store.close()
    store = make_store()
    assert "earlier version" in store.notices[0]
    assert [len(part) for part in held(store)] == [0, 0, 0]
    fill(store)
    assert store.flush(10)
    assert held(store) == ([FOLDER], [DOWNLOAD], [MODEL])
    assert store.search("kept words")
    (backup,) = store.path.parent.glob("chats.before-*.db")
    with closing(sqlite3.connect(backup)) as old:
        assert old.execute("PRAGMA user_version").fetchone()[0] == 1
        assert old.execute("SELECT title FROM chats").fetchall() == [("Title",)]


VICTIM = """
import sys, time
from pathlib import Path
from app.storage import Store
from tests.app.storage.test_models import DOWNLOAD, fill
from dataclasses import replace
store = Store.open(Path(sys.argv[1]), print)
fill(store)
for number in range(5):
    store.save_download(replace(DOWNLOAD, id=100 + number, repo=f"m/{number}", position=number))
store.flush(10)
sys.stdout.write("kept\\n")
sys.stdout.flush()
while True:
    store.save_download(replace(DOWNLOAD, done_bytes=int(time.monotonic() * 1000)))
    time.sleep(0.001)
"""


def test_a_kill_keeps_the_queue(make_store, folder):
    victim = subprocess.Popen(
        [sys.executable, "-c", VICTIM, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert victim.stdout is not None
    assert victim.stdout.readline() == "kept\n"
    os.kill(victim.pid, 9)
    victim.wait()
    victim.stdout.close()
    store = make_store()
    assert not [notice for notice in store.notices if "damaged" in notice]
    assert [each.id for each in store.downloads()] == [100, 7, 101, 102, 103, 104]
    assert store.downloads()[1].stage == "waiting"
    assert store.model_folders() == [FOLDER]


def test_the_schema_fits_into_the_page_that_recovery_can_make(store):
    assert store.flush(10)
    assert store.path.read_bytes()[100] == 13  # a leaf: nothing of it lies on other pages


@pytest.mark.parametrize("what", ["first page", "messages"])
@pytest.mark.parametrize("is_compacted", [False, True])
@pytest.mark.parametrize("is_migrated", [False, True])
def test_a_damaged_file_gives_them_back(make_store, what, is_compacted, is_migrated):
    store = make_store(MIGRATIONS[:1] if is_migrated else MIGRATIONS)
    for number in range(1, 30):
        store.save_chat(chat(number, title=f"title {number}"))
        store.save_message(message(number * 10, number, "many words " * 300))
    assert store.close()
    store = make_store()
    fill(store)
    store.save_download(replace(DOWNLOAD, id=8, repo="other/model", position=2.0))
    assert store.close()
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        if is_compacted:
            other.execute("VACUUM")
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'messages'"
        root = other.execute(query).fetchone()[0]
    place = 0 if what == "first page" else (root - 1) * PAGE
    damage(store.path, place, b"\xff" * PAGE)
    store = make_store()
    assert "was damaged" in store.notices[0]
    assert len(store.chats()) == 29
    folders, downloads, models = held(store)
    # Where tables that were added later begin is lost with the page, until the file is compacted.
    if is_compacted or not (is_migrated and what == "first page"):
        assert folders == [FOLDER]
        assert [each.id for each in downloads] == [7, 8]
        assert models == [MODEL]
    fill(store)
    assert store.flush(10)
    assert FOLDER in store.model_folders()
    assert MODEL in store.model_records()


def test_a_damaged_file_of_the_first_version_is_recovered(make_store):
    store = make_store(MIGRATIONS[:1])
    store.save_chat(chat(1))
    assert store.close()
    damage(store.path, 0, bytes(PAGE))
    store = make_store()
    assert [each.title for each in store.chats()] == ["Title"]
    assert [len(part) for part in held(store)] == [0, 0, 0]


def test_without_a_store_nothing_is_kept():
    nothing = NoStore("Chats are not kept.")
    fill(nothing)
    nothing.delete_download(7)
    nothing.delete_model_folder("/a")
    assert held(nothing) == ([], [], [])
