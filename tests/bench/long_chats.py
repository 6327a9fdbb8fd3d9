"""What long chats cost: `QT_QPA_PLATFORM=offscreen python -m tests.bench.long_chats [FOLDER]`.

Prints, and judges nothing: in the whole window, over a store of 5,000 chats, how soon a very long
chat is painted and is there to its beginning, and how long the turns of the event loop are
meanwhile, what a question asked there and taken out again takes; then what it takes to go fast from
one long chat to the next. The chats stay in FOLDER, if one is given, for the next time; `profile`
behind it shows where the work goes.
"""

import asyncio
import cProfile
import pstats
import sys
import tempfile
import time
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from qasync import QEventLoop

from app.arguments import parse_arguments
from app.main.session import Session
from app.main.start import SWITCH_INTERVAL_SECONDS
from app.main.storing import Trouble
from app.models.conversation import Conversation
from app.settings import Settings
from app.storage import ChatRecord, MessageRecord, RunRecord, Segment, Store
from engine import Tally
from tests.fakes.scripted_worker import ScriptedWorker, steps_of, tokens_of

WORDS = "Some *words* to read, and `code` among them. " * 6
BLOCK = "\n\n```python\ndef amount(item):\n    return item.price * 2\n```\n\n"
ANSWER = WORDS + BLOCK + WORDS
# Name: messages, and how often the answer stands in each reply.
LONG = {"20,000 messages": (20_000, 1), "2,000 messages of 20 KB": (2_000, 35)}
NUM_CHATS, NUM_BIG, BIG_MESSAGES = 5_000, 12, 400


class Painted(QObject):
    """When a widget was painted last."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.at = 0.0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.at = time.perf_counter()
        return False


class Bench:
    """A window over a store of chats."""

    def __init__(self, folder: Path) -> None:
        trouble = Trouble()
        store = Store.open(folder, trouble.tell)
        arguments = parse_arguments(["--data-dir", str(folder)], Settings())
        self.session = Session(arguments, Settings(), ScriptedWorker(), store, trouble)
        self.session.window.resize(1440, 900)
        self.session.window.show()
        self.session.collector.start()
        self.painted = Painted(self.session.window.conversation.column)
        self._beats: list[float] = []
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(1)

    def chat(self, title: str) -> Conversation:
        """The chat of this title."""
        return next(each for each in self.session.chats.items if each.title == title)

    def open(self, chat: Conversation) -> float:
        """What a click on its row does; milliseconds of work."""
        at = time.thread_time()
        self.session.controller.open_chat(chat)
        return (time.thread_time() - at) * 1e3

    def longest(self) -> str:
        """The longest turns since this was asked last."""
        beats, self._beats = self._beats, [time.thread_time()]
        work = sorted((b - a) * 1e3 for a, b in pairwise(beats))
        return f"longest turns of work {[round(each) for each in work[-4:]]} ms"

    def _beat(self) -> None:
        self._beats.append(time.thread_time())


def fill(folder: Path) -> None:
    """Many chats of two messages, some big ones, and very long ones."""
    store = Store.open(folder, say)
    number, tally = 1_000_000, Tally(1_000, 0, 0.2)
    for step in steps_of(tokens_of(ANSWER)):
        tally.add(step)
    figures = asdict(tally.snapshot())
    sizes = [(f"Chat {n}", 2, 1) for n in range(NUM_CHATS)]
    sizes += [(f"Big {n}", BIG_MESSAGES, 2) for n in range(NUM_BIG)]
    sizes += [(name, *size) for name, size in LONG.items()]
    for chat, (title, num_messages, times) in enumerate(sizes, 1):
        values = False, float(chat), float(-chat), False, False, None, None, "demo", {}, "", ()
        store.save_chat(ChatRecord(chat, title, *values, number + 1))
        for place in range(num_messages):
            number += 1
            is_last = place == num_messages - 1
            text = ANSWER * times if place % 2 else f"Question {place // 2}?"
            store.save_message(
                MessageRecord(
                    number, chat, number - 1 if place else None,
                    "assistant" if place % 2 else "user", float(number), "demo",
                    None if is_last else number + 1, (Segment("text", text),),
                )
            )  # fmt: skip
            if place % 2:
                store.save_run(
                    RunRecord(number, 0, len(text), "eos", figures, {"model": "demo"}, {})
                )
    store.flush(600)
    store.close(600)


async def opening(bench: Bench, name: str) -> None:
    """A very long chat, from its row to its picture, then to its beginning."""
    bench.open(bench.chat("Chat 1"))
    await asyncio.sleep(1.0)
    bench.longest()
    chat, begin = bench.chat(name), time.perf_counter()
    bench.open(chat)
    while not chat.exchanges:
        await asyncio.sleep(0)
    bench.painted.at = 0.0
    while not bench.painted.at:
        await asyncio.sleep(0)
    painted = bench.painted.at - begin
    while not chat.is_loaded:
        await asyncio.sleep(0.005)
    whole = time.perf_counter() - begin
    await asyncio.sleep(1.0)
    say(f"{name}: painted after {painted * 1e3:.0f} ms, whole after {whole * 1e3:.0f} ms")
    say(f"  {bench.longest()}")


async def touching(bench: Bench) -> None:
    """A question in the long chat that is open, and away again; the first brings it to the top."""
    chat = bench.session.chats.current
    for words in ("first", "second"):
        bench.longest()
        exchange = chat.ask(f"The {words} question")
        await asyncio.sleep(1.0)
        say(f"  {words} question asked: {bench.longest()}")
        chat.remove(exchange)
        await asyncio.sleep(1.0)
        say(f"  {words} question taken out: {bench.longest()}")


async def switching(bench: Bench) -> None:
    """Another big chat every 50 ms, twice round: as it is read, and as it is there."""
    for words in ("first", "second"):
        acts = []
        profile = cProfile.Profile()
        bench.longest()
        if "profile" in sys.argv:
            profile.enable()
        for number in range(NUM_BIG):
            acts.append(bench.open(bench.chat(f"Big {number}")))
            await asyncio.sleep(0.05)
        profile.disable()
        await asyncio.sleep(1.0)
        acts.sort()
        say(f"{words} round: switch {acts[len(acts) // 2]:.0f} ms, at most {acts[-1]:.0f} of work")
        say(f"  {bench.longest()}")
        if "profile" in sys.argv:
            pstats.Stats(profile).sort_stats("tottime").print_stats(40)


async def everything(bench: Bench) -> None:
    """Under a running loop, as in the app."""
    bench.session.bring_back()
    await asyncio.sleep(1.0)
    for name in LONG:
        await opening(bench, name)
        await touching(bench)
    await switching(bench)
    await bench.session.close()


def say(line: str | None) -> None:
    """One line of the result."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """All of it, in a folder of its own."""
    app = QApplication(["bench"])
    app.setQuitOnLastWindowClosed(False)
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    with tempfile.TemporaryDirectory() as fresh, QEventLoop(app) as loop:
        asyncio.set_event_loop(loop)
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else fresh)
        if not any(folder.glob("chats.db")):
            fill(folder)
        bench = Bench(folder)
        loop.run_until_complete(everything(bench))


if __name__ == "__main__":
    main()
