"""One run of the window: everything it is made of, its life, and the end of all of them."""

import asyncio
import os
import signal
from pathlib import Path
from typing import cast

from PySide6.QtCore import QObject

from app.arguments import Arguments
from app.bridge import Bridge, Worker
from app.collector import Collector
from app.controllers.chat import ChatController
from app.controllers.compare import CompareController
from app.controllers.failures import FailureReporter
from app.controllers.traces import TraceController
from app.main.picture import complain, save_picture
from app.models.comparison import Comparison
from app.models.conversation import Chats, Conversation
from app.models.display import TokenDisplay
from app.models.inspection import Inspection
from app.models.model_state import ModelState
from app.models.speculation import SpeculationSettings
from app.models.trace_format import Format
from app.settings import Settings, settings_path, update_settings
from app.theme import Theme, ThemeName
from app.views.window import MainWindow

SETTLE_SECONDS = 0.5
INTERRUPTS = (signal.SIGINT, signal.SIGTERM)


class Session:
    """Everything one run of the window is made of."""

    def __init__(self, arguments: Arguments, settings: Settings, worker: Worker) -> None:
        self._arguments, self._settings, self._worker = arguments, settings, worker
        self._interrupted = 0
        self.is_closed = False
        # One root, deleted at the end on this thread: a Qt object must not die on the worker's.
        self._root = root = QObject()
        self.collector = Collector(root)
        self.theme = Theme(cast(ThemeName, arguments.theme), root)
        self.chats, self.model = Chats(root), ModelState(root)
        self.speculation = SpeculationSettings(
            settings.speculation, os.environ, arguments.flags, root
        )
        self.display = TokenDisplay(settings.show_tints, root)
        self.inspection, self.comparison = Inspection(root), Comparison(root)
        self.failures = FailureReporter(root)
        self.bridge = Bridge(worker, root)
        self.controller = ChatController(
            worker, self.bridge, self.chats, self.model, self.speculation, self.failures, root
        )
        self.traces = TraceController(self.chats, self.failures, root)
        self.compare = CompareController(
            self.controller, self.comparison, self.model, self.failures, root
        )
        self.controller.sampling = arguments.sampling
        self.controller.system = arguments.system
        self.controller.max_tokens = arguments.max_tokens
        self.controller.trace = arguments.trace
        self.model.name = arguments.model if arguments.loads_model else ""
        self.window = MainWindow(
            self.theme,
            self.chats,
            self.model,
            self.speculation,
            self.display,
            self.inspection,
            self.comparison,
        )
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
        self.chats.current_changed.connect(self._load_for)
        controller.running_changed.connect(window.set_running)
        self.failures.reported.connect(window.say)
        window.compare.run_requested.connect(self.compare.start)
        window.compare.stop_requested.connect(self.compare.stop)
        window.trace_opened.connect(self.traces.open_file)
        window.header.traces.save_requested.connect(self._save_trace)
        window.header.traces.suggest = self._suggest_name
        self.traces.said.connect(window.say)
        self.speculation.file_changed.connect(self._on_flags_of_all_chats)
        self.chats.current_changed.connect(self._use_chat)
        self._use_chat(self.chats.current)

    async def run(self, notice: str | None = None) -> int:
        """Show the window, load the model, live until the window closes; the exit status."""
        closed = asyncio.Event()
        self.window.closed.connect(closed.set)
        self.failures.install()
        previous = {number: signal.signal(number, self._interrupt) for number in INTERRUPTS}
        self.window.show()
        self.collector.start()
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
        """Load the model, unless a trace is opened and none was asked for; then what was asked."""
        arguments = self._arguments
        if arguments.opened is not None:
            await self.open(arguments.opened)
        if arguments.loads_model:
            await self.controller.load(arguments.model)
        if arguments.opened is None and arguments.pane != "live":
            self.window.show_pane(arguments.pane)
        for sentence in self.speculation.problems:
            complain(sentence, 0)
        said = [sentence for sentence in (notice, *self.speculation.problems) if sentence]
        if said:
            self.window.say(" ".join(said))
        if arguments.prompt is not None:
            self.controller.send(arguments.prompt)

    async def open(self, path: Path) -> bool:
        """Show a trace, at the step and in the pane that were asked for; whether it could be."""
        chat = await self.traces.open(path)
        if chat is None or chat.playback is None:
            return False
        # A long one is played to its end in slices.
        while not chat.playback.is_settled:
            await asyncio.sleep(0)
        self.look()
        return True

    def look(self) -> None:
        """Bring the pane and the step to the front that the command line names."""
        if self.window.is_inspector_shown or self._arguments.pane != "live":
            self.window.show_pane(self._arguments.pane)
        step, there = self._arguments.step, self.inspection.num_steps
        if step is None:
            self.window.trace_bar.setFocus()
            return
        if step > there:
            complain(f"There is no step {step}; the last one, {there}, is shown.", 0)
        self.inspection.select_step(step - 1)
        self.window.focus_selection()

    async def _picture(self, path: Path) -> int:
        """Show a trace, or answer the prompt, and save the window as a picture; exit status."""
        for sentence in self.speculation.problems:
            complain(sentence, 0)
        opened = self._arguments.opened
        if opened is not None:
            refusals: list[str] = []
            self.traces.said.connect(refusals.append)
            if not await self.open(opened):
                return complain(refusals[-1], 2)
        if self._arguments.loads_model and not self._interrupted:
            await self.controller.load(self._arguments.model)
        if opened is None and not self._interrupted and self.model.failure is None:
            exchange = self.chats.current.ask(self._arguments.prompt or "")
            await self.controller.answer(self.chats.current, exchange)
            self.look()
        await asyncio.sleep(SETTLE_SECONDS)
        return self._interrupted or save_picture(self.window, self.model, self.chats.current, path)

    async def close(self) -> None:
        """End everything, once."""
        self.is_closed = True
        self.window.hide()
        self.traces.close()
        await self.failures.stop_all()
        self.bridge.close()
        self._worker.close()
        self.collector.stop()
        self.failures.uninstall()
        if self._arguments.screenshot is None:
            self._remember()
        self.window.deleteLater()
        self._root.deleteLater()

    def _load_for(self, chat: Conversation) -> None:
        """A chat to talk in needs a model, where none was loaded because a trace was opened."""
        if self.model.stage == "none" and not self.model.name and not chat.is_read_only:
            self.failures.start(self.controller.load(self._arguments.model))

    def _save_trace(self, path: Path, kind: Format) -> None:
        reply = self.inspection.reply
        if reply is not None:
            self.traces.save_file(self.chats.current, reply, path, kind)

    def _suggest_name(self, kind: Format) -> str:
        return self.traces.suggested_name(self.chats.current, kind)

    def _use_chat(self, chat: Conversation) -> None:
        self.speculation.use_chat(chat.overrides)

    def _on_flags_of_all_chats(self) -> None:
        """Written at once; the window's own things wait for the end."""
        if self._arguments.screenshot is None:
            changes = {"speculation": self.speculation.file_values}
            sentence = update_settings(settings_path(), changes)
            if sentence is not None:
                self.window.say(sentence)

    def _remember(self) -> None:
        """The window's own things, for the next start; a size that was asked for is no habit."""
        window = self.window
        changes: dict[str, object] = {
            "show_inspector": window.wants_inspector,
            "show_tints": self.display.is_on,
        }
        if self._arguments.size is None:
            changes |= {"width": window.width(), "height": window.height()}
        sentence = update_settings(settings_path(), changes)
        if sentence is not None:
            complain(sentence, 0)
