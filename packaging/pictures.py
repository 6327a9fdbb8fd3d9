"""Makes the pictures of Compare with its results; they take the demo model, and half a minute."""

import asyncio
import sys
from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QApplication
from qasync import QEventLoop

from app.arguments import parse_arguments
from app.main.session import Session
from app.settings import Settings
from app.theme import sans
from engine import EngineWorker

ROOT = Path(__file__).parents[1]
TRACE = ROOT / "tests" / "traces" / "replay-partial.jsonl"
THEMES = ("light", "dark")
# Beside the usual ones.
WAYS = ("replay off", "local")
POLL_SECONDS, SETTLE_SECONDS = 0.5, 0.5


async def compare(session: Session) -> None:
    """Run the reply of a trace again in some ways, and picture what came of it."""
    window = session.window
    window.show()
    session.collector.start()
    await session.controller.load("demo")
    if not await session.open(TRACE):
        sys.exit(f"{TRACE} cannot be opened.")
    window.show_pane("compare")
    for box in window.compare.choices.findChildren(QAbstractButton):
        box.setChecked(box.isChecked() or box.text() in WAYS)
    window.compare.button.click()
    while session.comparison.is_running:
        await asyncio.sleep(POLL_SECONDS)
    for theme in THEMES:
        session.theme.choose(theme)
        await asyncio.sleep(SETTLE_SECONDS)
        path = ROOT / "docs" / "pictures" / f"compare-{theme}.png"
        print(path.stem)  # noqa: T201
        if not window.grab().save(str(path), "PNG"):
            sys.exit(f"The picture could not be written to {path}.")
    await session.close()


def main() -> None:
    """Needs QT_QPA_PLATFORM=offscreen where there is no display."""
    app = QApplication(["draftscope"])
    app.setQuitOnLastWindowClosed(False)
    app.setFont(sans(13))
    arguments = [
        "--theme",
        "light",
        "--size",
        "1440x900",
        "--screenshot",
        "compare.png",
        str(TRACE),
    ]
    with QEventLoop(app) as loop:
        asyncio.set_event_loop(loop)
        session = Session(parse_arguments(arguments, Settings()), Settings(), EngineWorker())
        loop.run_until_complete(compare(session))


if __name__ == "__main__":
    main()
