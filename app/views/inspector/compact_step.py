"""The step looked at in a few lines: its draft, what became of it, and where its time went."""

from math import ceil

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from app.models.inspection import Inspection
from app.models.phases import duration, previous_time, spans
from app.models.step_facts import step_facts
from app.models.step_story import outcome, why_no_draft
from app.theme import Theme
from app.views.controls import section
from app.views.inspector.bars import Part, PartsBar
from app.views.inspector.draft_row import DraftRow
from app.views.inspector.phase_times import PhaseTimes
from app.views.inspector.step_words import LINE, StepWords

_DRAFT_LINES, _OWN_LINES = 2, 2
_SPACING = 4


class CompactStep(QWidget):
    """Keeps its height whatever the step is, so that nothing below it jumps while steps go by."""

    token_chosen = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        self.heading = section(self.tr("Step"), self)
        self.draft = DraftRow(theme, self, max_lines=_DRAFT_LINES)
        self.draft.token_chosen.connect(self.token_chosen)
        self.outcome = StepWords(theme, self)
        # It begins in the draft's lines, where a short draft leaves them free.
        self.outcome.setFixedHeight(self.draft.height() + _SPACING + _OWN_LINES * LINE)
        self.phases = PartsBar(theme, self.tr("Time of the step"), self)
        self.durations = PhaseTimes(theme, self.tr("Time of the step by phase"), self)
        self.outcome.raise_()
        column = QGridLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setVerticalSpacing(_SPACING)
        column.setRowMinimumHeight(2, _OWN_LINES * LINE)
        column.addWidget(self.outcome, 1, 0, 2, 1, Qt.AlignmentFlag.AlignBottom)
        for row, widget in ((0, self.heading), (1, self.draft), (3, self.phases)):
            column.addWidget(widget, row, 0)
        column.addWidget(self.durations, 4, 0)

    def show_step(self, inspection: Inspection) -> None:
        """The inspection's step, if there is one."""
        reply, step = inspection.reply, inspection.step
        if reply is None or step is None:
            self.heading.setText(self.tr("Step"))
            self.draft.show_step(None, None)
            self._say(self.tr("No steps yet"))
            self.phases.show_parts(())
            self.durations.show_values({})
            return
        record = reply.log[step]
        self.heading.setText(self.tr("Step {0}").format(step + 1))
        self.draft.show_step(reply, record)
        why = why_no_draft(reply, record)
        plain = self.tr("Plain step: {0}.").format(why)
        self._say(plain if why else outcome(reply, step_facts(record)))
        found = spans(record, previous_time(reply, step))
        times = {span.name: duration(span.seconds) for span in found}
        labels = {span.name: span.label for span in found}
        self.phases.show_parts(
            tuple(
                Part(span.name, span.seconds, f"{span.label} {times[span.name]}") for span in found
            )
        )
        self.durations.show_values(times, labels)

    def _say(self, words: str) -> None:
        self._words = words
        self._fit()

    def _fit(self) -> None:
        """The words in as many lines as the draft leaves free."""
        placed = self.draft.laid_out(self.width())
        line = self.draft.height() / _DRAFT_LINES
        taken = line * ceil(placed[-1][1].bottom() / line) if placed else 0.0
        self.outcome.show_words(self._words, int((self.outcome.height() - taken) // LINE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
