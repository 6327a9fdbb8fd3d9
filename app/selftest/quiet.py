"""The self-test after an update: in a process of its own, when nothing else goes on."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from app.selftest.outcome import Outcome, is_due, keep_outcome, outcome_of, read_outcome
from app.selftest.window import app_command
from engine import VERSION

WAIT_SECONDS = 60
LONGEST_SECONDS = 240
_KILL_MS = 500
_MOST_OUTPUT = 50_000


class QuietTest(QObject):
    """Runs once for each version; `ended` has what it found.

    `is_idle` is asked before it begins, and again a while later where it says no.
    """

    ended = Signal(object)

    def __init__(
        self,
        folder: Path,
        is_idle: Callable[[], bool],
        parent: QObject,
        *,
        version: str = VERSION,
        command: list[str] | None = None,
    ) -> None:
        super().__init__(parent)
        self._folder, self._is_idle, self._version = folder, is_idle, version
        self._command = command or [*app_command(), "--self-test"]
        self._text = b""
        self._waiting = self._timer(self._begin)
        self._deadline = self._timer(self._give_up)
        self._process = QProcess(self)
        self._process.setProcessChannelMode(QProcess.ProcessChannelMode.MergedChannels)
        self._process.readyRead.connect(self._read)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)

    def start(self, wait_seconds: float = WAIT_SECONDS) -> bool:
        """Run it after a while, if this version has not been tried; whether it will."""
        if not is_due(read_outcome(self._folder), self._version):
            return False
        self._waiting.start(round(wait_seconds * 1000))
        return True

    def close(self) -> None:
        """End it; one that was under way is not begun again for this version."""
        self._waiting.stop()
        self._deadline.stop()
        if self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.blockSignals(True)
            self._process.kill()
            self._process.waitForFinished(_KILL_MS)

    def _timer(self, act: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(act)
        return timer

    def _begin(self) -> None:
        if not self._is_idle():
            self._waiting.start()
            return
        if not keep_outcome(self._folder, Outcome(self._version, time.time(), "unfinished")):
            return
        nice = shutil.which("nice")
        program, *arguments = [nice, "-n", "15", *self._command] if nice else self._command
        self._deadline.start(LONGEST_SECONDS * 1000)
        self._process.start(program, arguments)

    def _read(self) -> None:
        data = bytes(self._process.readAll().data())
        self._text = (self._text + data)[:_MOST_OUTPUT]

    def _give_up(self) -> None:
        self._process.kill()

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._end(1, "FAILED  self-test: it could not be started")

    def _on_finished(self, status: int, ending: QProcess.ExitStatus) -> None:
        self._read()
        text = self._text.decode("utf-8", "replace")
        if ending == QProcess.ExitStatus.CrashExit:
            status, text = 1, f"{text}\nFAILED  self-test: it was ended before it was through"
        self._end(status, text)

    def _end(self, status: int, text: str) -> None:
        self._deadline.stop()
        outcome = outcome_of(self._version, time.time(), status, text)
        keep_outcome(self._folder, outcome)
        self.ended.emit(outcome)
