"""The whole app, killed in its first seconds: what was typed at once is there after a restart.

The model is a real one, so everything that a start imports is imported meanwhile. As in the test of
kills at any moment, `DRAFTSCOPE_KILLS` sets how often and `DRAFTSCOPE_PROMISED` what is promised.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.controllers.keeping import Keeper
from app.models.chats import Chats
from app.storage import Store
from tests.app.test_killed import NUM_KILLS, PROMISED_SECONDS

ROOT = Path(__file__).parents[2]
WORD = "typed at once"
PROGRAM = f"""
import sys
from PySide6.QtCore import QEvent, QObject, QTimer
from app.main import command, session

class Typist(QObject):
    # Types when the window is first painted; the line says that the word is there.
    def eventFilter(self, window, event):
        if event.type() == QEvent.Type.Paint:
            window.removeEventFilter(self)
            QTimer.singleShot(0, self.type)
        return False
    def type(self):
        self.parent().composer.edit.insertPlainText({WORD!r})
        sys.stdout.write("typed\\n")
        sys.stdout.flush()

class Typed(session.Session):
    def __init__(self, *given):
        super().__init__(*given)
        self.window.installEventFilter(Typist(self.window))

from app.main import start
start.Session = Typed
command()
"""


def kept_drafts(folder: Path) -> list[str]:
    """What the next start finds in the field."""
    problems: list[str | None] = []
    chats = Chats()
    keeper = Keeper(Store.open(folder, problems.append), chats)
    keeper.restore()
    for chat in chats.items:
        keeper.load(chat)
    drafts = [chat.draft.text for chat in chats.items]
    assert keeper.close()
    assert problems == []
    return drafts


@pytest.mark.timeout(60 + 20 * NUM_KILLS)
@pytest.mark.parametrize("number", range(NUM_KILLS))
def test_what_was_typed_at_once_is_there_after_a_kill(qapp, tmp_path: Path, number: int) -> None:
    places = {f"XDG_{name}_HOME": f"{tmp_path}/{name}" for name in ("CACHE", "CONFIG", "STATE")}
    environment = {**os.environ, **places, "HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    folder = tmp_path / "data"
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "--data-dir", str(folder), "--size", "1440x900"],
        cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert child.stdout is not None
    with child.stdout as words:
        assert words.readline() == b"typed\n"
        time.sleep(PROMISED_SECONDS)
        child.send_signal(signal.SIGKILL)
        assert child.wait() == -signal.SIGKILL
    assert WORD in kept_drafts(folder)
