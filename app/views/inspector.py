"""The inspector dock: switches, speed, steps, accepted lengths, counters of the shown reply."""

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.models.reply import Reply
from app.models.speculation import SpeculationSettings
from app.models.summary import effective, rate, speculation_state, speed_of
from app.theme import Theme
from app.views.charts import Histogram, Sparkline, StepStrip
from app.views.controls import ElidedLabel, Switch, section
from app.views.counters import Counters
from app.views.header import HEADER_HEIGHT

INSPECTOR_WIDTH = 368
CHART_MS = 200
REASON_LINES = 3
LENGTHS: tuple[int | None, ...] = (None, 1, 2, 3, 4, 5, 6, 8, 10)


class Inspector(QWidget):
    """Reads the shown reply at most five times a second; emits through the settings only."""

    def __init__(
        self, theme: Theme, settings: SpeculationSettings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("inspector")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(INSPECTOR_WIDTH)
        self._settings = settings
        self._reply: Reply | None = None
        self.sparkline = Sparkline(theme, self)
        self.strip = StepStrip(theme, self)
        self.histogram = Histogram(theme, self)
        self._build(theme)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(CHART_MS)
        self._timer.timeout.connect(self._show)
        settings.changed.connect(self._follow_settings)
        self._follow_settings()
        self._show()

    def show_reply(self, reply: Reply | None) -> None:
        """Another reply, or news of the same; painted within a fifth of a second."""
        is_other = reply is not self._reply
        self._reply = reply
        if is_other or reply is None or reply.is_over:
            self._timer.stop()
            self._show()
        elif not self._timer.isActive():
            self._timer.start()

    def _build(self, theme: Theme) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QWidget(self)
        head.setObjectName("inspector_header")
        head.setFixedHeight(HEADER_HEIGHT)
        title = QLabel(self.tr("Inspector"), head)
        title.setObjectName("title")
        row = QHBoxLayout(head)
        row.setContentsMargins(19, 0, 18, 0)
        row.addWidget(title)
        column.addWidget(head)
        area = QScrollArea(self)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content = QWidget(area)
        content.setObjectName("inspector_content")
        area.setWidget(content)
        column.addWidget(area)
        body = QVBoxLayout(content)
        body.setContentsMargins(19, 12, 18, 16)
        body.setSpacing(8)
        self._build_settings(body, theme)
        self._build_numbers(body)
        body.addStretch(1)

    def _build_settings(self, body: QVBoxLayout, theme: Theme) -> None:
        settings = self._settings
        self.speculation = Switch(self.tr("Speculation"), theme, self)
        self.replay = Switch(self.tr("Replay"), theme, self)
        self.exclusions = Switch(self.tr("Exclusions"), theme, self)
        self.replay.setToolTip(
            self.tr("Off: what matched before a rejected draft is thrown away too")
        )
        self.exclusions.setToolTip(self.tr("Never draft padding, image and other special tokens"))
        self.speculation.toggled.connect(settings.set_enabled)
        self.replay.toggled.connect(settings.set_replay)
        self.exclusions.toggled.connect(settings.set_exclude)
        switches = QHBoxLayout()
        switches.setContentsMargins(-2, 0, 0, 0)
        switches.setSpacing(16)
        for switch in (self.speculation, self.replay, self.exclusions):
            switches.addWidget(switch)
        switches.addStretch(1)
        body.addLayout(switches)
        self.length = QPushButton(self)
        self.length.setAccessibleName(self.tr("Draft length"))
        self.length.clicked.connect(self._choose_length)
        self._menu = QMenu(self)
        for length in LENGTHS:
            action = self._menu.addAction(self.tr("Auto") if length is None else str(length))
            action.setCheckable(True)
            action.setData(length)
            action.triggered.connect(lambda _=False, n=length: settings.set_draft_length(n))
        self.effective = ElidedLabel("", self)
        self.effective.setObjectName("small")
        self.effective.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout()
        row.addWidget(QLabel(self.tr("Draft length"), self))
        row.addWidget(self.length)
        row.addWidget(self.effective, 1)
        body.addLayout(row)
        self.reason = QLabel(self)
        self.reason.setObjectName("small")
        self.reason.setWordWrap(True)
        self.reason.setTextFormat(Qt.TextFormat.PlainText)
        self.reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Room for the longest reason, so that nothing below it jumps while a reply streams.
        self.reason.setMinimumHeight(REASON_LINES * self.reason.fontMetrics().lineSpacing())
        body.addWidget(self.reason)

    def _build_numbers(self, body: QVBoxLayout) -> None:
        body.addWidget(section(self.tr("Speed"), self))
        self.speed = QLabel(self)
        self.speed.setObjectName("number")
        self.unit = unit = QLabel(self.tr("tok/s"), self)
        self.first = QLabel(self)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.speed)
        for label in (unit, self.first):
            label.setObjectName("muted")
            label.setContentsMargins(0, 0, 0, 6)
        row.addWidget(unit, 0, Qt.AlignmentFlag.AlignBottom)
        row.addStretch(1)
        row.addWidget(self.first, 0, Qt.AlignmentFlag.AlignBottom)
        body.addLayout(row)
        body.addWidget(self.sparkline)
        body.addWidget(section(self.tr("Steps"), self))
        body.addWidget(self.strip)
        body.addWidget(section(self.tr("Accepted per step"), self))
        body.addWidget(self.histogram)
        body.addWidget(section(self.tr("Counters"), self))
        self.counters = Counters(self)
        body.addWidget(self.counters)

    def _choose_length(self) -> None:
        self._menu.popup(self.length.mapToGlobal(QPoint(0, self.length.height() + 2)))

    def _follow_settings(self) -> None:
        params = self._settings.params
        self.speculation.setChecked(params.enabled)
        self.replay.setChecked(params.replay)
        self.exclusions.setChecked(params.exclude)
        for widget in (self.replay, self.exclusions, self.length):
            widget.setEnabled(params.enabled)
        length = params.draft_length
        for action in self._menu.actions():
            action.setChecked(action.data() == length)
        self._show_speculation(self._reply)
        self.length.setText((self.tr("Auto") if length is None else str(length)) + " ▾")

    def _show(self) -> None:
        reply = self._reply
        stats = reply.statistics if reply is not None else None
        self.speed.setText(rate(speed_of(reply)) if reply is not None else "–")
        is_live = reply is not None and reply.run is not None and not reply.is_over
        self.unit.setText(self.tr("tok/s now") if is_live else self.tr("tok/s"))
        self._show_speculation(reply)
        run = reply.run if reply is not None else None
        self.sparkline.show_values(run.speeds if run is not None else [])
        columns = run.columns if run is not None else ()
        self.strip.show_columns(columns, stats.steps if stats is not None else 0)
        self.histogram.show_counts(
            stats.histogram if stats is not None else {},
            run.whole_drafts if run is not None else {},
        )
        self.counters.show_reply(reply)
        first = stats.first_token_seconds if stats is not None else None
        self.first.setText("" if first is None else f"{first:.2f} s to first")

    def _show_speculation(self, reply: Reply | None) -> None:
        if reply is None or reply.speculation is None or reply.config is None:
            self.reason.setText(self.tr("The switches take effect at the next reply."))
            self.effective.set_full_text("")
            return
        is_on, why = reply.speculation
        state = speculation_state(reply.config, is_on)
        lines = [f"{state}: {why}" if why else state]
        if reply.asked != self._settings.params:
            lines.append(self.tr("Your change takes effect at the next reply."))
        self.reason.setText("\n".join(lines))
        words = effective(reply.config, is_on)
        self.effective.set_full_text(self.tr("effective: {0}").format(words))
