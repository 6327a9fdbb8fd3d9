"""While the file cannot be written nothing is lost, nobody waits, and a sentence says why."""

import shutil
import sqlite3
import threading
import time
from contextlib import closing, contextmanager

import pytest

from app.storage import LockedError, StorageError, Store, writer
from tests.app.storage.talk import chat, message, run


@contextmanager
def locked(path):
    """The file while another program writes it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def wait_for(is_true) -> None:
    end = time.monotonic() + 20
    while not is_true():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def test_a_locked_file_is_written_later(store, problems):
    assert store.flush(10)
    with locked(store.path):
        store.save_chat(chat(1, title="first"))
        store.save_message(message(2, 1, "x"))
        wait_for(lambda: problems)
        assert "locked by another program" in problems[0]
        assert not store.flush(0.1)
        store.save_chat(chat(1, title="second"))
        store.save_message(message(3, 1, "y", 2))
        store.delete_chat(5)
    wait_for(lambda: problems[-1] is None)
    assert len(problems) == 2
    assert store.flush(10)
    assert store.chats()[0].title == "second"
    assert len(store.messages(1)) == 2


def test_reading_goes_on_while_the_file_is_locked(store):
    store.save_chat(chat(1))
    assert store.flush(10)
    with locked(store.path):
        assert len(store.chats()) == 1


def test_a_deletion_that_waits_takes_what_waited_before_it(store, problems):
    store.save_chat(chat(1))
    assert store.flush(10)
    with locked(store.path):
        store.save_message(message(2, 1, "x"))
        store.save_run(run(2))
        wait_for(lambda: problems)
        store.delete_chat(1)
        store.save_chat(chat(1, title="again"))
    assert store.flush(20)
    assert store.chats()[0].title == "again"
    assert store.messages(1) == []


def test_closing_gives_up_after_its_time(make_store, problems):
    store = make_store()
    assert store.flush(10)
    with locked(store.path):
        store.save_chat(chat(1))
        assert not store.close(1.5)
        assert "locked" in problems[0]


def test_closing_does_not_wait_for_what_hangs(make_store):
    store = make_store()
    assert store.flush(10)
    with locked(store.path):
        store.save_chat(chat(1))
        assert not store.close(0.1)


def test_a_full_disk_is_said_and_nothing_is_lost(store, problems):
    assert store.flush(10)
    connection = store._writer._file.connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    store.save_chat(chat(1))
    store.save_message(message(2, 1, "x" * 100_000))
    wait_for(lambda: problems)
    assert "disk is full" in problems[0]
    assert store.chats() == []
    connection.execute("PRAGMA max_page_count = 1000000")
    assert store.flush(20)
    wait_for(lambda: problems[-1] is None)
    assert len(store.messages(1)[0].segments[0].text) == 100_000


def test_what_is_not_on_disk_is_soon_tried_again_however_long_the_disk_was_full(
    store, problems, monkeypatch
):
    assert store.flush(10)
    # As after many attempts that failed.
    monkeypatch.setattr(writer, "_FIRST_RETRY_SECONDS", 600.0)
    monkeypatch.setattr(writer, "_LAST_RETRY_SECONDS", 600.0)
    with locked(store.path):
        store.save_chat(chat(1))
        wait_for(lambda: problems)
        store.save_chat(chat(2))
    wait_for(lambda: problems[-1] is None)
    assert len(store.chats()) == 2


def test_a_file_that_was_moved_is_said_and_written_when_it_is_back(store, problems):
    assert store.flush(10)
    away = store.path.with_name("away.db")
    store.path.rename(away)
    store.save_chat(chat(1))
    wait_for(lambda: problems)
    assert "moved or deleted" in problems[0]
    away.rename(store.path)
    assert store.flush(20)
    assert len(store.chats()) == 1


@pytest.mark.parametrize("what", ["file", "folder", "replaced"])
def test_a_file_that_is_gone_is_begun_anew(make_store, folder, problems, what):
    """Whoever keeps chats is asked for all of them, and can give them at once."""
    asked: list[tuple[str, int]] = []

    def give_all(sentence: str) -> None:
        asked.append((sentence, len(problems)))
        store.save_chat(chat(1, title="again"))
        store.save_message(message(2, 1, "needle"))

    store = make_store(on_begun_anew=give_all)
    give_all("")
    store.save_chat(chat(9, title="not known any more"))
    assert store.flush(10)
    if what == "folder":
        shutil.rmtree(folder)
    else:
        store.path.unlink()
    if what == "replaced":
        store.path.write_bytes(b"")
    store.save_chat(chat(3))
    wait_for(lambda: len(asked) == 2)
    assert "moved or deleted" in problems[0]
    sentence, num_told = asked[1]
    assert "a new one was begun" in sentence
    assert "the others are lost" in sentence
    # Asked when all is well again, so that the sentence is the last word.
    assert problems[num_told - 1] is None
    assert store.flush(20)
    assert [c.title for c in store.chats()] == ["Title", "again"]
    assert [hit.message for hit in store.search("needle")] == [2]
    with pytest.raises(LockedError):
        Store.open(folder, problems.append)
    assert store.close()
    assert [c.id for c in make_store().chats()] == [3, 1]


def test_a_file_that_is_gone_at_the_end_is_begun_at_once(make_store, folder):
    store = make_store()
    assert store.flush(10)
    shutil.rmtree(folder)
    store.save_chat(chat(3))
    assert store.close(10)
    assert [c.id for c in make_store().chats()] == [3]


def test_a_file_that_cannot_be_begun_anew_is_tried_again(make_store, folder, problems):
    store = make_store()
    assert store.flush(10)
    shutil.rmtree(folder)
    folder.write_text("in the way")
    store.save_chat(chat(3))
    wait_for(lambda: any("is a file where" in problem for problem in problems if problem))
    folder.unlink()
    assert store.flush(20)
    assert [c.id for c in store.chats()] == [3]


def test_damage_while_running_is_said_and_repaired_at_the_next_start(make_store, problems):
    store = make_store()
    for number in range(1, 200):
        store.save_chat(chat(number, title="title " * 50))
    assert store.close()
    store = make_store()
    assert store.flush(10)
    size = store.path.stat().st_size
    with store.path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\x99" * (size - 4096))
    store.save_chat(chat(500))
    wait_for(lambda: problems)
    assert "damaged" in problems[0]
    with pytest.raises(StorageError, match="damaged"):
        store.chats()
    assert not store.close(0.3)
    assert "recovered" in make_store().notices[0]


def test_a_broken_index_is_made_anew(store, problems):
    store.save_chat(chat(1))
    store.save_message(message(2, 1, "needle"))
    assert store.flush(10)
    with closing(sqlite3.connect(store.path)) as other, other:
        other.execute("UPDATE words_data SET block = x'ffffffff' WHERE id > 10")
    store.save_message(message(3, 1, "another needle"))
    store.delete_message(2)
    assert store.flush(20)
    wait_for(lambda: not problems or problems[-1] is None)
    assert [hit.message for hit in store.search("needle")] == [3]


def test_a_broken_index_that_a_search_meets_is_made_anew(store):
    store.save_chat(chat(1))
    store.save_message(message(2, 1, "needle"))
    assert store.flush(10)
    with closing(sqlite3.connect(store.path)) as other, other:
        other.execute("UPDATE words_data SET block = x'ffffffff' WHERE id > 10")
    with pytest.raises(StorageError, match="damaged"):
        store.search("needle")
    assert store.flush(20)
    assert [hit.message for hit in store.search("needle")] == [2]


class Ended(BaseException):
    """What no work loop may catch."""


def test_what_ends_the_writer_is_said(store, problems, monkeypatch):
    raised = []

    def lines() -> bytes:
        raise Ended

    monkeypatch.setattr(threading, "excepthook", raised.append)
    store.save_chat(chat(1))
    store.save_message(message(2, 1, "x"))
    store.add_trace(2, 0, 0, lines)
    wait_for(lambda: problems)
    assert "no longer saved" in problems[0]
    assert not store.flush(5)
    assert not store.close()
    assert raised[0].exc_type is Ended


def test_nobody_waits_for_a_write(store):
    """Handing over goes on while the writer is in the middle of a batch."""
    started, may_end = threading.Event(), threading.Event()

    def lines() -> bytes:
        started.set()
        assert may_end.wait(20)
        return b"{}"

    store.save_chat(chat(1))
    store.save_message(message(2, 1, "x"))
    store.add_trace(2, 0, 0, lines)
    assert started.wait(20)
    store.save_chat(chat(1, title="meanwhile"))
    store.delete_chat(3)
    assert store.chats() == []
    assert not store.flush(0.05)
    may_end.set()
    assert store.flush(20)
    assert store.chats()[0].title == "meanwhile"
