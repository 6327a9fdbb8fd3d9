"""When what follows a growing text is shown: after a while, and with the text that comes then.

What is due waits a moment for more text, so that both are painted at once, and goes without if none
comes.
"""

from PySide6.QtCore import QObject, QTimer, Signal

# How long what is due waits for text to be painted with.
GRACE_MS = 80


class Due(QObject):
    """Started anew each time; whoever shows what is due calls `rest`."""

    waited = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._is_now = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_time)

    @property
    def is_now(self) -> bool:
        """Whether the time has come, and the next text brings it."""
        return self._is_now

    @property
    def is_awaited(self) -> bool:
        """Whether it was started and not shown since."""
        return self._timer.isActive()

    def start(self, milliseconds: int) -> None:
        """Be due after this time."""
        self._is_now = False
        self._timer.start(milliseconds)

    def rest(self) -> None:
        """It is shown, or there is nothing to show."""
        self._is_now = False
        self._timer.stop()

    def _on_time(self) -> None:
        if self._is_now:
            self._is_now = False
            self.waited.emit()
        else:
            self._is_now = True
            self._timer.start(GRACE_MS)
