"""The whole app, killed at any moment: what was on screen for a second is there after a restart.

`DRAFTSCOPE_KILLS` sets how often; few by default, for a start of the app takes its time. Every
other time it is killed while it pastes, attaches, imports or exports. The promise is a second
(`DRAFTSCOPE_PROMISED=1`); by default twice that is given, for a machine that is busy with other
work may not get to write in time.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

import pytest

from app.controllers.chat_files import write_whole
from app.controllers.keeping import Keeper
from app.models.chats import Chats
from app.models.conversation import Conversation
from app.storage import Store
from tests.app.victim import (
    EXPORTED,
    IMPORTED,
    MOMENTS,
    NUM_MESSAGES,
    digest,
    told_attachment,
)

NUM_KILLS = int(os.environ.get("DRAFTSCOPE_KILLS", "3"))
PROMISED_SECONDS = float(os.environ.get("DRAFTSCOPE_PROMISED", "2"))
START_SECONDS = 60.0


@pytest.mark.timeout(120 + 20 * NUM_KILLS)
def test_what_was_on_screen_is_there_after_a_kill(qapp, tmp_path: Path) -> None:
    chance = random.Random(7)
    checked = 0
    for number in range(NUM_KILLS):
        folder = tmp_path / str(number % 3)
        life = _Life(folder, number)
        life.end(chance.uniform(PROMISED_SECONDS + 0.5, PROMISED_SECONDS + 3.0))
        checked += _check(folder, life.promises, life.killed_at)
    assert checked > 0


@pytest.mark.timeout(120 + 20 * NUM_KILLS)
def test_a_kill_in_the_middle_of_something_long_leaves_it_whole_or_undone(
    qapp, tmp_path: Path
) -> None:
    chance = random.Random(11)
    for number in range(NUM_KILLS + 1):
        moment = MOMENTS[number % len(MOMENTS)]
        folder = tmp_path / moment
        life = _Life(folder, number, moment)
        life.end(chance.choice((chance.uniform(0, 0.6), chance.uniform(0, 3.0))))
        _check(folder, life.promises, life.killed_at)
        _check_imported(folder)
        _check_exported(folder)


class _Life:
    """An app from its first word on, or from the moment that it tells of; what it says."""

    def __init__(self, folder: Path, seed: int, moment: str = "") -> None:
        command = [sys.executable, "-m", "tests.app.victim", str(folder), str(seed), moment]
        environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
        self._child = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
        self.promises: list[dict[str, Any]] = []
        self.killed_at = 0.0
        self._moment, self._has_begun = moment, threading.Event()
        assert self._child.stdout is not None
        self._listener = threading.Thread(target=self._listen, args=(self._child.stdout,))
        self._listener.start()

    def end(self, seconds: float) -> None:
        """Kill it so long after it began."""
        has_begun = self._has_begun.wait(START_SECONDS)
        if has_begun:
            time.sleep(seconds)
        self.killed_at = time.monotonic()
        self._child.send_signal(signal.SIGKILL)
        status = self._child.wait()
        self._listener.join()
        assert has_begun, "the app did not start"
        assert status == -signal.SIGKILL, "the app ended by itself"

    def _listen(self, words: IO[bytes]) -> None:
        with words:
            for line in words:
                # The last one may be cut.
                if line.endswith(b"\n"):
                    self._take(json.loads(line))

    def _take(self, said: dict[str, Any]) -> None:
        if "doing" not in said:
            self.promises.append(said)
        if "doing" in said or not self._moment:
            self._has_begun.set()


def _check_imported(folder: Path) -> None:
    """Of each chat that came in everything is there."""
    query = (
        "SELECT count(messages.id) FROM chats LEFT JOIN messages ON messages.chat = chats.id"
        " WHERE title = ? GROUP BY chats.id"
    )
    with sqlite3.connect(folder / "chats.db") as database:
        counts = {count for (count,) in database.execute(query, (IMPORTED,))}
    database.close()
    assert counts <= {NUM_MESSAGES}


def _check_exported(folder: Path) -> None:
    """A file that is there is a whole one; what else there was, the next export takes away."""
    path = folder / EXPORTED
    if path.exists():
        assert json.loads(path.read_text(encoding="utf-8"))["chats"]
    write_whole(folder / "next.md", ["next"])
    assert not list(folder.glob(".*.partial"))


def _check(folder: Path, promises: list[dict[str, Any]], killed_at: float) -> int:
    """The file is sound, and holds what was on screen a second before; how much was looked at."""
    with sqlite3.connect(folder / "chats.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    database.close()
    problems: list[str | None] = []
    store = Store.open(folder, problems.append)
    assert store.notices == ()
    chats = Chats()
    keeper = Keeper(store, chats)
    keeper.restore()
    try:
        return sum(_is_kept(keeper, chats, each) for each in _due(promises, killed_at))
    finally:
        keeper.close()
        assert problems == []


def _due(promises: list[dict[str, Any]], killed_at: float) -> list[dict[str, Any]]:
    """Of each chat, the last that was told at least a second before the end.

    Unless something else was told of it since: then either may be what is kept.
    """
    last: dict[int, dict[str, Any]] = {}
    for each in promises:
        if each["at"] <= killed_at - PROMISED_SECONDS:
            last[each["chat"]] = each
    later = [each for each in promises if each["at"] > killed_at - PROMISED_SECONDS]
    return [each for each in last.values() if not any(_parts(each, other) for other in later)]


def _parts(promise: dict[str, Any], later: dict[str, Any]) -> bool:
    """Whether a later word on the same chat is not just more of the same."""
    if promise["chat"] != later["chat"]:
        return False
    grown = len(later["path"]) >= len(promise["path"]) and all(
        old[:3] == new[:3] and str(new[3]).startswith(str(old[3]))
        for old, new in zip(promise["path"], later["path"], strict=False)
    )
    is_kept = later["attached"][: len(promise["attached"])] == promise["attached"]
    return not grown or not is_kept or not later["draft"].startswith(promise["draft"])


def _is_kept(keeper: Keeper, chats: Chats, promise: dict[str, Any]) -> bool:
    if not (promise["path"] or promise["draft"] or promise["attached"]):
        return False
    chat = next((each for each in chats.items if each.id == promise["chat"]), None)
    assert chat is not None, promise
    keeper.load(chat)
    _compare(chat, promise)
    return True


def _compare(chat: Conversation, promise: dict[str, Any]) -> None:
    assert chat.draft.text.startswith(promise["draft"]), promise
    attached = list(map(told_attachment, chat.draft.attachments))
    assert attached[: len(promise["attached"])] == promise["attached"], promise
    shown = chat.exchanges
    assert len(shown) >= len(promise["path"]), promise
    for kept, told in zip(shown, promise["path"], strict=False):
        assert [kept.id, kept.variant.id, digest(kept.prompt)] == told[:3], promise
        assert kept.reply.text.startswith(str(told[3])), promise
