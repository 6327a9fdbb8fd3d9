"""What going back in a long trace costs: `python -m tests.bench.playback [STEPS ...]`.

Set QT_QPA_PLATFORM=offscreen where there is none. Prints, and judges nothing: for traces of so many
steps (20,000 and 100,000) the longest turn of the event loop, and all of the work, in milliseconds
of this thread, of opening it, of single steps back, of half the way back and of the way to the end.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import cycle, islice

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from app.arguments import parse_arguments
from app.main.session import Session
from app.models.conversation import Conversation
from app.models.playback import Playback
from app.models.trace_chat import exchanges_of
from app.settings import Settings
from engine import Trace
from tests.app.trace_replies import trace
from tests.fakes.scripted_worker import ScriptedWorker, reply_events, steps_of, tokens_of

TEXT = "def amount(item):\n    return item.price * 2\nSome prose, and then some more of it.\n\n"
_REST_SECONDS, _QUIET_TURNS = 0.005, 20


def long_trace(num_steps: int) -> Trace:
    """A recorded trace's head over many steps of the scripted worker's shapes."""
    head, shapes, steps, first = trace("local"), steps_of(tokens_of(TEXT * 40)), [], 0
    for index, shape in enumerate(islice(cycle(shapes), num_steps)):
        begin = shape.spans[0].first if shape.spans else 0
        spans = tuple(replace(span, first=span.first - begin + first) for span in shape.spans)
        position = len(head.started.prompt_ids) + first
        time_then = 0.4 + 0.01 * index
        steps.append(replace(shape, index=index, time=time_then, spans=spans, position=position))
        first += len(shape.emitted)
    return replace(head, steps=tuple(steps), finished=None, asides=())


class Bench:
    """A window that shows a long trace as tokens."""

    def __init__(self, app: QApplication, num_steps: int) -> None:
        self._app = app
        worker = ScriptedWorker(lambda job, asked: reply_events(job, asked, []))
        self.session = Session(parse_arguments([], Settings()), Settings(), worker)
        self.session.window.resize(1440, 900)
        self.session.window.show()
        # As in the app: else Python looks through all steps in the middle of any turn.
        self.session.collector.start()
        self.session.display.set_on(True)
        self._chat = Conversation(self.session.chats)
        source = long_trace(num_steps)
        self.playback = Playback(source, (), self._chat)
        self._chat.play("long.jsonl", exchanges_of(source.started), self.playback)

    def open(self) -> None:
        """Show it."""
        self.session.chats.add(self._chat)

    def measure(self, act: Callable[[], object]) -> tuple[float, float]:
        """The longest turn, and all work, until nothing is left to do."""
        turns = [_work(act)]
        quiet = 0
        while quiet < _QUIET_TURNS:
            turns.append(_work(self._app.processEvents))
            is_quiet = turns[-1] < _REST_SECONDS / 2 and self.playback.is_settled
            quiet = quiet + 1 if is_quiet else 0
            time.sleep(_REST_SECONDS if is_quiet else 0)
        return max(turns) * 1e3, sum(turns) * 1e3


def _work(act: Callable[[], object]) -> float:
    begin = time.thread_time()
    act()
    return time.thread_time() - begin


def main() -> None:
    """All of it."""
    app = QApplication(["bench"])
    app.setQuitOnLastWindowClosed(False)
    with QEventLoop(app) as loop:
        asyncio.set_event_loop(loop)
        for num_steps in [int(word) for word in sys.argv[1:]] or [20_000, 100_000]:
            bench = Bench(app, num_steps)
            playback = bench.playback
            acts: tuple[tuple[str, Callable[[], object]], ...] = (
                ("open", bench.open),
                ("a step back", lambda at=playback: at.move_step(-1)),
                ("another", lambda at=playback: at.move_step(-1)),
                ("half the way back", lambda at=playback: at.seek_time(at.duration / 2)),
                ("a step back", lambda at=playback: at.move_step(-1)),
                ("to the end", lambda at=playback: at.seek_step(at.num_steps)),
            )
            for name, act in acts:
                longest, whole = bench.measure(act)
                sys.stdout.write(
                    f"{num_steps:,} steps, {name}: longest {longest:.0f} ms, all {whole:.0f} ms\n"
                )
                sys.stdout.flush()
            loop.run_until_complete(bench.session.close())


if __name__ == "__main__":
    main()
