"""What keeping chats costs: `python -m tests.bench.storage [CHATS]`.

Prints, and judges nothing: starting with many chats, searching them, opening a long one, keeping a
reply while it grows, cleaning up after a deletion, and the size of the file.
"""

import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from app.controllers.keeping import Keeper
from app.models.chats import Chats
from app.storage import ChatRecord, MessageRecord, Segment, Store

MESSAGES_PER_CHAT = 10
LONG_CHAT = 2_000
QUERIES = (
    "w42",
    "w42 w777",
    "common",
    "comm",
    "com",
    "co",
    "c",
    "th",
    "w1",
    "common these",
    "these nowherefound",
    "中",
    "文档",
    "common 中",
    "nowherefound",
    "title4",
)
HAN = "的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生文档"


def words(random_words: random.Random, count: int) -> str:
    """Text with a long tail of words, some that are in all or half of it, and some Chinese."""
    found = [f"w{int(random_words.paretovariate(0.6)) % 40_000}" for _ in range(count)]
    often = [word for word in ("comb", "the", "these") if random_words.random() < 0.5]
    return " ".join(["common", *often, *found]) + " " + "".join(random_words.choices(HAN, k=20))


def chat_of(number: int) -> ChatRecord:
    """A chat with nothing in it."""
    values = (
        False,
        float(number),
        float(number),
        False,
        False,
        None,
        None,
        "demo",
        {},
        "",
        (),
        None,
    )
    return ChatRecord(number, f"Title{number} of a chat", *values)


def message_of(number: int, chat: int, parent: int | None, text: str) -> MessageRecord:
    """A message of one segment."""
    role = "user" if number % 2 else "assistant"
    return MessageRecord(
        number, chat, parent, role, float(number), "demo", None, (Segment("text", text),)
    )


def say(line: str | None) -> None:
    """One line of what is found."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def timed(name: str, act: Callable[[], object], rounds: int = 1) -> object:
    """Print the best and the worst of some rounds; the last answer."""
    times, answer = [], None
    for _ in range(rounds):
        start = time.perf_counter()
        answer = act()
        times.append((time.perf_counter() - start) * 1000)
    say(f"{name:<44}{min(times):>10.1f} ms  (at most {max(times):.1f})")
    return answer


def fill(store: Store, num_chats: int) -> None:
    """Many chats, and a long one."""
    source = random.Random(7)
    number = 10_000_000
    for chat in range(1, num_chats + 1):
        store.save_chat(chat_of(chat))
        for place in range(MESSAGES_PER_CHAT):
            number += 1
            parent = number - 1 if place else None
            store.save_message(message_of(number, chat, parent, words(source, 90)))
    store.save_chat(chat_of(num_chats + 1))
    for place in range(LONG_CHAT):
        number += 1
        parent = number - 1 if place else None
        store.save_message(message_of(number, num_chats + 1, parent, words(source, 90)))


def restoring(store: Store) -> None:
    """The list of chats as the window takes it in: the longest turns of its own thread."""
    for _ in range(5):
        turns, coming = list[float](), Keeper(store, Chats()).restoring()
        is_over = False
        while not is_over:
            start = time.thread_time()
            is_over = next(coming, coming) is coming
            turns.append((time.thread_time() - start) * 1000)
        say(f"restoring: {len(turns)} turns, the longest {max(turns):.0f} ms of work")


def grow(store: Store, chat: int) -> None:
    """A reply of 100 KB, kept in 100 pieces."""
    text = words(random.Random(9), 16_000)[:100_000]
    for end in range(1_000, 100_001, 1_000):
        store.save_message(message_of(77, chat, None, text[:end]))
        time.sleep(0.02)


def main(num_chats: int) -> None:
    """All of it, in a folder of its own."""
    folder = Path(tempfile.mkdtemp())
    store = Store.open(folder, say)
    timed("hand over all", lambda: fill(store, num_chats))
    timed("write, index and clean", lambda: store.flush(600))
    store.close(60)
    say(f"size {store.path.stat().st_size / 1e6:.1f} MB")

    def check() -> None:
        with closing(sqlite3.connect(store.path)) as connection:
            connection.execute("PRAGMA quick_check").fetchall()

    timed("quick_check", check, 3)
    store = timed("open", lambda: Store.open(folder, say))
    assert isinstance(store, Store)
    timed("list of chats", store.chats, 3)
    restoring(store)
    timed(f"chat of {LONG_CHAT} messages", lambda: store.messages(num_chats + 1), 3)
    for query in QUERIES:
        num_hits = len(store.search(query))
        timed(f"search {query!r}: {num_hits} hits", partial(store.search, query), 5)
    timed("search 'common' in one old chat", lambda: store.search("common", chats=[3]), 3)
    timed("search 'common' in the long chat", lambda: store.search("common", chats=[num_chats + 1]))
    timed("growing reply, handed over in 2 s", lambda: grow(store, 5))
    timed("the rest of it", lambda: store.flush(60))
    store.delete_chat(6)
    timed("delete a chat and clean", lambda: store.flush(120))
    timed("close", lambda: store.close(10))
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000)
