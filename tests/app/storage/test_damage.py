"""A damaged file is set aside, what can be read of it is taken over, and a sentence says so."""

import random
import sqlite3
from contextlib import closing

import pytest

from app.storage import Store
from tests.app.storage.talk import chat, message, run

PAGE = 4096
NUM_CHATS, NUM_MESSAGES = 40, 400


@pytest.fixture
def path(make_store):
    """A file of chats, closed."""
    store = make_store()
    for number in range(1, NUM_CHATS + 1):
        store.save_chat(chat(number, title=f"title {number}", draft=f"draft {number}"))
    for number in range(NUM_MESSAGES):
        text = f"message {number} " + "text " * (number % 70)
        of = number % NUM_CHATS + 1
        parent = None if number < NUM_CHATS else 1000 + number - NUM_CHATS
        store.save_message(message(1000 + number, of, text, parent))
        store.save_run(run(1000 + number))
    assert store.close(10)
    return store.path


def pages_of(path, table: str) -> list[int]:
    """The leaf pages of a table, by where they begin."""
    with closing(sqlite3.connect(path)) as connection:
        if ("ENABLE_DBSTAT_VTAB",) not in connection.execute("PRAGMA compile_options").fetchall():
            pytest.skip("this SQLite does not tell where pages are")
        question = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'"
        return [(page - 1) * PAGE for (page,) in connection.execute(question, (table,))]


def cells_of(path, table: str) -> dict[int, int]:
    """How many rows each leaf page of a table has, by the last page that they need."""
    pages_of(path, table)
    question = "SELECT pageno, ncell, pagetype, path FROM dbstat WHERE name = ?"
    with closing(sqlite3.connect(path)) as connection:
        pages = connection.execute(question, (table,)).fetchall()
    assert {kind for _, _, kind, _ in pages} == {"leaf", "internal"}
    return {page: count for page, count, kind, _ in pages if kind == "leaf"}


def roots_of(path) -> list[int]:
    """The pages where tables and indexes begin."""
    with closing(sqlite3.connect(path)) as connection:
        return [
            page for (page,) in connection.execute("SELECT rootpage FROM sqlite_master") if page
        ]


