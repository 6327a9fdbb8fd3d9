"""One run of the window: everything it is made of, its life, and the end of all of them."""

import asyncio
import signal
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

from PySide6.QtCore import QObject

from app.arguments import Arguments
from app.bridge import Bridge, Worker
from app.collector import Collector
from app.controllers.chat import ChatController
from app.controllers.failures import FailureReporter
from app.models.conversation import Chats
from app.models.display import TokenDisplay
from app.models.model_state import ModelState
from app.models.speculation import SpeculationSettings
from app.settings import Settings, settings_path, write_settings
from app.theme import Theme, ThemeName
from app.views.window import MainWindow

SETTLE_SECONDS = 0.5
INTERRUPTS = (signal.SIGINT, signal.SIGTERM)


class Session:
    """Everything one run of the window is made of."""

    def __init__(self, arguments: Arguments, settings: Settings, worker: Worker) -> None:
        self._arguments, self._settings, self._worker = arguments, settings, worker
        self._interrupted = 0
        # One root, deleted at the end on this thread: a Qt object must not die on the worker's.
        self._root = root = QObject()
        self._collector = Collector(root)
        self.theme = Theme(cast(ThemeName, arguments.theme), root)
        self.chats, self.model = Chats(root), ModelState(root)
        self.speculation = SpeculationSettings(arguments.speculation, root)
        self.display = TokenDisplay(settings.show_tints, root)
        self.failures = FailureReporter(root)
        self.bridge = Bridge(worker, root)
        self.controller = ChatController(
            worker, self.bridge, self.chats, self.model, self.speculation, self.failures, root
        )
        self.controller.sampling = arguments.sampling
        self.controller.system = arguments.system
        self.controller.max_tokens = arguments.max_tokens
        self.controller.trace = arguments.trace
        self.model.name = arguments.model
        self.window = MainWindow(self.theme, self.chats, self.model, self.speculation, self.display)
        self.window.resize(*(arguments.size or (settings.width, settings.height)))
        self.window.set_wants_inspector(settings.show_inspector)
        self._connect()

    def _connect(self) -> None:
        window, controller = self.window, self.controller
        window.send_requested.connect(controller.send)
        window.retry_requested.connect(controller.retry)
        window.stop_requested.connect(controller.stop)
        window.reload_requested.connect(controller.reload)
        window.new_requested.connect(controller.new_chat)
        window.chat_chosen.connect(controller.open_chat)
        controller.running_changed.connect(window.set_running)
        self.failures.reported.connect(window.say)

    async def run(self, notice: str | None = None) -> int:
        """Show the window, load the model, live until the window closes; the exit status."""
        closed = asyncio.Event()
        self.window.closed.connect(closed.set)
        self.failures.install()
        previous = {number: signal.signal(number, self._interrupt) for number in INTERRUPTS}
        self.window.show()
        self._collector.start()
        # The window is painted before the worker's imports compete for the interpreter.
        await asyncio.sleep(0.03)
        try:
            if self._arguments.screenshot is not None:
                return await self._picture(self._arguments.screenshot)
            self.failures.start(self._begin(notice))
            await closed.wait()
            return self._interrupted
        finally:
            await self.close()
            for number, handler in previous.items():
                signal.signal(number, handler)

    def _interrupt(self, number: int, _frame: object) -> None:
        """Ctrl-C, or a kind kill: close as the window's own button does.

        Python gets to this when the collector's timer next gives it a turn.
        """
        self._interrupted = 128 + number
        self._worker.cancel()
        self.window.close()

    async def _begin(self, notice: str | None) -> None:
        await self.controller.load(self._arguments.model)
        if notice is not None:
            self.window.say(notice)
        if self._arguments.prompt is not None:
            self.controller.send(self._arguments.prompt)

    async def _picture(self, path: Path) -> int:
        """Answer the prompt and save the window as a picture; the exit status."""
        await self.controller.load(self._arguments.model)
        if not self._interrupted and self.model.failure is None:
            exchange = self.chats.current.ask(self._arguments.prompt or "")
            await self.controller.answer(self.chats.current, exchange)
            await asyncio.sleep(SETTLE_SECONDS)
        return self._interrupted or self._save(path)

    def _save(self, path: Path) -> int:
        """Save the picture and say what went wrong: 1 while the reply ran, 2 before it could."""
        if self.model.failure is not None:
            return complain(self.model.failure.sentence, 2)
        reply = self.chats.current.exchanges[-1].reply
        for notice in reply.notices:
            complain(notice, 0)
        if not self.window.grab().save(str(path), "PNG"):
            return complain(f"The picture could not be written to {path}.", 2)
        if reply.failure is None:
            return 0
        return complain(reply.failure.sentence, 2 if reply.run is None else 1)

    async def close(self) -> None:
        self.window.hide()
        await self.failures.stop_all()
        self.bridge.close()
        self._worker.close()
        self._collector.stop()
        self.failures.uninstall()
        if self._arguments.screenshot is None:
            self._remember()
        self.window.deleteLater()
        self._root.deleteLater()

    def _remember(self) -> None:
        params, window = self.speculation.params, self.window
        settings = replace(
            self._settings,
            width=window.width(),
            height=window.height(),
            show_inspector=window.wants_inspector,
            show_tints=self.display.is_on,
            speculation=params.enabled,
            replay=params.replay,
            exclude=params.exclude,
            draft_length=params.draft_length,
        )
        sentence = write_settings(settings_path(), settings)
        if sentence is not None:
            complain(sentence, 0)


def complain(sentence: str, status: int) -> int:
    """Say one sentence on standard error, if there is one, and pass the exit status through."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            sys.stderr.write(" ".join(sentence.split()) + "\n")
    return status
