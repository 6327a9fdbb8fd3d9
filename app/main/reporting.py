"""How the app is doing: the sheet of diagnostics, the self-test after an update, crash reports."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from app.main.crash import reports
from app.main.logs import recent_problems
from app.models.diagnostics import DiagnosticFacts, diagnostics
from app.models.model_state import ModelState
from app.selftest import Outcome, QuietTest, failure_sentence, outcome_lines, read_outcome
from app.theme import Theme
from app.views.diagnostics import Diagnostics
from engine import Health


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where data and logs lie."""

    data: Path
    logs: Path


class Reporting(QObject):
    """`said` is a sentence when the self-test of this version found something."""

    said = Signal(str)

    def __init__(
        self,
        window: QWidget,
        theme: Theme,
        model: ModelState,
        health: Callable[[], Health | None],
        places: Whereabouts,
        is_idle: Callable[[], bool],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._theme, self._model = window, theme, model
        self._health, self._places = health, places
        self.quiet = QuietTest(places.data, is_idle, self)
        self.quiet.ended.connect(self._on_tested)

    def start(self) -> None:
        """Have this version tested a while from now, unless it was."""
        self.quiet.start()

    def close(self) -> None:
        """Nothing runs any more."""
        self.quiet.close()

    def open(self) -> Diagnostics:
        """Show the sheet."""
        sheet = Diagnostics(diagnostics(self._facts()), self._theme, self._window)
        sheet.logs_requested.connect(self.show_logs)
        sheet.open()
        return sheet

    def show_logs(self) -> None:
        """Open the folder of logs and crash reports."""
        _open(self._places.logs)

    def show_crash(self, report: Path) -> None:
        """Open a crash report."""
        _open(report)

    def _facts(self) -> DiagnosticFacts:
        return DiagnosticFacts(
            model=self._model.info,
            stage=self._model.stage,
            health=self._health(),
            self_test=outcome_lines(read_outcome(self._places.data)),
            problems=recent_problems(self._places.logs),
            crashes=tuple(path.name for path in reports(self._places.logs)),
            data_folder=self._places.data,
            log_folder=self._places.logs,
        )

    def _on_tested(self, outcome: Outcome) -> None:
        sentence = failure_sentence(outcome)
        if sentence:
            self.said.emit(sentence)


def _open(path: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
