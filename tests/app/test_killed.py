"""The whole app, killed at any moment: what was on screen for a second is there after a restart.

`DRAFTSCOPE_KILLS` sets how often; few by default, for a start of the app takes its time. The
promise is a second (`DRAFTSCOPE_PROMISED=1`); by default twice that is given, for a machine that is
busy with other work may not get to write in time.
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from app.controllers.keeping import Keeper
from app.models.chats import Chats
from app.storage import Store

NUM_KILLS = int(os.environ.get("DRAFTSCOPE_KILLS", "3"))
PROMISED_SECONDS = float(os.environ.get("DRAFTSCOPE_PROMISED", "2"))


def test_what_was_on_screen_is_there_after_a_kill(qapp, tmp_path: Path) -> None:
    chance = random.Random(7)
    checked = 0
    for number in range(NUM_KILLS):
        folder = tmp_path / str(number % 3)
        promises, killed_at = _life(
            folder, number, chance.uniform(PROMISED_SECONDS + 0.5, PROMISED_SECONDS + 3.0)
        )
        checked += _check(folder, promises, killed_at)
    assert checked > 0


def _life(folder: Path, seed: int, seconds: float) -> tuple[list[dict[str, Any]], float]:
    command = [sys.executable, "-m", "tests.app.victim", str(folder), str(seed)]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    child = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
    assert child.stdout is not None
    first = child.stdout.readline()
    assert first, "the app did not start"
    time.sleep(seconds)
    killed_at = time.monotonic()
    child.send_signal(signal.SIGKILL)
    rest, _ = child.communicate()
    lines = [first, *rest.splitlines(keepends=True)]
    return [json.loads(line) for line in lines if line.endswith(b"\n")], killed_at


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
    return not grown or not later["draft"].startswith(promise["draft"])


def _is_kept(keeper: Keeper, chats: Chats, promise: dict[str, Any]) -> bool:
    if not promise["path"] and not promise["draft"]:
        return False
    chat = next((each for each in chats.items if each.id == promise["chat"]), None)
    assert chat is not None, promise
    keeper.load(chat)
    assert chat.draft.prompt.startswith(promise["draft"]), promise
    shown = chat.exchanges
    assert len(shown) >= len(promise["path"]), promise
    for kept, told in zip(shown, promise["path"], strict=False):
        assert [kept.id, kept.variant.id, kept.prompt] == told[:3], promise
        assert kept.reply.text.startswith(str(told[3])), promise
    return True
