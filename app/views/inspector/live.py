"""The live pane: switches, speed, steps, the step looked at, acceptance and counters of a reply."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.models.inspection import Inspection
from app.models.phases import LABELS, shares
from app.models.speculation import SpeculationSettings
from app.models.summary import percent, rate, speed_of
from app.models.verdicts import counted, did_replay_pay, pacing_lines, share, what_limits
from app.models.worth import did_drafting_pay
from app.theme import Theme
from app.views.controls import ElidedLabel, section
from app.views.inspector.bar_charts import BarChart, histogram_bars, position_bars
from app.views.inspector.bars import Part, PartsBar
from app.views.inspector.compact_step import CompactStep
from app.views.inspector.counters import Counters
from app.views.inspector.figures import figures
from app.views.inspector.pane import Pane
from app.views.inspector.patterns import Kind, PatternLegend
from app.views.inspector.phase_times import PhaseTimes
from app.views.inspector.speed_chart import SpeedChart
from app.views.inspector.steps import StepsSection
from app.views.inspector.switches import SpeculationSwitches
from app.views.steady_label import SteadyLabel, SteadyWords


class LivePane(Pane):
    """Reads the shown reply; emits through the settings only."""

    def __init__(
        self,
        theme: Theme,
        inspection: Inspection,
        settings: SpeculationSettings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(inspection, parent)
        self._theme = theme
        self.switches = switches = SpeculationSwitches(theme, settings, self)
        self.speculation, self.replay = switches.speculation, switches.replay
        self.exclusions, self.length = switches.exclusions, switches.length
        self.reason, self.effective, self.menu = switches.reason, switches.effective, switches.menu
        self.column.addWidget(switches)
        self._build_speed()
        self.steps = StepsSection(theme, inspection, self)
        self.column.addWidget(self.steps)
        self.step = CompactStep(theme, self)
        self.step.token_chosen.connect(self._on_token_chosen)
        self.column.addWidget(self.step)
        self._build_acceptance()
        self._build_numbers()

    def parts(self) -> Sequence[Callable[[], None]]:
        """From top to bottom."""
        return (
            self._show_speed,
            self._show_steps,
            self._show_acceptance,
            self._show_numbers,
        )

    def show_step(self) -> None:
        """The compact view of the inspection's step."""
        self.step.show_step(self.inspection)

    def _show_steps(self) -> None:
        self.steps.refresh()
        self.show_step()

    def _show_speed(self) -> None:
        reply = self.inspection.reply
        self.switches.show_reply(reply)
        self.speed.show_words(rate(speed_of(reply)) if reply is not None else "–")
        run = reply.run if reply is not None else None
        is_live = reply is not None and run is not None and not reply.is_over
        self.unit.show_words(self.tr("tok/s now") if is_live else self.tr("tok/s"))
        plain = run.plain_speed if run is not None else None
        measured = self.tr("plain {0}, measured").format(rate(plain))
        self.plain.set_full_text(measured if plain is not None else "")
        self.chart.show_reply(reply)

    def _show_acceptance(self) -> None:
        reply = self.inspection.reply
        run = reply.run if reply is not None else None
        stats = reply.statistics if reply is not None else None
        is_over = reply is not None and reply.is_over
        none = self.tr("No drafts") if is_over else self.tr("No drafts yet")
        self.histogram.set_nothing(none)
        self.positions.set_nothing(none)
        self.histogram.show_bars(histogram_bars(stats, run.whole_drafts if run is not None else {}))
        self.positions.show_bars(position_bars(run))
        if run is None or stats is None or not stats.steps:
            self.drafting.show_parts(())
            self.drafting_words.show_words(self.tr("No steps yet"))
            return
        drafted, plain = run.num_with_draft, stats.steps - run.num_with_draft
        with_draft = self.tr("{0:,} of {1} had a draft, {2}").format(
            drafted, counted(stats.steps, "step"), percent(drafted / stats.steps, 1)
        )
        without = self.tr("{0} had none").format(counted(plain, "step"))
        self.drafting.show_parts(
            (Part("accepted", drafted, with_draft), Part("generated", plain, without))
        )
        self.drafting_words.show_words(with_draft)

    def _show_numbers(self) -> None:
        reply = self.inspection.reply
        self.counters.show_reply(reply)
        run = reply.run if reply is not None else None
        stats = reply.statistics if reply is not None else None
        if reply is None or run is None or stats is None or reply.config is None:
            self.time.show_parts(())
            self.times.show_values({})
            self._show_pacing([])
            self._show_worth("")
            self.limits.show_words(self.tr("Nothing has been measured yet."))
            self.replay_verdict.show_words("")
            return
        parts = shares(run.phase_seconds)
        self.time.show_parts(
            tuple(
                Part(name, value, f"{LABELS[name]} {share(value)}") for name, value in parts.items()
            )
        )
        self.times.show_values({name: share(value) for name, value in parts.items()})
        self._show_worth(did_drafting_pay(run))
        self.limits.show_words(what_limits(run))
        self.replay_verdict.show_words(did_replay_pay(run, stats, reply.config))
        end = reply.log[len(reply.log) - 1].time if reply.is_over and len(reply.log) else None
        self._show_pacing(pacing_lines(run, end))

    def _show_worth(self, words: str) -> None:
        self.drafting_verdict.show_words(words)
        self.drafting_verdict.setVisible(bool(words))

    def _show_pacing(self, lines: list[str]) -> None:
        self.pacing.show_words("\n".join(lines))
        self.pacing.setVisible(bool(lines))

    def _build_speed(self) -> None:
        self.column.addWidget(section(self.tr("Speed"), self))
        self.speed = SteadyLabel(parent=self)
        self.speed.setObjectName("number")
        self.speed.setFont(figures(30, QFont.Weight.DemiBold))
        self.speed.setAccessibleDescription(self.tr("Decoding speed in tokens per second"))
        self.unit = SteadyLabel(self.tr("tok/s"), self)
        self.plain = ElidedLabel("", self)
        self.plain.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.plain.setAccessibleDescription(
            self.tr("Tokens per second of plain steps, as the engine measured them")
        )
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.speed)
        for label in (self.unit, self.plain):
            label.setObjectName("muted")
            label.setContentsMargins(0, 0, 0, 6)
        row.addWidget(self.unit, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.plain, 1, Qt.AlignmentFlag.AlignBottom)
        self.column.addLayout(row)
        self.chart = SpeedChart(self._theme, self)
        self.column.addWidget(self.chart)

    def _build_acceptance(self) -> None:
        theme = self._theme
        none = self.tr("No drafts yet")
        name = self.tr("Accepted per step")
        self.histogram = BarChart(theme, name, none, None, self)
        self.column.addWidget(section(name, self))
        self.column.addWidget(self.histogram)
        meaning: tuple[tuple[Kind, str], ...] = (
            ("accepted", self.tr("the whole draft")),
            ("corrected", self.tr("part of it")),
            ("generated", self.tr("none of it")),
        )
        self.column.addWidget(PatternLegend(theme, meaning, self))
        self.drafting = PartsBar(theme, self.tr("Steps with a draft"), self)
        self.drafting_words = SteadyWords(self)
        self.column.addWidget(self.drafting)
        self.column.addWidget(self.drafting_words)
        name = self.tr("Acceptance by position in the draft")
        self.positions = BarChart(theme, name, none, 1.0, self)
        self.column.addWidget(section(name, self))
        self.column.addWidget(self.positions)

    def _build_numbers(self) -> None:
        self.column.addWidget(section(self.tr("Counters"), self))
        self.counters = Counters(self._theme, self)
        self.column.addWidget(self.counters)
        # Words that need more or fewer lines come last: they move nothing but each other.
        self.column.addWidget(section(self.tr("What limits the speed"), self))
        self.time = PartsBar(self._theme, self.tr("Time of the reply"), self)
        self.times = PhaseTimes(self._theme, self.tr("Time of the reply by phase"), self)
        self.column.addWidget(self.time)
        self.column.addWidget(self.times)
        self.drafting_verdict, self.limits = SteadyWords(self), SteadyWords(self)
        self.replay_verdict, self.pacing = SteadyWords(self), SteadyWords(self)
        for words in (self.drafting_verdict, self.limits, self.replay_verdict, self.pacing):
            self.column.addWidget(words)

    def _on_token_chosen(self, number: int) -> None:
        reply, step = self.inspection.reply, self.inspection.step
        if reply is not None and step is not None:
            self.inspection.select_token(reply.log.first_token(step) + number)
