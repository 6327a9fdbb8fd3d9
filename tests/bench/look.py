"""What another theme or text size costs: `QT_QPA_PLATFORM=offscreen python -m tests.bench.look`.

Prints, and judges nothing: in the whole window with a long chat open, with a sheet over it and with
panes of the inspector, the work of the act itself and of the longest turns of the event loop after
it, in milliseconds of this thread. `profile` shows where the work goes, a name does only that one.
"""

import asyncio
import cProfile
import pstats
import sys
import time
from collections.abc import Callable

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QWidget
from qasync import QEventLoop

from app.arguments import parse_arguments
from app.main.session import Session
from app.models.conversation import Conversation
from app.settings import Settings
from tests.bench.column import BLOCK, WORDS, told
from tests.fakes.scripted_worker import ScriptedWorker

ROUNDS, QUIET_SECONDS = 5, 0.4
TABLE = "\n\n| Name | Value |\n|---|---|\n| amount | 2 |\n| price | 3 |\n\n"
ANSWER = WORDS + BLOCK + WORDS + TABLE + BLOCK


class Bench:
    """A window with a chat of many messages."""

    def __init__(self, app: QApplication) -> None:
        self._app = app
        arguments = parse_arguments(["--theme", "light"], Settings())
        self.session = Session(arguments, Settings(), ScriptedWorker())
        self.window, self.theme = self.session.window, self.session.theme
        self.window.resize(1440, 900)
        self.window.show()
        chat = Conversation(self.session.chats)
        for number in range(200):
            chat.ask(f"Question {number}").reply = told(ANSWER)
        self.session.chats.add(chat)
        self.window.sides.set_wants_inspector(False)
        self.turns(1.0)

    def turns(self, seconds: float = QUIET_SECONDS) -> list[float]:
        """Turn the loop; the work of each turn."""
        took, ends = [], time.perf_counter() + seconds
        while time.perf_counter() < ends:
            begin = time.thread_time()
            self._app.processEvents()
            self._app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            took.append((time.thread_time() - begin) * 1e3)
            time.sleep(0.002)
        return sorted(took)

    def timed(self, name: str, acts: tuple[Callable[[], object], ...]) -> None:
        """Do these by turns."""
        for round_ in range(ROUNDS):
            begin = time.thread_time()
            acts[round_ % len(acts)]()
            first = (time.thread_time() - begin) * 1e3
            rest = ", ".join(f"{each:.0f}" for each in self.turns()[-3:])
            sys.stdout.write(f"{name}: the act {first:.0f} ms, then at most {rest} ms\n")
        sys.stdout.flush()

    def themes(self, name: str) -> None:
        """Dark, light and so on."""
        choose = self.theme.choose
        self.timed(f"{name}, theme", (lambda: choose("dark"), lambda: choose("light")))
        choose("light")
        self.turns()

    def sizes(self, name: str) -> None:
        """Larger, and as it was."""
        size = self.session.text_size
        self.timed(f"{name}, text size", (lambda: size.grow(1), size.reset))
        size.reset()
        self.turns()

    def close_sheets(self) -> None:
        """Nothing over the window."""
        for widget in QApplication.topLevelWidgets():
            if widget is not self.window and widget.objectName() == "prefs":
                widget.close()
        self.turns()

    def scenes(self) -> dict[str, Callable[[], object]]:
        """What to look at."""
        window, commands = self.window, self.session.habits.commands
        return {
            "tokens": lambda: self.session.display.set_on(True),
            "chat": lambda: self.session.display.set_on(False),
            "live": lambda: window.show_pane("live"),
            "step": lambda: window.show_pane("step"),
            "settings": lambda: window.show_pane("settings"),
            "preferences": self.session.habits.open_preferences,
            "models": lambda: commands.run("models"),
            "get": lambda: commands.run("get_models"),
        }


def main(names: list[str]) -> None:
    """All scenes, or these."""
    app = QApplication(["bench"])
    app.setQuitOnLastWindowClosed(False)
    with QEventLoop(app) as loop:
        asyncio.set_event_loop(loop)
        bench = Bench(app)
        profile = cProfile.Profile() if "profile" in names else None
        names = [name for name in names if name != "profile"]
        for name, show in bench.scenes().items():
            if names and name not in names:
                continue
            show()
            bench.turns(0.8)
            num_widgets = len(bench.window.findChildren(QWidget))
            sys.stdout.write(f"{name}: {num_widgets} widgets\n")
            if profile is not None:
                profile.enable()
            bench.themes(name)
            bench.sizes(name)
            if profile is not None:
                profile.disable()
            bench.close_sheets()
        if profile is not None:
            pstats.Stats(profile).sort_stats("tottime").print_stats(30)
        loop.run_until_complete(bench.session.close())


if __name__ == "__main__":
    main(sys.argv[1:])
