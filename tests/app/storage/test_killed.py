"""A process killed at any moment leaves a sound file, and what it had kept for a second is in it.

DRAFTSCOPE_KILLS sets how many are killed, 12 if nothing is said.
"""

import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing

import pytest

from app.storage.rows import segments_of

NUM_KILLS = int(os.environ.get("DRAFTSCOPE_KILLS", "12"))


def lived(folder, first: int, seconds: float) -> tuple[list[tuple[float, str]], float]:
    """Let a victim live so long after its first word: what it said, and when it was killed."""
    victim = subprocess.Popen(
        [sys.executable, "-m", "tests.app.storage.victim", str(folder), str(first)],
        stdout=subprocess.PIPE,
        text=True,
    )
    said: list[tuple[float, str]] = []

    def listen() -> None:
        assert victim.stdout is not None
        for line in victim.stdout:
            said.append((time.monotonic(), line))

    listener = threading.Thread(target=listen)
    listener.start()
    time.sleep(seconds)
    killed = time.monotonic()
    victim.kill()
    victim.wait()
    listener.join()
    assert victim.stdout is not None
    victim.stdout.close()
    return said, killed


def promised(said: list[tuple[float, str]], killed: float) -> dict[str, dict[int, int]]:
    """What must be there: all above a `kept`, and all said a second before the end."""
    last_kept = max(
        (at for at, (_, line) in enumerate(said) if line.startswith("kept")), default=-1
    )
    found: dict[str, dict[int, int]] = {"draft": {}, "reply": {}, "gone": {}}
    for at, (when, line) in enumerate(said):
        kind, *rest = line.split()
        assert kind in {"kept", *found} or "earlier version" in line, line
        # The last line may be cut.
        if kind in found and len(rest) == 2 and (at <= last_kept or when < killed - 1.0):
            found[kind][int(rest[0])] = int(rest[1])
    return found


def check(path, promises: dict[str, dict[int, int]], all_gone: set[int]) -> int:
    """Compare with the file; how many promises there were."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        drafts = dict(connection.execute("SELECT chat, text FROM drafts"))
        replies = dict(connection.execute("SELECT id, segments FROM messages"))
        chats = {number for (number,) in connection.execute("SELECT id FROM chats")}
    for number, length in promises["draft"].items():
        assert number in all_gone or len(drafts[number]) >= length
    for number, length in promises["reply"].items():
        if number not in all_gone:
            (segment,) = segments_of(replies[number * 10 + 1], pytest.fail)
            assert len(segment.text) >= length
    assert chats.isdisjoint(promises["gone"])
    return sum(map(len, promises.values()))


@pytest.mark.timeout(30 + 3 * NUM_KILLS)
def test_nothing_is_lost_by_a_kill(folder):
    source = random.Random()
    folder.mkdir()
    num_promises = num_files = 0
    for life in range(NUM_KILLS):
        is_long = life % 8 == 7
        seconds = source.uniform(1.4, 2.0) if is_long else source.uniform(0.1, 0.5)
        said, killed = lived(folder, life + 1, seconds)
        if not (folder / "chats.db").exists():
            continue
        gone = {int(line.split()[1]) for _, line in said if line.startswith("gone")}
        num_promises += check(folder / "chats.db", promised(said, killed), gone)
        num_files += 1
    sys.stdout.write(f"{num_promises} promises in {num_files} lives\n")
    assert num_promises > NUM_KILLS
    assert not list(folder.glob("*damaged*"))
