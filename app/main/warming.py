"""Loads the charts' library ahead, so that no turn of the window waits for it to be imported.

Qt's classes are made when they are first named, and two threads that name one at the same time
crash. The library names them all when it is imported. So they are made on the window's thread
first, a few at a time, and only then does another thread import what builds on them.
"""

import asyncio
import importlib
import logging
import sys
import threading
from collections.abc import Iterator
from time import perf_counter

from app.views.inspector.chart import LIBRARY, LIBRARY_COMING

# Not before the window is painted.
START_SECONDS = 0.05
SLICE_SECONDS = 0.004
LOOK_SECONDS = 0.02
# Beside those that the window itself has loaded, the library imports these modules of Qt.
QT_MODULES = ("QtOpenGL", "QtOpenGLWidgets", "QtSvg", "QtTest")
# What needs no Qt and takes the longest, while the window is still busy with its start.
PLAIN = "numpy"

log = logging.getLogger("draftscope")


async def warm_up() -> None:
    """Load it; a chart that is shown meanwhile waits for it instead of importing it itself."""
    if LIBRARY in sys.modules:
        return
    LIBRARY_COMING.set()
    try:
        await asyncio.sleep(START_SECONDS)
        await _load_beside(PLAIN)
        for _ in qt_classes():
            await asyncio.sleep(0)
        await _load_beside(LIBRARY)
    finally:
        LIBRARY_COMING.clear()


def qt_classes() -> Iterator[None]:
    """Make all of Qt's classes, in short slices."""
    loaded = {name for name in sys.modules if name.startswith("PySide6.Qt")}
    end = perf_counter() + SLICE_SECONDS
    for name in sorted(loaded | {f"PySide6.{name}" for name in QT_MODULES}):
        # One that this installation lacks, the library does without.
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        for each in dir(module):
            getattr(module, each)  # naming it makes it
            if perf_counter() > end:
                yield
                end = perf_counter() + SLICE_SECONDS


async def _load_beside(name: str) -> None:
    # No daemon: a process that ends in the middle of an import would crash. It waits this long.
    thread = threading.Thread(target=_load, args=(name,), name="warming")
    thread.start()
    while thread.is_alive():
        await asyncio.sleep(LOOK_SECONDS)


def _load(name: str) -> None:
    try:
        importlib.import_module(name)
    except ImportError:
        # The first chart will say so.
        log.warning("%s cannot be imported", name)
