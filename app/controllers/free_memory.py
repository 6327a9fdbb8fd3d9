"""How much memory is free now for a model."""

from collections.abc import Callable

import psutil
from PySide6.QtCore import QObject, QTimer

from app.models.library import Library

TICK_MS = 2_000


def available_bytes() -> int | None:
    """What the system would give without pushing anything out; None where it does not say."""
    try:
        return int(psutil.virtual_memory().available)
    except (psutil.Error, OSError, RuntimeError):
        return None


class FreeMemory(QObject):
    """Keeps the library's figure fresh while somebody looks, and measures when asked."""

    def __init__(
        self,
        library: Library,
        parent: QObject | None = None,
        available: Callable[[], int | None] = available_bytes,
    ) -> None:
        super().__init__(parent)
        self._library, self._available = library, available
        # What is loaded gives its place up when another model is loaded.
        self.loaded = ""
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.measure)

    def set_watched(self, is_watched: bool) -> None:
        """Whether somebody looks at it."""
        if is_watched:
            self.measure()
            self._timer.start()
        else:
            self._timer.stop()

    def measure(self) -> None:
        """Now."""
        free = self._available()
        model = self._library.find(self.loaded) if self.loaded else None
        given_back = 0 if model is None else model.survey.weights_bytes or 0
        self._library.set_free_bytes(None if free is None else free + given_back)
