"""The first seconds of a window: `python -m tests.bench.warming [STARTS]`.

Set QT_QPA_PLATFORM=offscreen where there is none. Prints, and judges nothing: when the window was
painted first, how long a word typed then took to the disk, when the charts' library was there, and
the longest turns of the event loop until the model is loaded, each with the processor's time in it
(less than the turn where other processes had the processor). Every start has folders of its own.
"""

import asyncio
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer

WORD = "wordlike"
TICK_MS = 5
LOOK_SECONDS = 0.02
MOST_TURNS = 5


class Clock(QObject):
    """Ticks from the first paint on, and keeps how far apart the ticks were."""

    def __init__(self, window: QObject) -> None:
        super().__init__(window)
        self.painted = 0.0
        self.turns: list[tuple[float, float, float]] = []
        self._before = (0.0, 0.0)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        window.installEventFilter(self)

    def _tick(self) -> None:
        now, cpu = time.perf_counter(), time.process_time()
        turn = (now - self._before[0], cpu - self._before[1], now - self.painted)
        self.turns.append(turn)
        self._before = (now, cpu)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self.painted:
            self.painted = time.perf_counter()
            self._before = (self.painted, time.process_time())
            self._timer.start(TICK_MS)
        return False


def is_saved(path: Path) -> bool:
    """Whether the word is on disk."""
    with sqlite3.connect(path) as file:
        rows = file.execute("SELECT * FROM drafts").fetchall()
    file.close()
    return any(WORD in str(value) for row in rows for value in row)


def one_start(folder: Path) -> None:
    """Start as a person does; for a process of its own."""
    began = time.perf_counter()
    from app.main import start
    from app.main.session import Session
    from app.views.inspector.chart import LIBRARY_COMING

    class Watched(Session):
        async def run(self, *given: object) -> int:
            self.clock = Clock(self.window)
            watching = asyncio.ensure_future(self.watch())
            status = await super().run(*given)
            await watching
            return status

        async def watch(self) -> None:
            while not self.clock.painted:
                await asyncio.sleep(0)
            say(f"first paint: {self.clock.painted - began:.2f} s after the first import")
            self.window.composer.edit.insertPlainText(WORD)
            is_on_disk = is_warm = False
            while not (is_on_disk and is_warm and self.model.can_answer):
                await asyncio.sleep(LOOK_SECONDS)
                since = time.perf_counter() - self.clock.painted
                if not is_on_disk and is_saved(folder / "chats.db"):
                    is_on_disk = True
                    say(f"  the word on disk: {since:.2f} s later")
                if not is_warm and not LIBRARY_COMING.is_set():
                    is_warm = True
                    say(f"  the charts' library there: {since:.2f} s later")
            for wall, cpu, at in sorted(self.clock.turns, reverse=True)[:MOST_TURNS]:
                say(f"  a turn of {wall * 1e3:.0f} ms ({cpu * 1e3:.0f} ms cpu), {at:.2f} s later")
            self.window.close()

    start.Session = Watched  # type: ignore[misc]
    start.main(["--data-dir", str(folder), "--size", "1440x900"])
    os._exit(0)


def say(words: str) -> None:
    """A line, at once."""
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def main() -> None:
    """So many starts, one after another."""
    if len(sys.argv) > 2:
        one_start(Path(sys.argv[2]))
    for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 3):
        with tempfile.TemporaryDirectory(prefix="warm-") as home:
            places = {f"XDG_{name}_HOME": f"{home}/{name}" for name in ("CACHE", "CONFIG", "STATE")}
            command = [sys.executable, "-m", "tests.bench.warming", "1", f"{home}/data"]
            subprocess.run(command, env={**os.environ, **places, "HOME": home}, check=True)


if __name__ == "__main__":
    main()
