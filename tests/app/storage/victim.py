"""A process to be killed: it types, streams, edits, deletes and migrates, and says what it did.

`python -m tests.app.storage.victim FOLDER FIRST`: each line is the number of a chat and what its
draft, its reply and its being deleted must at least be by now; `kept` says that all above is.
"""

import random
import sys
import time
from pathlib import Path

from app.storage import Store
from app.storage.connection import version_of
from app.storage.schema import MIGRATIONS
from tests.app.storage.talk import chat, message


def step(connection) -> None:
    """A migration that changes every row."""
    connection.execute("UPDATE chats SET changed = changed + 1")
    connection.execute(f"CREATE TABLE IF NOT EXISTS step{version_of(connection) % 5}(a)")


def say(line: str) -> None:
    """One announcement, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def live(store: Store, number: int, source: random.Random) -> None:
    """A chat's life: a draft, a growing reply, sometimes an edit or an end."""
    for length in range(1, 12):
        store.save_chat(chat(number, draft="k" * length))
        say(f"draft {number} {length}")
        time.sleep(0.002)
    store.save_message(message(number * 10, number, "?"))
    for length in range(1, 12):
        store.save_message(message(number * 10 + 1, number, "word " * length * 40, number * 10))
        say(f"reply {number} {length * 200}")
        time.sleep(0.002)
    store.add_trace(number * 10 + 1, 0, 0, b"{}" * 100)
    if source.random() < 0.5:
        store.save_message(message(number * 10 + 1, number, "edit " * 500, number * 10))
    if source.random() < 0.3:
        store.delete_chat(number)
        say(f"gone {number} 0")
    if source.random() < 0.3 and store.flush(10):
        say("kept 0 0")


def main(folder: Path, first: int) -> None:
    """Until it is killed."""
    steps = (*MIGRATIONS, *(step for _ in range(first + 1)))
    store = Store.open(folder, lambda problem: say(f"problem {problem}"), steps)
    for notice in store.notices:
        say(f"notice {notice}")
    source = random.Random(first)
    number = first * 1000
    while True:
        number += 1
        live(store, number, source)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
