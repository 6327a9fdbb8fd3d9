"""The composition root; this door to it is light, so that an early Ctrl-C ends it quietly."""

import gc
import os
import signal
import sys
from typing import NoReturn, TextIO

INTERRUPTED = 128 + signal.SIGINT


def command() -> NoReturn:
    """The console script."""
    # No exception: Qt's own imports would turn it into another. The window has its own handler.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    _open_streams()
    # Nothing that the imports make is garbage: looking through it is an eighth of the start. The
    # window has a collector of its own.
    gc.disable()
    from app.main.start import main
    from engine import exit_process

    exit_process(main())


def _open_streams() -> None:
    """Give a closed standard stream somewhere to write to, before a file takes its number."""
    if sys.stdout is None:
        sys.stdout = _nowhere()
    if sys.stderr is None:
        sys.stderr = _nowhere()


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")
