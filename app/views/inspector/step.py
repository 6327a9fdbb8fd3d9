"""The step pane: one step from its draft to its cost, with the strip to choose it in."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.models.context_map import ContextMap
from app.models.inspection import Inspection
from app.models.phases import previous_time, spans
from app.models.reply import Reply
from app.models.step_facts import step_facts
from app.models.step_story import lines, outcome, why_no_draft
from app.theme import Theme
from app.views.controls import section
from app.views.inspector.draft_row import DraftRow
from app.views.inspector.facts import FactList
from app.views.inspector.pane import Pane
from app.views.inspector.steps import StepsSection
from app.views.inspector.waterfall import Waterfall
from engine import StepRecord


class StepPane(Pane):
    """Shows the inspection's step and moves it."""

    def __init__(self, theme: Theme, inspection: Inspection, parent: QWidget | None = None) -> None:
        super().__init__(inspection, parent)
        self._context: ContextMap | None = None
        self._described: Reply | None = None
        self.steps = StepsSection(theme, inspection, self)
        self.column.addWidget(self.steps)
        self._build_heading()
        self.empty = QLabel(
            self.tr("Nothing to show yet. Each step of a reply can be looked at here."), self
        )
        self.empty.setObjectName("small")
        self.empty.setWordWrap(True)
        self.column.addWidget(self.empty)
        self.body = QWidget(self)
        self.column.addWidget(self.body)
        self._build_body(theme)

    def parts(self) -> Sequence[Callable[[], None]]:
        """The strip, then its step."""
        return self.steps.refresh, self.show_step

    def show_step(self) -> None:
        """The draft, the waterfall and the facts of the inspection's step."""
        inspection = self.inspection
        reply, step = inspection.reply, inspection.step
        is_shown = reply is not None and step is not None
        self.body.setVisible(is_shown)
        self.empty.setVisible(not is_shown)
        self.previous.setEnabled(step is not None and step > 0)
        self.next.setEnabled(step is not None and step < inspection.num_steps - 1)
        if reply is None or step is None:
            self.heading.setText(self.tr("No step"))
            return
        self.heading.setText(self.tr("Step {0} of {1}").format(step + 1, inspection.num_steps))
        self._show_record(reply, reply.log[step])

    def _show_record(self, reply: Reply, record: StepRecord) -> None:
        if self._context is None or self._described is not reply:
            self._context, self._described = ContextMap(reply), reply
        self.draft.show_step(reply, record)
        why = why_no_draft(reply, record)
        plain = self.tr("Plain step, nothing was drafted: {0}.").format(why)
        if record.cut and not record.draft:
            plain = self.tr("Nothing was left to verify: {0}.").format(why)
        self.outcome.setText(plain if why else outcome(reply, step_facts(record)))
        self.waterfall.show_spans(spans(record, previous_time(reply, record.index)))
        self.facts.show_lines(lines(reply, record, self._context))

    def _build_heading(self) -> None:
        self.heading = QLabel(self)
        self.heading.setObjectName("title")
        self.previous, self.next = QPushButton("←", self), QPushButton("→", self)
        self.previous.setAccessibleName(self.tr("Previous step"))
        self.next.setAccessibleName(self.tr("Next step"))
        self.previous.clicked.connect(lambda: self.inspection.move_step(-1))
        self.next.clicked.connect(lambda: self.inspection.move_step(1))
        row = QHBoxLayout()
        row.setContentsMargins(0, 6, 0, 0)
        row.addWidget(self.heading)
        row.addStretch(1)
        for button in (self.previous, self.next):
            button.setToolTip(button.accessibleName())
            button.setFixedWidth(32)
            row.addWidget(button)
        self.column.addLayout(row)

    def _build_body(self, theme: Theme) -> None:
        column = QVBoxLayout(self.body)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        self.draft = DraftRow(theme, self.body)
        self.draft.token_chosen.connect(self._on_token_chosen)
        self.outcome = QLabel(self.body)
        self.outcome.setObjectName("small")
        self.outcome.setWordWrap(True)
        self.outcome.setTextFormat(Qt.TextFormat.PlainText)
        self.waterfall = Waterfall(theme, self.body)
        self.facts = FactList(self.body)
        column.addWidget(section(self.tr("Draft"), self.body))
        column.addWidget(self.draft)
        column.addWidget(self.outcome)
        column.addWidget(section(self.tr("Time since the step before"), self.body))
        column.addWidget(self.waterfall)
        column.addWidget(section(self.tr("Facts"), self.body))
        column.addWidget(self.facts)

    def _on_token_chosen(self, number: int) -> None:
        reply, step = self.inspection.reply, self.inspection.step
        if reply is not None and step is not None:
            self.inspection.select_token(reply.log.first_token(step) + number)
