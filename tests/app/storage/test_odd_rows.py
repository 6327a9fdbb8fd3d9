"""Rows that something else wrote: read as what they should be, and written over like any other."""

import sqlite3
import time
from contextlib import closing

import pytest

from app.storage import DownloadRecord, ModelFolderRecord, ModelRecord, Segment
from tests.app.storage.talk import chat, message

CHANGES = (
    "UPDATE chats SET title = x'6e6565646c65'",
    "UPDATE chats SET title = x'ff80'",
    "UPDATE chats SET changed = 'a word'",
    "UPDATE chats SET created = 1e300, changed = x'00'",
    "UPDATE chats SET settings = 5, model = x'ff', folder = 'none', choice = x'01'",
    "UPDATE chats SET is_named = 'yes', is_pinned = x'01', trashed = 'a word'",
    "UPDATE drafts SET text = x'616263', attachments = x'ff'",
    "UPDATE messages SET segments = x'ff'",
    "UPDATE messages SET segments = 5, created = 'a word', role = x'00', model = 3.5",
    "UPDATE messages SET choice = 'a word', indexed = 'a word'",
)


def odd(path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("PRAGMA foreign_keys = OFF")
        assert other.execute(statement).rowcount > 0


@pytest.mark.parametrize("statement", CHANGES)
def test_what_is_odd_is_read_found_and_written_over(store, problems, statement):
    attachments = (Segment("attachment", "inside", "a.txt"),)
    store.save_chat(chat(1, title="needle", draft="abc", draft_attachments=attachments))
    store.save_chat(chat(3, title="needle"))
    store.save_message(message(2, 1, "a needle"))
    assert store.flush(10)
    odd(store.path, f"{statement} WHERE {'chat' if 'drafts' in statement else 'id'} IN (1, 2)")
    (record,) = (each for each in store.chats() if each.id == 1)
    assert [type(each) for each in (record.title, record.changed, record.model)] == [
        str, float, str,
    ]  # fmt: skip
    assert isinstance(store.messages(1)[0].segments[0].text, str)
    store.search("needle")
    store.save_chat(chat(1, title="another", draft="more"))
    store.save_message(message(2, 1, "another needle"))
    assert store.flush(10)
    assert problems == []
    (record,) = (each for each in store.chats() if each.id == 1)
    assert (record.title, record.draft, record.created) == ("another", "more", 1.0)
    assert store.messages(1)[0].segments == (Segment("text", "another needle"),)
    store.delete_chat(1)
    assert store.flush(10)
    assert [each.id for each in store.chats()] == [3]
    assert problems == []


def test_odd_rows_of_models_are_read(store, problems):
    store.save_model(ModelRecord("m", 1.0, {}))
    store.save_model_folder(ModelFolderRecord("/x", 1.0))
    store.save_download(
        DownloadRecord(1, "a/b", "", "waiting", 0.0, 5, 0, sentence="", loads=False)
    )
    assert store.flush(10)
    odd(store.path, "UPDATE models SET used = 'a word', name = x'6d'")
    odd(store.path, "UPDATE model_folders SET path = x'2f78', position = 'a word'")
    odd(store.path, "UPDATE downloads SET repo = x'61', total = 'much', done = 1.5, sentence = x''")
    assert store.model_records() == [ModelRecord("m", None, {})]
    assert store.model_folders() == [ModelFolderRecord("/x", 0.0)]
    (download,) = store.downloads()
    assert (download.repo, download.total_bytes, download.done_bytes) == ("a", 0, 0)
    assert download.sentence == ""
    assert problems == []


@pytest.mark.parametrize("value", ["1e300", "'2026-11-30'", "x'00'"])
def test_a_time_in_the_trash_that_cannot_be_read_is_not_long_ago(store, value):
    store.save_chat(chat(1))
    assert store.flush(10)
    odd(store.path, f"UPDATE chats SET trashed = {value}")
    (record,) = store.chats()
    assert record.trashed == pytest.approx(time.time(), abs=60)


def test_what_begins_a_chat_is_a_question_whatever_it_is_called(store):
    store.save_chat(chat(1))
    store.save_message(message(2, 1, "asked"))
    store.save_message(message(3, 1, "answered", 2))
    assert store.flush(10)
    odd(store.path, "UPDATE messages SET role = 'king'")
    assert [each.role for each in store.messages(1)] == ["user", "assistant"]
