"""From the command line to the running window, and one sentence where there cannot be one."""

import asyncio
import gc
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop  # takes the first Qt binding it finds: PySide6 comes first

from app.arguments import Arguments, parse_arguments
from app.bridge import Worker
from app.main.application import Application
from app.main.crash import watched
from app.main.display import missing_display
from app.main.instance import hand_over, may_hand_over
from app.main.logs import log_folder
from app.main.picture import complain
from app.main.session import Session
from app.main.storing import InUseError, Trouble, open_store
from app.selftest import self_test
from app.settings import Settings, read_settings, settings_path
from app.storage import data_folder
from app.theme import sans
from app.usage import UsageError
from engine import EngineWorker

SWITCH_INTERVAL_SECONDS = 0.001
SECOND_TRY_SECONDS = 0.3


def engine_worker(arguments: Arguments) -> Worker:
    """The engine, as the command line wants it."""
    return EngineWorker(
        arguments.reuse_budget_bytes, raises_wired_limit=arguments.raises_wired_limit
    )


def main(
    argv: list[str] | None = None, make_worker: Callable[[Arguments], Worker] = engine_worker
) -> int:
    """Run the window; the exit status.

    0 done, 1 the pictured reply failed while it ran, 2 not possible as asked, 129, 130 or 143 ended
    by a signal.
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
    if arguments.self_test:
        gc.enable()  # there is no window whose collector would do it
        return self_test(sys.stdout, arguments.data_dir)
    folder = arguments.data_dir or data_folder()
    if may_hand_over(arguments) and hand_over(folder, arguments.opened):
        return 0
    no_display = missing_display(os.environ)
    if no_display is not None:
        return complain(no_display, 2)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s")
    with watched(None if arguments.screenshot is not None else log_folder()) as crashes:
        return _run(arguments, settings, notice, crashes, make_worker)


def _run(
    arguments: Arguments,
    settings: Settings,
    notice: str | None,
    crashes: tuple[Path, ...],
    make_worker: Callable[[Arguments], Worker],
) -> int:
    """The window from its making to its end."""
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
        # The other one may have begun to listen only now.
        folder = arguments.data_dir or data_folder()
        is_taken = isinstance(error, InUseError) and may_hand_over(arguments)
        if is_taken and hand_over(folder, arguments.opened, SECOND_TRY_SECONDS):
            return 0
        return complain(str(error), 2)
    # Why nothing is kept stands in the window for as long as that is so.
    notices = store.notices if store.path is not None else ()
    said = " ".join(sentence for sentence in (notice, *notices) if sentence)
    with QEventLoop(app) as loop:
        asyncio.set_event_loop(loop)
        worker = make_worker(arguments)
        session = Session(arguments, settings, worker, store, trouble)
        return int(loop.run_until_complete(session.run(said or None, crashes)))
