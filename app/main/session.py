"""The life of one run of the window, and the end of it."""

import asyncio
import signal
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer

from app.arguments import Arguments
from app.bridge import Worker
from app.main.assembly import Assembly
from app.main.closing import Closing
from app.main.crash import crash_sentence
from app.main.instance import Door
from app.main.logs import ModelLife, log_folder
from app.main.marker import Left, loads_at_start
from app.main.marker import notice as marker_notice
from app.main.picture import complain, save_picture
from app.main.reporting import Reporting, Whereabouts
from app.main.storing import Trouble
from app.main.warming import warm_up
from app.models.conversation import Conversation
from app.settings import Settings
from app.storage import Keeping, data_folder

SETTLE_SECONDS = 0.5
# A load deep in an import is not waited for any longer; `exit_process` leaves it.
WORKER_SECONDS = 1.0
_INTERRUPTS = ("SIGINT", "SIGTERM", "SIGHUP")  # not every system has the last


def ending_signals() -> list[signal.Signals]:
    """The signals that close the window; what is ignored from outside, as by `nohup`, stays so."""
    there = (each for each in signal.Signals if each.name in _INTERRUPTS)
    return [each for each in there if signal.getsignal(each) is not signal.SIG_IGN]


class Session(Assembly):
    """Begins, brings back what was kept, goes on until the window closes, and ends everything."""

    def __init__(
        self,
        arguments: Arguments,
        settings: Settings,
        worker: Worker,
        store: Keeping | None = None,
        trouble: Trouble | None = None,
    ) -> None:
        super().__init__(arguments, settings, worker, store, trouble)
        self._interrupted = 0
        self._closing = Closing(self.window, self.chats, self.store, self.keeper, trouble)
        self.window.may_close = self._may_close
        self._make_reporting(worker)
        self.is_closed = False

    def _make_reporting(self, worker: Worker) -> None:
        folder = self._arguments.data_dir or data_folder()
        self.door = Door(folder, self._root)
        self.door.asked.connect(self.habits.dock.take)
        places = Whereabouts(folder, log_folder())
        self.reporting = Reporting(
            self.window, self.theme, self.model, worker.health, places, self._is_idle, self._root
        )
        self.reporting.said.connect(self.window.warn)
        self.habits.commands.bind("diagnostics", self.reporting.open)
        life = ModelLife(self.model, self._root)
        self.controller.answered.connect(
            lambda _chat, exchange: life.note_end(exchange.reply.failure)
        )

    def _is_idle(self) -> bool:
        return not self.controller.is_busy and self.model.stage != "loading"

    async def run(self, notice: str | None = None, crashes: tuple[Path, ...] = ()) -> int:
        """Show the window, load the model, live until the window closes; the exit status."""
        closed = asyncio.Event()
        self.window.closed.connect(closed.set)
        self.failures.install()
        previous = {number: signal.signal(number, self._interrupt) for number in ending_signals()}
        if self._arguments.screenshot is None:
            self.failures.start(warm_up())
        self.window.show()
        # The window is painted before the worker's imports compete for the interpreter.
        await asyncio.sleep(0.03)
        self.collector.start()
        try:
            if self._arguments.screenshot is not None:
                return await self._picture(self._arguments.screenshot)
            for _ in self.keeper.restoring():
                await asyncio.sleep(0)
            self._open_last()
            self.collector.settle()
            self.room.start()
            if self.store.path is not None:
                self.door.open()
                self.reporting.start()
            self.failures.start(self._begin(notice, crashes))
            await closed.wait()
            return self._interrupted
        finally:
            await self.close()
            for number, handler in previous.items():
                signal.signal(number, handler)

    def bring_back(self) -> None:
        """The chats that were kept, and the one that was open."""
        self.keeper.restore()
        self._open_last()

    def _open_last(self) -> None:
        self.organiser.purge()
        last = self._last_open()
        wants_new = self._arguments.prompt is not None or self._arguments.opened is not None
        if last is not None and not wants_new:
            self.controller.open_chat(last)
        # Written at the end: after a crash it is not there, and what changed last is shown.
        self.memory.write({"chat": 0})

    def _last_open(self) -> Conversation | None:
        shown = [each for each in self.chats.items if each.trashed is None and not each.is_empty]
        last = next((each for each in shown if each.id == self._settings.chat), None)
        if last is None and not self._settings.chat:
            last = max(shown, key=lambda each: each.changed, default=None)
        return last

    def _may_close(self) -> bool:
        if self._interrupted or self._arguments.screenshot is not None:
            return True
        return self._closing.may_close()

    def _interrupt(self, number: int, _frame: object) -> None:
        """Ctrl-C, a kind kill, a closed terminal: close as the window's own button does.

        Python gets to this at its next step, which the collector's timer sees to. That may be in
        the middle of painting, which needs the window to its end: it is closed in the next turn.
        """
        self._interrupted = 128 + number
        self._worker.cancel()
        QTimer.singleShot(0, self.window, self.window.close)

    async def _begin(self, notice: str | None, crashes: tuple[Path, ...] = ()) -> None:
        """Load the model, unless a trace is opened and none was asked for; then what was asked."""
        arguments = self._arguments
        if arguments.opened is not None:
            await self.open(arguments.opened)
        left = self.marker.read() if self.marker is not None else None
        is_asked = arguments.names_model
        loads = arguments.loads_model and loads_at_start(left, arguments.model, is_asked=is_asked)
        if loads and left is not None and left.target == arguments.model:
            left = None
        if left is None:
            # Before the load: a large model takes a while.
            self._say_at_start(notice, None, crashes)
        if loads:
            await self.controller.load(arguments.model)
        if left is not None:
            # After it: an offer to load ends with any load.
            self._say_at_start(notice, left, crashes)
        if arguments.opened is None and arguments.pane != "live":
            self.window.show_pane(arguments.pane)
        for sentence in self.speculation.problems:
            complain(sentence, 0)
        if arguments.prompt is not None:
            self.controller.send(arguments.prompt)

    def _say_at_start(
        self, notice: str | None, left: Left | None, crashes: tuple[Path, ...]
    ) -> None:
        """What has to be said, in one piece, with one way out: the model that was left, or why."""
        bad_end = marker_notice(left) if left is not None else ""
        told = (notice, *self.speculation.problems, crash_sentence(crashes))
        rest = " ".join(sentence for sentence in told if sentence)
        said = " ".join(filter(None, (rest, bad_end)))
        if left is not None and left.target and self.room.offer is not None:
            self.room.offer.make(bad_end, left.target, rest)
        elif crashes:
            show = self.window.tr("Show")
            self.window.warn(said, show, partial(self.reporting.show_crash, crashes[0]))
        elif said:
            self.window.warn(said)

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
        """End everything, once. What was said is on disk before the worker is waited for."""
        self.is_closed = True
        self.window.composer.flush_draft()
        self.memory.keep(
            self.window, self.chats, self.display, has_size=self._arguments.size is None
        )
        self.window.hide()
        self.habits.close()
        self.door.close()
        self.reporting.close()
        self.attacher.close()
        self.counter.close()
        self.traces.close()
        self.loader.close()
        self.room.close()
        await self.failures.stop_all()
        if not self.keeper.close():
            complain("The last changes of chats could not be saved.", 0)
        self.bridge.close()
        self._worker.close(WORKER_SECONDS)
        self.collector.stop()
        self.failures.uninstall()
        self.window.deleteLater()
        self._root.deleteLater()
