"""The end of the engine's thread, and of a process that has one."""

import logging
import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

THREAD_NAME = "draftscope-engine"


def exit_process(status: int) -> NoReturn:
    """End the process, also where a worker could not be closed in time.

    A thread deep in an import or in MLX cannot be ended; shutting the interpreter down under it
    would abort, so everything is flushed and the process left at once.
    """
    if any(thread.name == THREAD_NAME for thread in threading.enumerate()):
        logging.shutdown()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                if stream is not None:
                    stream.flush()
        os._exit(status)
    sys.exit(status)


def outlive(thread: threading.Thread) -> None:
    """Wait until a joined thread is gone from the system too.

    Before Python 3.13 `join` returns while the thread's own destructors may still run. MLX's need
    the interpreter, and an interpreter that is shutting down by then aborts the process.
    """
    if sys.version_info >= (3, 13):
        return
    task = Path(f"/proc/self/task/{thread.native_id}")
    deadline = time.monotonic() + 1.0
    time.sleep(0 if task.exists() else 0.1)
    while task.exists() and time.monotonic() < deadline:
        time.sleep(0.002)
