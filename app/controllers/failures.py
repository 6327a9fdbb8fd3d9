"""Where unexpected errors come out: of tasks and of slots, logged and shown, never lost."""

import asyncio
import logging
import sys
from collections.abc import Coroutine
from types import TracebackType
from typing import Any

from PySide6.QtCore import QObject, Signal

log = logging.getLogger("draftscope")


class FailureReporter(QObject):
    """Owns the tasks of the event loop, and Python's last-resort hook while installed."""

    reported = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks: set[asyncio.Task[None]] = set()
        self._earlier_hook = sys.excepthook

    def install(self) -> None:
        """Take over `sys.excepthook`, which Qt's slots report to."""
        self._earlier_hook = sys.excepthook
        sys.excepthook = self._on_uncaught

    def uninstall(self) -> None:
        """Give the hook back."""
        sys.excepthook = self._earlier_hook

    def start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine as a task whose failure is reported."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)
        return task

    async def stop_all(self) -> None:
        """Cancel what still runs and wait for it."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._report(error)

    def _on_uncaught(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self._report(error)
        self._earlier_hook(kind, error, trace)

    def _report(self, error: BaseException) -> None:
        log.error("unexpected error", exc_info=error)
        text = str(error) or type(error).__name__
        self.reported.emit(self.tr("Something went wrong in the window: {0}").format(text))
