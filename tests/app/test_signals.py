"""Signals that end the app: everything is kept, whenever one comes, and whoever reads no more."""

import os
import pty
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from app.main.session import Session, ending_signals

ROOT = Path(__file__).parents[2]
PROGRAM = """
import faulthandler, signal, sys
# Who runs the tests under `nohup` has it ignored.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
# Where it is, should it not come to an end.
faulthandler.dump_traceback_later(35, file=open(sys.argv[2] + "/stack.txt", "w"))
from app.main.session import Session, ending_signals
from app.main.start import main
from tests.fakes.scripted_worker import ScriptedWorker
begin = Session._begin
async def begun(self, *rest):
    await begin(self, *rest)
    self.window.composer.edit.insertPlainText("half a thou")
    print("typed", flush=True)
Session._begin = begun
sys.exit(main(sys.argv[1:], lambda budget: ScriptedWorker()))
"""


def test_the_signals_that_end_it_are_caught_unless_they_were_ignored():
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    previous = {number: signal.signal(number, signal.SIG_DFL) for number in numbers}
    try:
        assert set(ending_signals()) == set(numbers)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        assert set(ending_signals()) == set(numbers[:2])
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def test_a_terminal_that_is_closed_loses_no_word(tmp_path):
    """Its end sends the signal, and takes the streams away."""
    places = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("CACHE", "CONFIG", "STATE")}
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "--data-dir", str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, **places, "QT_QPA_PLATFORM": "offscreen"},
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    try:
        seen = b""
        while b"typed" not in seen:
            seen += os.read(ours, 1000)
        os.close(ours)
        process.send_signal(signal.SIGHUP)
        assert process.wait(timeout=40) == 128 + signal.SIGHUP
    except subprocess.TimeoutExpired:
        pytest.fail((tmp_path / "stack.txt").read_text())
    finally:
        process.kill()
        process.wait()
    with closing(sqlite3.connect(tmp_path / "chats.db")) as kept:
        assert kept.execute("SELECT text FROM drafts").fetchall() == [("half a thou",)]


class Painted(QWidget):
    """Painting it is interrupted."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self.was_shown: list[bool] = []

    def paintEvent(self, _event) -> None:
        self._session._interrupt(signal.SIGTERM, None)
        self.was_shown.append(self._session.window.isVisible())


def test_a_signal_in_the_middle_of_painting_closes_the_window_after_it(make_desk):
    desk = make_desk()
    painted = Painted(desk.session, desk.window)
    painted.resize(20, 20)
    desk.do(lambda: (painted.show(), painted.repaint()))
    assert painted.was_shown[0]
    desk.wait(desk.until(lambda: not desk.window.isVisible()))
