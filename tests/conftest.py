"""What every test lives under: nothing left alive, and the models that tests share."""

import gc
import itertools
import os
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from engine.model.loaded_model import LoadedModel

_PATIENCE_SECONDS = 2.0
# Young garbage after every test, all of it now and then.
_generations = itertools.cycle((1,) * 24 + (2,))
_collected_elsewhere: list[str] = []

settings.register_profile(
    "draftscope",
    deadline=None,
    max_examples=60,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("draftscope")


def _new_threads(before: set[threading.Thread]) -> list[str]:
    """Threads that outlive the test, after a moment's patience for those on their way out."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        alive = [t for t in threading.enumerate() if t not in before and t.is_alive()]
        # A progress bar's monitor is a daemon of its library, started once for the process.
        alive = [t for t in alive if type(t).__name__ != "TMonitor"]
        if not alive or time.monotonic() > deadline:
            return [t.name for t in alive]
        time.sleep(0.01)


def _widgets_and_timers() -> dict[int, str]:
    """Top-level widgets and running timers, by identity; none where Qt was never imported."""
    if "PySide6.QtWidgets" not in sys.modules:
        return {}
    from PySide6.QtCore import QCoreApplication, QEvent, QTimer
    from PySide6.QtWidgets import QApplication
    from shiboken6 import Shiboken

    if QApplication.instance() is None:
        return {}
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    timers = [w for w in Shiboken.getAllValidWrappers() if isinstance(w, QTimer) and w.isActive()]
    return {id(x): repr(x) for x in (*QApplication.topLevelWidgets(), *timers)}


def _new_widgets_and_timers(before: dict[int, str]) -> list[str]:
    """What of those outlives the test, garbage aside."""
    if _widgets_and_timers().keys() - before.keys():
        gc.collect()
    after = _widgets_and_timers()
    return [after[key] for key in after.keys() - before.keys()]


@pytest.fixture(autouse=True, scope="session")
def caches_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests, and the processes they start, keep probes in a folder of their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DRAFTSCOPE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True, scope="session")
def garbage_of_the_main_thread() -> Iterator[None]:
    """Garbage is collected between tests only: a widget that dies on a worker's thread crashes."""

    def note(phase: str, _info: dict[str, int]) -> None:
        if phase == "start" and threading.current_thread() is not threading.main_thread():
            _collected_elsewhere.append(threading.current_thread().name)

    gc.disable()
    gc.callbacks.append(note)
    yield
    gc.callbacks.remove(note)
    gc.enable()


@pytest.fixture(autouse=True)
def nothing_left_alive() -> Iterator[None]:
    """A test that leaves a thread, a running timer or a top-level widget behind fails.

    So does one during which another thread collected garbage.
    """
    threads = set(threading.enumerate())
    widgets = _widgets_and_timers()
    yield
    left = _new_threads(threads) + _new_widgets_and_timers(widgets)
    assert not left, f"left alive: {', '.join(left)}"
    assert not gc.isenabled(), "the test left automatic collection on"
    gc.collect(next(_generations))
    assert not _collected_elsewhere, f"garbage collected on {_collected_elsewhere.pop()}"


@pytest.fixture(scope="session")
def demo() -> "LoadedModel":
    """The embedded demo model, loaded once, on the first test that asks."""
    from engine.model.load import load

    return load("demo", on_progress=lambda _stage, _fraction: None, is_cancelled=lambda: False)
