"""What was deleted or overwritten is in none of the files any more."""

import random
import re
import sqlite3
import zlib
from contextlib import closing

import pytest

from app.storage import Segment
from app.storage.schema import MIGRATIONS
from tests.app.storage.talk import chat, message, run


def left(folder, *words: str) -> set[str]:
    """Which of these words, or ends of them, are in any file of the folder."""
    found = set()
    for file in folder.rglob("*"):
        if file.is_file():
            data = file.read_bytes().lower()
            # The index keeps only the end of a term that begins like the one before it.
            found |= {word for word in words if word.lower().encode()[2:] in data}
    return found


def terms(path) -> set[str]:
    """Every term the index knows of."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, words, row)")
        return {term for (term,) in connection.execute("SELECT term FROM terms")}


def fill(store, count: int = 300) -> None:
    """Company for the secret, of all sizes."""
    source = random.Random(1)
    for number in range(1, count):
        store.save_chat(chat(number, title=f"title {number}", draft="d" * source.randrange(60)))
        text = " ".join(f"w{source.randrange(5000)}" for _ in range(source.randrange(1, 400)))
        store.save_message(message(number * 10, number, text))


def test_a_deleted_chat_is_gone(store, folder):
    fill(store)
    trace = b"trace of zyxsecret"
    attachment = Segment("attachment", "zyxattached", "zyxname")
    store.save_chat(
        chat(500, title="zyxheadline", draft="zyxdraft " * 900, draft_attachments=(attachment,))
    )
    store.save_message(message(5001, 500, "zyxlong " * 20_000))
    store.save_message(message(5002, 500, "zyxthing 秘密文字", 5001))
    store.save_run(run(5002))
    store.add_trace(5002, 0, 0, trace)
    assert store.flush(30)
    words = ("zyxheadline", "zyxdraft", "zyxattached", "zyxname", "zyxlong", "zyxthing", "秘密文字")
    assert left(folder, *words) == set(words)
    fill(store, 310)
    assert store.flush(30)
    store.delete_chat(500)
    assert store.flush(30)
    assert left(folder, *words, "秘密") == set()
    assert zlib.compress(trace)[:20] not in store.path.read_bytes()
    assert terms(store.path).isdisjoint({*words, "秘"})
    assert len(store.chats()) == 309


def test_every_other_chat_deleted_is_gone(store, folder):
    for number in range(1, 400):
        store.save_chat(chat(number, title=f"zyxtitle{number}x"))
        store.save_message(message(number * 10, number, f"zyxbody{number}x " * (number % 90 + 1)))
        if number % 50 == 0:
            assert store.flush(30)
    assert store.flush(30)
    for number in range(1, 400, 2):
        store.delete_chat(number)
    assert store.flush(30)
    gone = [f"zyx{kind}{number}x" for number in range(1, 400, 2) for kind in ("title", "body")]
    assert left(folder, *gone) == set()
    assert len(store.search("zyxbody*2x", limit=500)) == 0
    assert len(store.messages(2)) == 1


def test_a_deleted_message_is_gone_with_what_was_below(store, folder):
    fill(store)
    store.save_chat(chat(500))
    store.save_message(message(5001, 500, "kept"))
    store.save_message(message(5002, 500, "zyxparent", 5001))
    store.save_message(message(5003, 500, "zyxchild", 5002))
    assert store.flush(30)
    store.delete_message(5002)
    assert store.flush(30)
    assert left(folder, "zyxparent", "zyxchild") == set()
    assert terms(store.path).isdisjoint({"zyxparent", "zyxchild"})


def test_only_words_of_the_last_text_of_a_growing_reply_stay(store, folder):
    fill(store)
    store.save_chat(chat(500))
    words = [f"zyxword{number}x" for number in range(10)]
    for end in range(1, 11):
        store.save_message(message(5001, 500, " ".join(words[:end]) * end * 30))
        assert store.flush(30)
    store.save_message(message(5001, 500, "nothing of it"))
    assert store.flush(30)
    assert left(folder, *words) == set()
    assert terms(store.path).isdisjoint(words)


def test_overwritten_drafts_and_titles_are_gone(store, folder):
    fill(store)
    drafts = [f"zyxdraft{number}x" for number in range(30)]
    for draft in drafts:
        for number in (3, 70, 299):
            store.save_chat(chat(number, title=f"{draft}title", draft=f"{draft} " * 40))
        assert store.flush(30)
    for number in (3, 70, 299):
        store.save_chat(chat(number, title="kept", draft="kept"))
    assert store.flush(30)
    assert left(folder, *drafts) == set()
    assert {c.draft for c in store.chats() if c.id in (3, 70, 299)} == {"kept"}


def secrets(folder) -> set[int]:
    """The numbers of all secrets in any file."""
    data = b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())
    return {int(number) for number in re.findall(rb"zq(\d{6})x", data)}


@pytest.mark.parametrize(
    ("what", "seed"), [("draft", 0), ("draft", 2), ("draft", 3), ("title", 0), ("message", 0)]
)
def test_no_copy_of_a_row_stays_behind_where_pages_were_split(store, folder, what, seed):
    """Rows that grow and shrink in the middle of full pages move to others."""
    source = random.Random(seed)
    live: dict[int, int] = {}

    def write(key: int, number: int, length: int) -> None:
        live[key] = number
        text = f"zq{number:06}x" * length
        store.save_chat(chat(key, **({} if what == "message" else {what: text})))
        if what == "message":
            store.save_message(message(key, key, text))

    for key in range(1, 301):
        write(key, key, source.randrange(1, 30))
    assert store.flush(30)
    for turn in range(1000, 1150):
        key = source.choice(list(live))
        length = source.choice((1, 3, 30, 60, 200, 600))
        if source.random() < 0.3:
            del live[key]
            # A cleared draft is no deletion: the file is not compacted for it.
            store.save_chat(chat(key)) if what == "draft" else store.delete_chat(key)
        else:
            write(key, turn, length)
        if turn % (2 if what == "draft" else 10) == 0:
            assert store.flush(30)
    assert store.flush(30)
    assert secrets(folder) == set(live.values())


def test_a_backup_goes_with_what_is_deleted(make_store, folder):
    store = make_store()
    store.save_chat(chat(1))
    store.save_message(message(2, 1, "zyxsecret"))
    assert store.close()
    store = make_store((*MIGRATIONS, lambda connection: None))
    assert [file.name for file in folder.glob("*.before-*")] == [
        f"chats.before-{len(MIGRATIONS) + 1}.db"
    ]
    assert left(folder, "zyxsecret")
    store.delete_chat(1)
    assert store.flush(30)
    assert left(folder, "zyxsecret") == set()
    assert list(folder.glob("*.before-*")) == []


def test_what_a_crash_left_to_clean_is_cleaned_after_the_next_start(
    make_store, folder, monkeypatch
):
    store = make_store()
    fill(store)
    store.save_message(message(5001, 3, "zyxsecret"))
    assert store.flush(30)
    with monkeypatch.context() as patch:
        patch.setattr("app.storage.writer.clean_lightly", lambda connection: True)
        patch.setattr("app.storage.writer.needs_deep_cleaning", lambda connection: False)
        store.delete_message(5001)
        assert store.close()
    assert left(folder, "zyxsecret")
    store = make_store()
    assert store.flush(30)
    assert left(folder, "zyxsecret") == set()


@pytest.mark.parametrize("is_deleted", [True, False])
def test_a_search_hit_of_a_merged_index_is_still_right(store, is_deleted):
    fill(store, 100)
    if is_deleted:
        store.delete_chat(50)
    assert store.flush(30)
    hits = {hit.message for hit in store.search("w*", limit=1000)} or set()
    found = {hit.message for hit in store.search("w", limit=1000)}
    assert hits == found
    assert (500 in found) is not is_deleted