def overwrite(path, place: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(place)
        file.write(data)


def reopened(make_store, path, before: bytes, kind: str = "damaged"):
    """The store after damage: sound, usable, the damaged file beside it as it was."""
    store = make_store()
    assert store.flush(10)
    (aside,) = path.parent.glob(f"chats.{kind}-*.db")
    assert aside.read_bytes() == before
    (notice,) = store.notices
    assert str(aside) in notice
    if kind == "damaged":
        assert f"{len(store.chats())} chat" in notice
        assert f"{num_messages(store)} message" in notice
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert not list(path.parent.glob("*.partial*"))
    store.save_chat(chat(9999))
    assert store.flush(10)
    return store


def num_messages(store) -> int:
    return sum(len(store.messages(c.id)) for c in store.chats())


@pytest.mark.parametrize("fill", ["zeros", "noise"])
def test_around_damaged_pages_everything_is_recovered(make_store, path, fill):
    pages = pages_of(path, "messages")
    assert len(pages) > 12
    for place in (pages[1], pages[5], pages[6], pages[-1]):
        overwrite(path, place, bytes(PAGE) if fill == "zeros" else random.Random(1).randbytes(PAGE))
    store = reopened(make_store, path, path.read_bytes())
    kept = num_messages(store)
    assert NUM_MESSAGES * (1 - 8 / len(pages)) < kept < NUM_MESSAGES
    assert len(store.chats()) == NUM_CHATS + 1
    assert store.search("message 200")


@pytest.mark.parametrize("table", ["words_data", "sqlite_autoindex_messages_1", "messages_chat"])
def test_a_damaged_index_costs_nothing(make_store, path, table):
    overwrite(path, pages_of(path, table)[0], bytes(PAGE))
    store = reopened(make_store, path, path.read_bytes())
    assert num_messages(store) == NUM_MESSAGES
    assert {c.draft for c in store.chats()} >= {f"draft {n}" for n in range(1, NUM_CHATS + 1)}
    assert len(store.runs(1)) == NUM_MESSAGES / NUM_CHATS
    assert store.search("message 200")


def test_messages_of_a_lost_chat_get_a_chat(make_store, path):
    for place in pages_of(path, "chats"):
        overwrite(path, place, bytes(PAGE))
    store = reopened(make_store, path, path.read_bytes())
    assert num_messages(store) == NUM_MESSAGES
    assert {c.title for c in store.chats()} == {"Recovered chat", "Title"}


@pytest.mark.parametrize("fill", ["zeros", "noise", "version"])
def test_a_lost_first_page_costs_nothing(make_store, path, fill):
    if fill == "version":
        overwrite(path, 0, b"something else")
    else:
        overwrite(path, 0, bytes(PAGE) if fill == "zeros" else random.Random(2).randbytes(PAGE))
    store = reopened(make_store, path, path.read_bytes())
    assert num_messages(store) == NUM_MESSAGES
    assert len(store.chats()) == NUM_CHATS + 1


def test_a_lost_first_page_of_a_compacted_file_costs_nothing(make_store, path):
    store = make_store()
    store.delete_chat(1)
    assert store.flush(10)
    assert store.close()
    overwrite(path, 0, bytes(PAGE))
    store = reopened(make_store, path, path.read_bytes())
    assert num_messages(store) == NUM_MESSAGES - NUM_MESSAGES / NUM_CHATS


@pytest.mark.parametrize("share", [0.8, 0.5, 0.1])
def test_a_cut_file_gives_what_is_left(make_store, path, share):
    size = int(path.stat().st_size * share)
    with path.open("r+b") as file:
        file.truncate(size)
    store = reopened(make_store, path, path.read_bytes())
    assert num_messages(store) > (NUM_MESSAGES / 4 if share > 0.4 else -1)


@pytest.mark.parametrize("is_compacted", [False, True])
def test_a_file_cut_after_any_page_gives_every_message_that_is_whole(
    make_store, tmp_path, is_compacted
):
    store = make_store()
    for number in range(1, 4):
        store.save_chat(chat(number))
        for place in range(30):
            text = f"message {place} " + "text " * place * 4
            store.save_message(message(number * 100 + place, number, text))
    store.save_chat(chat(4))
    assert store.flush(10)
    if is_compacted:
        store.delete_chat(4)
        assert store.flush(10)
    assert store.close(10)
    data = store.path.read_bytes()
    cells = cells_of(store.path, "messages")
    last_root = max(roots_of(store.path))
    assert min(cells) > last_root
    for num_pages in range(1, len(data) // PAGE):
        folder = tmp_path / f"cut{num_pages}"
        folder.mkdir()
        (folder / "chats.db").write_bytes(data[: num_pages * PAGE])
        whole = sum(count for page, count in cells.items() if page <= num_pages)
        with closing(Store.open(folder, lambda problem: None)) as cut:
            assert num_messages(cut) == whole, num_pages


def test_a_file_whose_last_tables_are_cut_off_keeps_its_messages(make_store, path):
    """All of a small file stands in the pages where its tables begin."""
    store = make_store()
    for number in range(2, NUM_CHATS + 1):
        store.delete_chat(number)
    assert store.flush(10)
    kept = len(store.messages(1))
    assert store.close(10)
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'messages'"
        ).fetchone()
    data = path.read_bytes()
    first = max(root, *(place // PAGE + 1 for place in pages_of(path, "messages")))
    assert first < len(data) // PAGE
    path.write_bytes(data[: first * PAGE])
    assert num_messages(reopened(make_store, path, path.read_bytes())) == kept


@pytest.mark.parametrize(
    "content", [b"no database at all", b"\0" * 9000, b"SQLite format 3\0" * 999]
)
def test_a_file_that_is_no_database_is_set_aside(make_store, folder, content):
    folder.mkdir()
    path = folder / "chats.db"
    path.write_bytes(content)
    store = reopened(make_store, path, content)
    assert "0 chats and 0 messages" in store.notices[0]


def test_a_database_of_something_else_is_set_aside(make_store, folder):
    folder.mkdir()
    path = folder / "chats.db"
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("PRAGMA application_id = 5")
        other.execute("CREATE TABLE chats(a)")
        other.execute("INSERT INTO chats VALUES(1)")
    store = reopened(make_store, path, path.read_bytes(), "other")
    assert "is not a file of chats" in store.notices[0]
    assert "damaged" not in store.notices[0]


def test_an_empty_file_is_a_new_one(make_store, folder):
    folder.mkdir()
    (folder / "chats.db").touch()
    store = make_store()
    assert store.notices == ()
    assert store.chats() == []


@pytest.mark.parametrize("seed", range(12))
def test_any_damage_ends_in_a_store_that_works(make_store, path, seed):
    source = random.Random(seed)
    data = bytearray(path.read_bytes())
    for _ in range(source.randrange(1, 40)):
        place = source.randrange(len(data))
        piece = source.randbytes(source.choice((1, 16, 512, 9000)))
        data[place : place + len(piece)] = piece
    path.write_bytes(data[: source.randrange(len(data) // 2, len(data))])
    store = make_store()
    store.chats()
    store.save_chat(chat(9999))
    assert store.flush(10)
    assert 9999 in {c.id for c in store.chats()}
    assert store.search("message") is not None


def test_a_recovery_that_was_broken_off_at_its_end_is_finished(make_store, path):
    path.replace(path.with_name("chats.rebuilt.db"))
    store = make_store()
    assert len(store.chats()) == NUM_CHATS
