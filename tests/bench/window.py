"""What the window costs: `python -m tests.bench.window [PART ...]`.

Set QT_QPA_PLATFORM=offscreen where there is none. Prints, and judges nothing. Its parts, all of
them unless some are named:

- `work`: what part of a core the window's own thread takes at 25 tokens a second;
- `stalls`: how long the event loop is away at 500 of them;
- `memory`: what a token takes.

How fast a model decodes under it is told by `tests/bench/fronts.py`.
"""

import asyncio
import gc
import statistics
import sys
import time
import tracemalloc
from itertools import pairwise

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from app.arguments import parse_arguments
from app.bridge import Worker
from app.main.session import Session
from app.main.start import SWITCH_INTERVAL_SECONDS
from app.settings import Settings
from engine import GenerationRequest, Statistics
from engine.terminal.texts import UNITS
from tests.fakes.scripted_worker import ScriptedWorker, reply_events, steps_of, tokens_of

PROMPT = f"Replace every cat by dog in this text and write all of it again.\n\n{UNITS}"
PARTS = ("work", "stalls", "memory")
PANES = ("live", "step", "compare", "settings")
NUM_TOKENS = 5_000
SLOW_TOKENS, SLOW_SPEED = 500, 25


class Bench:
    """A window with everything open, and a loop to run it in."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, worker: Worker, words: tuple[str, ...] = ()
    ) -> None:
        self._loop = loop
        arguments = parse_arguments(["--max-tokens", "100", *words], Settings())
        self.session = Session(arguments, Settings(), worker)
        self.session.window.show()
        # As in the running app: Python's own collector would look through everything at any time.
        self.session.collector.start()
        self.run(self.session.controller.load("demo"))

    def run(self, work: object) -> None:
        """Run a coroutine to its end."""
        self._loop.run_until_complete(work)

    def look_at(self, pane: str | None) -> None:
        """Open a pane of the inspector; None closes it."""
        if pane is not None:
            self.session.window.show_pane(pane)
        self.session.window.sides.set_wants_inspector(pane is not None)

    def reply(self) -> tuple[Statistics, GenerationRequest]:
        """One reply in a new chat: its figures, and what was asked."""
        controller, chats = self.session.controller, self.session.chats
        controller.new_chat()
        exchange = chats.current.ask(PROMPT)
        self.run(controller.answer(chats.current, exchange))
        assert exchange.reply.final is not None
        assert exchange.reply.request is not None
        return exchange.reply.final, exchange.reply.request

    def close(self) -> None:
        """End everything."""
        self.run(self.session.close())


def scripted(loop: asyncio.AbstractEventLoop, pane: str) -> Bench:
    """A window whose worker says 5,000 tokens at 500 a second."""
    steps = steps_of(tokens_of("def amount(item):\n    return item.price * 2\n" * 400)[:NUM_TOKENS])
    pace = 0.002 * NUM_TOKENS / len(steps)
    bench = Bench(loop, ScriptedWorker(lambda job, asked: reply_events(job, asked, steps), pace))
    bench.session.window.show_pane(pane)
    # What is imported once, when the first chart is shown, is no part of this.
    bench.run(asyncio.sleep(1.0))
    return bench


def measure_stalls(loop: asyncio.AbstractEventLoop, pane: str) -> None:
    """Gaps between beats of a 5 ms timer while the reply comes."""
    bench = scripted(loop, pane)
    beats: list[tuple[float, float]] = []
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(lambda: beats.append((time.thread_time(), time.perf_counter())))
    timer.start(5)
    bench.reply()
    timer.stop()
    work = sorted(b[0] - a[0] for a, b in pairwise(beats))
    wall = sorted(b[1] - a[1] for a, b in pairwise(beats))
    last = int(len(wall) * 0.99)
    say(
        f"{pane}: longest gap {wall[-1] * 1e3:.0f} ms, of work {work[-1] * 1e3:.0f} ms; "
        f"99 % under {wall[last] * 1e3:.0f} ms, of work {work[last] * 1e3:.0f} ms"
    )
    bench.close()


def measure_work(loop: asyncio.AbstractEventLoop, pane: str | None) -> None:
    """The window's own thread at a steady speed, every token a step; `pane` None: no inspector."""
    text = "Some words to read, and more of them behind. " * 6 + "\n\n"
    steps = steps_of(tokens_of(text * 20)[:SLOW_TOKENS], plain=True)
    worker = ScriptedWorker(lambda job, asked: reply_events(job, asked, steps), 1 / SLOW_SPEED)
    bench = Bench(loop, worker)
    bench.look_at(pane)
    shares: list[float] = []

    async def sample() -> None:
        await asyncio.sleep(4.0)
        for _ in range(5):
            work, wall = time.thread_time(), time.perf_counter()
            await asyncio.sleep(3.0)
            shares.append((time.thread_time() - work) / (time.perf_counter() - wall))

    async def both() -> None:
        controller, chats = bench.session.controller, bench.session.chats
        controller.new_chat()
        answer = controller.answer(chats.current, chats.current.ask(PROMPT))
        await asyncio.gather(sample(), answer)

    bench.run(both())
    say(
        f"{pane or 'no inspector'}: {statistics.median(shares):.1%} of a core at 25 tokens a second"
    )
    bench.close()


def measure_memory(loop: asyncio.AbstractEventLoop, pane: str) -> None:
    """What Python holds more after the reply than before, by token."""
    bench = scripted(loop, pane)
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    bench.reply()
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    say(f"{pane}: {(after - before) / NUM_TOKENS:.0f} bytes a token in Python")
    bench.close()


def say(sentence: str) -> None:
    """One line of the result."""
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def main() -> None:
    """All of it."""
    parts = [part for part in PARTS if part in sys.argv[1:]] or PARTS
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    app = QApplication(["bench"])
    app.setQuitOnLastWindowClosed(False)
    with QEventLoop(app) as loop:
        asyncio.set_event_loop(loop)
        for shown in ("live", None) if "work" in parts else ():
            measure_work(loop, shown)
        for pane in PANES:
            if "stalls" in parts:
                measure_stalls(loop, pane)
            if "memory" in parts:
                measure_memory(loop, pane)


if __name__ == "__main__":
    main()
