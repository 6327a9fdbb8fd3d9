"""Times of the palette over 5,000 chats, and of importing a large export beside a live window.

Run: QT_QPA_PLATFORM=offscreen python -m tests.bench.habits
"""

import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from qasync import QEventLoop

from app.collector import Collector
from app.controllers.failures import FailureReporter
from app.controllers.porting import PortingController
from app.models.chats import Chats
from app.models.commands import Commands
from app.models.conversation import Conversation
from app.theme import Theme
from app.views.palette.palette import CommandPalette
from tests.app.habits.chatgpt_export import conversation, node

TITLES = ("Why is the sky blue", "Über die Rekursion", "日本語の質問", "Refactor the trace reader")


def milliseconds(start: float) -> str:
    """Since then, in words."""
    return f"{(time.perf_counter() - start) * 1000:.1f} ms"


def palette(app: QApplication) -> None:
    """Open it, type in it."""
    window = QMainWindow()
    window.resize(1200, 800)
    body = QWidget(window)
    window.setCentralWidget(body)
    commands, chats = Commands(window), Chats(window)
    for command in commands.items:
        commands.bind(command.id, lambda: None)
    for number in range(5_000):
        chat = Conversation()
        chat.rename(f"{TITLES[number % len(TITLES)]} {number}")
        chats.take(chat)
    made = CommandPalette(Theme("light", window), commands, chats, body)
    window.show()
    for attempt in ("first", "again"):
        start = time.perf_counter()
        made.open_palette()
        app.processEvents()
        print(f"palette opened, {attempt}: {milliseconds(start)}")  # noqa: T201
        for text in ("r", "re", "rek", "rekursion 4", "質問", "zz"):
            start = time.perf_counter()
            made.field.setText(text)
            app.processEvents()
            print(f"  {text!r}: {milliseconds(start)}")  # noqa: T201
        made.close_palette()
    window.deleteLater()


def export_of(num_chats: int) -> str:
    """A file in ChatGPT's form; about 20 KB a chat."""
    nodes = [node("0", None, "user", ["word " * 200])]
    for number in range(1, 20):
        role = "assistant" if number % 2 else "user"
        nodes.append(node(str(number), str(number - 1), role, ["word " * 200]))
    return json.dumps([conversation(nodes, "19")] * num_chats)


async def importing(num_chats: int) -> None:
    """Import, while a clock on the window's thread says for how long it was held up."""
    chats = Chats()
    collector = Collector(chats)
    collector.start()
    controller = PortingController(
        chats, FailureReporter(chats), lambda _chat: (None for _ in ()), chats
    )
    longest, is_over = 0.0, False

    async def watch() -> None:
        nonlocal longest
        while not is_over:
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            longest = max(longest, time.perf_counter() - before)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "conversations.json")
        path.write_text(export_of(num_chats))
        size = path.stat().st_size / 1e6
        watching = asyncio.create_task(watch())
        start = time.perf_counter()
        made = await controller.take_in(path)
        print(f"{len(made)} chats of {size:.0f} MB imported: {milliseconds(start)}")  # noqa: T201
        is_over = True
        await watching
        print(f"  longest pause of the window: {longest * 1000:.0f} ms")  # noqa: T201
        start = time.perf_counter()
        await controller.export(made, "json", Path(folder, "all.json"))
        print(f"  exported as JSON: {milliseconds(start)}")  # noqa: T201
    collector.stop()
    chats.deleteLater()


def main() -> None:
    """All of it."""
    app = QApplication(sys.argv)
    app.setQuitOnLastWindowClosed(False)
    palette(app)
    with QEventLoop(app) as loop:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(importing(2_000))


if __name__ == "__main__":
    sys.setswitchinterval(0.001)
    main()
