"""The Compare pane: which reply, in which ways to run it again, and what came of it."""

from itertools import pairwise

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.models.comparison import Comparison, Row
from app.models.inspection import Inspection
from app.models.model_state import ModelState
from app.models.rerun import asked_of, rerun_refusal
from app.models.summary import effective
from app.models.variants import offered_variants
from app.models.verdicts import counted
from app.theme import Theme
from app.views.compare.choices import VariantChoices
from app.views.compare.obstacle import Obstacle
from app.views.compare.results import ResultTable
from app.views.compare.row_words import RowWords
from app.views.controls import ElidedLabel, section

REFRESH_MS = 200
_PROGRESS_PARTS = 1000


class ComparePane(QWidget):
    """Reads the comparison at most five times a second, and not at all while it is hidden."""

    run_requested = Signal(object, object)
    stop_requested = Signal()
    shown_requested = Signal(int, int)

    def __init__(
        self,
        theme: Theme,
        comparison: Comparison,
        inspection: Inspection,
        model: ModelState,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._comparison, self._inspection, self._model = comparison, inspection, model
        self._first: Row | None = None
        self.subject = ElidedLabel("", self)
        self.obstacle, self.refusal = Obstacle(model, self), QLabel(self)
        self.hint = self.obstacle.words
        self.refusal.setObjectName("notice")
        self.choices = VariantChoices(theme, self)
        self.button = QPushButton(self)
        self.button.setObjectName("send")
        self.status = ElidedLabel("", self)
        self.status.setObjectName("small")
        self.progress = QProgressBar(self)
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(4)
        self.progress.setAccessibleName(self.tr("Progress of the comparison"))
        self.results = section(self.tr("Results"), self)
        self.table = ResultTable(theme, self)
        self.yardstick = QLabel(self)
        self.chosen = section("", self)
        self.words = RowWords(self)
        self.show_button = QPushButton(self.tr("Show side by side"), self)
        self._arrange()
        self._connect()

    def _arrange(self) -> None:
        about = QLabel(
            self.tr(
                "Runs the shown reply again in other ways, one after the other, with the same seed:"
                " does it pay, and is the text the same?"
            ),
            self,
        )
        for label in (about, self.yardstick):
            label.setObjectName("small")
        for label in (about, self.refusal, self.yardstick):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        run = QHBoxLayout()
        run.setSpacing(10)
        run.addWidget(self.button)
        run.addWidget(self.status, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        above: list[QWidget] = [about, self.subject, self.obstacle, self.choices, self.refusal]
        below: list[QWidget] = [self.progress, self.results, self.table, self.yardstick]
        for widget in above:
            column.addWidget(widget)
        column.addLayout(run)
        for widget in (*below, self.chosen, self.words):
            column.addWidget(widget)
        column.addWidget(self.show_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)

    def _connect(self) -> None:
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(REFRESH_MS)
        self._timer.timeout.connect(self._refresh)
        self.button.clicked.connect(self._on_button)
        self.show_button.clicked.connect(self._on_show)
        self.choices.changed.connect(self._show_run)
        self.choices.rebuilt.connect(self._order_tabs)
        self.table.rows_changed.connect(self._order_tabs)
        self.table.selected.connect(lambda _number: self._show_chosen())
        self._comparison.changed.connect(self._on_grown)
        self._inspection.reply_changed.connect(self._on_changed)
        self._inspection.grown.connect(self._on_grown)
        self._model.changed.connect(self._on_changed)
        self._refresh()

    def _order_tabs(self) -> None:
        """From top to bottom, though boxes and rows come and go."""
        stops = (
            self.obstacle.button,
            *self.choices.checks.values(),
            self.button,
            *self.table.rows,
            self.show_button,
        )
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _on_changed(self) -> None:
        if self.isVisible():
            self._refresh()

    def _on_grown(self) -> None:
        if self.isVisible() and not self._timer.isActive():
            self._timer.start()

    def _refresh(self) -> None:
        self._show_subject()
        self._show_run()
        self._show_results()

    def _show_subject(self) -> None:
        reply, info = self._inspection.reply, self._model.info
        refusal = self._refusal()
        is_possible = refusal is None
        self.obstacle.show_refusal(reply, refusal)
        self.choices.setVisible(is_possible)
        self.subject.setVisible(reply is not None and reply.config is not None)
        if reply is None or reply.config is None:
            return
        words = self.tr("The shown reply: {0}, {1}")
        ran = effective(reply.config)
        self.subject.set_full_text(words.format(counted(reply.log.num_tokens, "token"), ran))
        if info is not None and is_possible:
            asked = asked_of(reply, reply.config, info)
            self.choices.show_variants(offered_variants(asked, reply.config, info))

    def _show_run(self) -> None:
        comparison, refusal = self._comparison, self._refusal()
        is_running, number = comparison.is_running, len(self.choices.chosen)
        self.refusal.setVisible(bool(comparison.refusal))
        self.refusal.setText(comparison.refusal)
        one, more = self.tr("Run 1 reply"), self.tr("Run {0} replies").format(number)
        self.button.setText(self.tr("Stop") if is_running else one if number == 1 else more)
        self.button.setEnabled(is_running or (refusal is None and number > 0))
        self.button.setVisible(is_running or refusal is None)
        self.choices.setEnabled(not is_running)
        if self.button.property("stops") is not is_running:
            self.button.setProperty("stops", is_running)
            self.button.style().unpolish(self.button)
            self.button.style().polish(self.button)
        self.status.set_full_text(self._status(number) if refusal is None or is_running else "")
        self.progress.setVisible(is_running)
        self._show_progress()

    def _show_progress(self) -> None:
        comparison, running = self._comparison, self._comparison.running
        whole = comparison.reply.log.num_tokens if comparison.reply is not None else 0
        done = float(comparison.num_over)
        if running is not None and whole:
            done += min(running.reply.log.num_tokens / whole, 1.0)
        self.progress.setRange(0, max(len(comparison.reruns), 1) * _PROGRESS_PARTS)
        self.progress.setValue(round(done * _PROGRESS_PARTS))

    def _show_results(self) -> None:
        comparison, rows = self._comparison, self._comparison.rows
        for widget in (self.results, self.table, self.yardstick, self.chosen, self.words):
            widget.setVisible(bool(rows))
        if not rows:
            self.show_button.hide()
            return
        is_shown = comparison.reply is self._inspection.reply
        heading = self.tr("Results") if is_shown else self.tr("Results of another reply")
        self.results.setText(heading)
        self.table.show_comparison(comparison)
        if rows[0] is not self._first:
            self._first = rows[0]
            self.table.select(1)
        yardstick = comparison.yardstick
        self.yardstick.setText(
            self.tr(
                "Ratios relate to {0}, ids to this reply. One run each:"
                " speeds differ from run to run."
            ).format(yardstick.label if yardstick is not None else rows[0].label)
        )
        self._show_chosen()

    def _show_chosen(self) -> None:
        rows, number = self._comparison.rows, self.table.current
        row = rows[number] if 0 <= number < len(rows) else None
        self.chosen.setText(f"{row.label[0].upper()}{row.label[1:]}" if row is not None else "")
        self.words.show_row(self._comparison, row)
        has_text = row is not None and number > 0 and bool(row.reply.pieces)
        self.show_button.setVisible(has_text)
        if row is not None:
            name = self.tr("Show this reply and {0} side by side").format(row.label)
            self.show_button.setAccessibleName(name)

    def _refusal(self) -> str | None:
        return rerun_refusal(self._inspection.reply, self._model.info)

    def _status(self, number: int) -> str:
        comparison, running = self._comparison, self._comparison.running
        total = len(comparison.reruns)
        if running is not None:
            tokens = counted(running.reply.log.num_tokens, "token")
            words = self.tr("{0} of {1} · {2} · {3}")
            return words.format(comparison.num_over + 1, total, running.label, tokens)
        skipped = sum(row.state == "not run" for row in comparison.reruns)
        if skipped:
            return self.tr("Stopped; {0} not run").format(skipped)
        if not number:
            return self.tr("Choose at least one")
        return ""

    def _on_button(self) -> None:
        if self._comparison.is_running:
            self.stop_requested.emit()
        elif self._inspection.reply is not None:
            self.run_requested.emit(self._inspection.reply, self.choices.chosen)

    def _on_show(self) -> None:
        self.shown_requested.emit(0, self.table.current)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()
