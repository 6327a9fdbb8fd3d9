"""What is handed over is there after the next start; what belongs together goes together."""

import sqlite3
import threading
from contextlib import closing
from dataclasses import replace

import pytest

from app.storage import FolderRecord, NoStore, RunRecord, Segment
from tests.app.storage.talk import chat, message, run


def full_chat():
    attachment = Segment("attachment", "a,b", "table.csv")
    return chat(
        2**62 + 1,
        title="Tïtle \ud83d 😀",
        is_named=True,
        is_pinned=True,
        is_archived=True,
        trashed=4.0,
        folder=7,
        settings={"a": [1, None], "b": {"c": "é"}},
        draft="half a\x00 thought\nend",
        draft_attachments=(attachment,),
        choice=5,
    )


def test_everything_comes_back(make_store):
    store = make_store()
    thought = Segment("thinking", "hm", seconds=1.5)
    kept = full_chat()
    reply = message(6, kept.id, "yes", 5, choice=9, segments=(thought, Segment("error", "no")))
    store.save_folder(FolderRecord(7, "Work", 1.5))
    store.save_chat(kept)
    store.save_message(message(5, kept.id, "?"))
    store.save_message(reply)
    store.save_run(run(6))
    store.save_run(run(6, 1))
    assert store.flush(10)
    assert store.close()
    store = make_store()
    assert store.folders() == [FolderRecord(7, "Work", 1.5)]
    assert store.chats() == [replace(kept, title="Tïtle ? 😀", num_messages=2)]
    assert store.messages(kept.id) == [message(5, kept.id, "?"), reply]
    assert store.runs(kept.id) == [run(6), run(6, 1)]
    assert store.notices == ()


def test_values_of_later_do_not_reach_what_was_handed_over(store):
    settings = {"list": [1]}
    store.save_chat(chat(1, settings=settings))
    settings["list"].append(2)
    assert store.flush(10)
    assert store.chats()[0].settings == {"list": [1]}


def test_what_json_has_no_word_for_is_kept_as_text(store):
    store.save_chat(chat(1))
    store.save_message(message(2, 1, "x"))
    store.save_run(RunRecord(2, 0, 1, None, None, {"path": {1}}, {}))
    assert store.flush(10)
    assert store.runs(1)[0].config == {"path": "{1}"}


def test_what_cannot_be_kept_at_all_is_the_callers_mistake(store):
    circle: dict = {}
    circle["again"] = circle
    with pytest.raises(ValueError, match="Circular"):
        store.save_chat(chat(1, settings=circle))
    assert store.flush(10)
    assert store.chats() == []


def test_the_latest_wins_and_order_does_not_matter(store):
    store.save_message(message(3, 1, "child", 2))
    store.save_message(message(2, 1, "parent"))
    store.save_chat(chat(1))
    for number in range(50):
        store.save_message(message(2, 1, f"parent {number}"))
    assert store.flush(10)
    assert [m.segments[0].text for m in store.messages(1)] == ["parent 49", "child"]


def test_saving_a_chat_again_keeps_its_messages(store):
    store.save_chat(chat(1))
    store.save_message(message(2, 1, "x"))
    store.save_run(run(2))
    assert store.flush(10)
    store.save_chat(chat(1, title="other"))
    store.save_message(message(2, 1, "y"))
    assert store.flush(10)
    assert store.chats()[0].title == "other"
    assert store.runs(1) == [run(2)]


def test_a_deletion_takes_what_waits_and_what_was_written(store):
    store.save_chat(chat(1))
    store.save_message(message(2, 1, "x"))
    assert store.flush(10)
    store.save_message(message(3, 1, "waits", 2))
    store.delete_chat(1)
    store.save_message(message(4, 1, "late"))
    store.save_run(run(4))
    store.add_trace(4, 0, 0, b"late")
    assert store.flush(10)
    assert store.chats() == []
    assert store.messages(1) == store.runs(1) == []
    assert store.trace(4, 0) is None
    store.save_chat(chat(1))
    assert store.flush(10)
    assert store.messages(1) == []


def test_a_message_goes_with_all_below_it_however_long_the_chat(store):
    store.save_chat(chat(1))
    for number in range(1, 3001):
        store.save_message(message(number, 1, "x", number - 1 or None))
    assert store.flush(30)
    store.delete_message(5)
    assert store.flush(30)
    assert [m.id for m in store.messages(1)] == [1, 2, 3, 4]
    store.delete_chat(1)
    assert store.flush(30)
    assert store.messages(1) == []


def test_a_folder_goes_and_its_chats_stay(store):
    store.save_folder(FolderRecord(7, "Work", 1.0))
    store.save_chat(chat(1, folder=7))
    assert store.flush(10)
    store.delete_folder(7)
    store.save_chat(chat(2, folder=7))
    assert store.flush(10)
    assert [c.folder for c in store.chats()] == [None, None]


def test_parts_of_a_trace_are_joined_and_made_on_the_writers_thread(store):
    threads = []

    def lines() -> bytes:
        threads.append(threading.current_thread())
        return b'{"a": 1}\n'

    store.save_chat(chat(1))
    store.save_message(message(2, 1, "x"))
    store.add_trace(2, 0, 1, b"second\n")
    store.add_trace(2, 0, 0, lines)
    assert store.flush(10)
    assert store.trace(2, 0) == b'{"a": 1}\nsecond\n'
    assert threads[0] is not threading.current_thread()
    assert len(threads) == 1
    store.forget_trace(2, 0)
    assert store.flush(10)
    assert store.trace(2, 0) is None


def test_a_damaged_row_is_read_as_far_as_possible(store):
    store.save_chat(chat(1, settings={"a": 1}))
    store.save_message(message(2, 1, "x"))
    store.save_run(run(2))
    assert store.flush(10)
    with closing(sqlite3.connect(store.path)) as other, other:
        other.execute("UPDATE chats SET settings = '{\"a'")
        other.execute("UPDATE messages SET segments = CAST(x'ff41' AS TEXT)")
        other.execute("UPDATE runs SET facts = '[]'")
    assert store.chats()[0].settings == {}
    assert store.messages(1)[0].segments == (Segment("text", "�A"),)
    assert store.runs(1)[0].facts == {}
    assert len(store.notices) == 3
    assert all("damaged" in notice for notice in store.notices)


def test_nothing_is_kept_without_a_store():
    nothing = NoStore("Chats are not kept, because.")
    nothing.save_chat(chat(1))
    assert nothing.chats() == []
    assert nothing.notices == ("Chats are not kept, because.",)
    assert nothing.flush(0)
    assert nothing.close()


def test_closing_writes_what_waits(make_store):
    store = make_store()
    store.save_chat(chat(1))
    assert store.close()
    assert store.close()
    assert len(make_store().chats()) == 1
