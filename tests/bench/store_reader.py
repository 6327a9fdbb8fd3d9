"""The store fed with damaged files of chats, as the app opens them and brings chats back."""

import random
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from app.controllers.keeping import Keeper
from app.models.chat_settings import ChatSettings
from app.models.chats import Chats
from app.models.summary import summary_line
from app.storage import (
    ChatRecord,
    FolderRecord,
    MessageRecord,
    RunRecord,
    Segment,
    StorageError,
    Store,
)
from engine import SamplingParams
from tests.bench.mutations import ODD_VALUES, damaged, damaged_json
from tests.bench.verdict import UnsoundError, said

_SETTINGS = ChatSettings(
    system="Be brief.",
    sampling=SamplingParams(temperature=0.5, top_p=0.9, top_k=5, seed=3),
    max_tokens=100,
)
_TEXT = "The quick brown fox jumps over the lazy dog. 東京 "


def store_seed(folder: Path) -> bytes:
    """A small file of chats with one of everything in it."""
    store = Store.open(folder, lambda problem: None)
    store.save_folder(FolderRecord(1, "Folder", 1.0))
    for number in range(1, 5):
        store.save_chat(
            ChatRecord(
                number,
                f"Chat {number}",
                False,
                1.0,
                float(number),
                False,
                False,
                None,
                1 if number == 1 else None,
                "demo",
                {"temperature": 1},
                f"draft {number}",
                (Segment("attachment", _TEXT, "a.txt"),),
                None,
            )
        )
        parent = None
        for at in range(6):
            id = number * 100 + at
            segments = (Segment("thinking", _TEXT, seconds=1.0), Segment("text", _TEXT * 8))
            role = "assistant" if at % 2 else "user"
            store.save_message(
                MessageRecord(id, number, parent, role, float(id), "demo", None, segments)
            )
            store.save_run(RunRecord(id, 0, 12, "stop", {"tokens": 3}, None, {"reused": 1}))
            store.add_trace(id, 0, 0, b'{"type": "start"}\n')
            parent = id
    store.delete_chat(4)
    if not store.close(20):
        raise UnsoundError("the seed could not be written")
    return store.path.read_bytes()


def store_case(chance: random.Random, folder: Path, seed: bytes) -> str:
    """A damaged file of chats, opened and brought back whole, written to, and closed."""
    data = folder / "data"
    data.mkdir()
    path = data / "chats.db"
    if chance.random() < 0.6:
        path.write_bytes(damaged(chance, seed, seed[::-1]))
    else:
        path.write_bytes(seed)
        _change_values(chance, path)
    problems: list[str | None] = []
    try:
        store = Store.open(data, problems.append)
    except StorageError as error:
        return said(str(error))
    try:
        _read_all(store, problems)
        store.save_folder(FolderRecord(99, "New", 1.0))
        store.flush(1)
    finally:
        store.close(1)
    return said(*store.notices, *problems)


def _change_values(chance: random.Random, path: Path) -> None:
    """Values of a sound file that nothing of ours has written."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for _ in range(chance.choice((1, 1, 3))):
            table = chance.choice(("chats", "folders", "drafts", "messages", "runs", "traces"))
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            column = chance.choice([each for each in columns if each not in ("seq", "id")])
            seqs = [seq for (seq,) in connection.execute(f"SELECT seq FROM {table}")]
            seq = chance.choice(seqs)
            question = f"SELECT {column} FROM {table} WHERE seq = ?"
            (old,) = connection.execute(question, (seq,)).fetchone()
            new = _other_value(chance, old)
            # Some columns refuse some values, as they would refuse them to anybody.
            with suppress(sqlite3.IntegrityError, sqlite3.DataError, OverflowError):
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE seq = ?", (new, seq))


def _other_value(chance: random.Random, old: object) -> object:
    if isinstance(old, str) and old.startswith(("{", "[")) and chance.random() < 0.7:
        return damaged_json(chance, old.encode()).decode("utf-8", "replace")
    usual = (None, -1, 0, 2**62, -0.5, 1e308, float("inf"), "", "text", b"\xff\x00", "9" * 400)
    return chance.choice((*usual, *ODD_VALUES[:20]))


def _read_all(store: Store, problems: list[str | None]) -> None:
    """As at a start, and as every chat is opened and every reply looked at."""
    chats = Chats()
    keeper = Keeper(store, chats)
    keeper.said.connect(problems.append)
    keeper.restore()
    for chat in chats.items:
        keeper.load(chat)
        for exchange in chat.exchanges:
            summary_line(exchange.reply)
    try:
        for record in store.chats():
            for message in store.messages(record.id):
                store.trace(message.id, 0)
        store.search("quick")
    except StorageError as error:
        problems.append(str(error))
    keeper.close()
