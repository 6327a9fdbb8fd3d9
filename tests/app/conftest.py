"""A qasync event loop, and the whole window over a scripted worker, both gone after the test."""

import asyncio
import gc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt import plugin
from qasync import QEventLoop

from app.arguments import parse_arguments
from app.main.session import Session
from app.settings import Settings
from tests.fakes.scripted_worker import Script, ScriptedWorker


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings of a test are its own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[asyncio.AbstractEventLoop]:
    """qasync's loop over the application of pytest-qt."""
    qapp.setQuitOnLastWindowClosed(False)
    loop = QEventLoop(qapp)
    asyncio.set_event_loop(loop)
    # Between the parts of a test pytest-qt lets events run: tasks are among them, and need a loop.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plugin, "_process_events", partial(_turn, loop))
        yield loop
    loop.close()
    asyncio.set_event_loop(None)
    # qasync's timer is a Qt object in a cycle: it must die here, not on some worker's thread.
    del loop
    gc.collect()


def _turn(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_until_complete(asyncio.sleep(0))


class Desk:
    """A session on a scripted worker, its model loaded, driven from a test."""

    def __init__(self, loop: asyncio.AbstractEventLoop, worker: ScriptedWorker) -> None:
        self.loop, self.worker = loop, worker
        self.session = Session(
            parse_arguments(["--theme", "light"], Settings()), Settings(), worker
        )
        self.window, self.controller = self.session.window, self.session.controller
        self.chats = self.session.chats
        self.window.show()

    def load(self) -> None:
        """Load the scripted model."""
        self.wait(self.controller.load("demo"))

    def wait(self, work) -> None:
        """Run a coroutine to its end."""
        self.loop.run_until_complete(work)

    def ask(self, prompt: str = "Hello"):
        """Ask and wait for the end; the reply."""
        exchange = self.chats.current.ask(prompt)
        self.wait(self.controller.answer(self.chats.current, exchange))
        return exchange.reply

    def do(self, act: Callable[[], object]) -> None:
        """Do something as a click does it: inside the running loop."""

        async def acting() -> None:
            act()

        self.wait(acting())

    def settle(self, seconds: float = 0.0) -> None:
        """Let the loop go on for a while."""
        self.wait(asyncio.sleep(seconds))

    async def until(self, is_true: Callable[[], bool]) -> None:
        """Wait for a condition."""
        while not is_true():
            await asyncio.sleep(0.005)

    def close(self) -> None:
        """End everything."""
        if not self.session.is_closed:
            self.wait(self.session.close())
        self.settle()


@pytest.fixture
def make_desk(loop: asyncio.AbstractEventLoop) -> Iterator[Callable[..., Desk]]:
    """Makes sessions, and closes them after the test."""
    desks: list[Desk] = []

    def make(script: Script | None = None, *, is_loaded: bool = True, **options) -> Desk:
        desk = Desk(loop, ScriptedWorker(script, **options))
        desks.append(desk)
        if is_loaded:
            desk.load()
        return desk

    yield make
    for desk in desks:
        desk.close()
