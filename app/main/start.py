"""From the command line to the running window, and one sentence where there cannot be one."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop  # takes the first Qt binding it finds: PySide6 comes first

from app.arguments import parse_arguments
from app.bridge import Worker
from app.main.application import Application
from app.main.display import missing_display
from app.main.picture import complain
from app.main.session import Session
from app.main.storing import Trouble, open_store
from app.settings import Settings, read_settings, settings_path
from app.theme import sans
from app.usage import UsageError
from engine import EngineWorker

SWITCH_INTERVAL_SECONDS = 0.001


def main(
    argv: list[str] | None = None, make_worker: Callable[[int | None], Worker] = EngineWorker
) -> int:
    """Run the window; the exit status.

    0 done, 1 the pictured reply failed while it ran, 2 not possible as asked, 130 interrupted.
    """
    settings, notice = read_settings(settings_path())
    try:
        arguments = parse_arguments(argv, settings)
        if arguments.screenshot is not None:
            # A picture shows what was asked for, not what was remembered.
            settings = Settings()
            arguments = parse_arguments(argv, settings)
    except UsageError as error:
        return complain(str(error), 2)
    no_display = missing_display(os.environ)
    if no_display is not None:
        return complain(no_display, 2)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    app = QApplication.instance() or Application(["draftscope"])
    assert isinstance(app, QApplication)
    app.setApplicationDisplayName("Draftscope")
    app.setQuitOnLastWindowClosed(False)
    app.setFont(sans(13))
    trouble = Trouble()
    try:
        store = open_store(arguments, trouble)
    except UsageError as error:
        return complain(str(error), 2)
    said = " ".join(sentence for sentence in (notice, *store.notices) if sentence)
    with QEventLoop(app) as loop:
        asyncio.set_event_loop(loop)
        worker = make_worker(arguments.reuse_budget_bytes)
        session = Session(arguments, settings, worker, store, trouble)
        return int(loop.run_until_complete(session.run(said or None)))
