"""The switches of speculation for the next reply, and what became of them in the shown one."""

import math

from PySide6.QtCore import QPoint, QSignalBlocker, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.models.playback import PlayedReply
from app.models.reply import Reply
from app.models.speculation import SpeculationSettings
from app.models.summary import effective, speculation_state
from app.theme import Theme
from app.views.controls import ElidedLabel, Switch
from app.views.flags.flow import FlowBox
from app.views.popup_menu import PopupMenu
from engine import EffectiveConfig

# Room for the longest reasons in one line, so that nothing below jumps when there is another one.
_REASON_ROOM = 1_200

LENGTHS: tuple[int | None, ...] = (None, 1, 2, 3, 4, 5, 6, 8, 10)


class SpeculationSwitches(QWidget):
    """Writes the settings; shows them and a reply's effective configuration."""

    def __init__(
        self, theme: Theme, settings: SpeculationSettings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._reply: Reply | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self._build_switches(theme)
        self._build_length()
        self.reason = QLabel(self)
        self.reason.setObjectName("small")
        self.reason.setWordWrap(True)
        self.reason.setTextFormat(Qt.TextFormat.PlainText)
        self.reason.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._column.addWidget(self.reason)
        settings.changed.connect(self._follow_settings)
        self._follow_settings()

    def show_reply(self, reply: Reply | None) -> None:
        """Whether speculation is on in this reply, and why."""
        was_recorded, self._reply = self._recorded, reply
        if self._recorded is not was_recorded:
            self._follow_settings()
            return
        if reply is None or reply.speculation is None or reply.config is None:
            recorded = self._recorded
            words = self.tr("The switches take effect at the next reply.")
            self.reason.setText(words if recorded is None else "")
            self.effective.set_full_text("" if recorded is None else self._effective(recorded))
            return
        is_on, why = reply.speculation
        state = speculation_state(reply.config, is_on)
        lines = [f"{state}: {why}" if why else state]
        if reply.asked is not None and reply.asked != self._settings.params:
            lines.append(self.tr("Your change takes effect at the next reply."))
        self.reason.setText("\n".join(lines))
        self.effective.set_full_text(self._effective(reply.config, is_on))

    @property
    def _recorded(self) -> EffectiveConfig | None:
        """What a reply that comes from a trace ran with; nothing can be set for it any more."""
        return self._reply.recorded if isinstance(self._reply, PlayedReply) else None

    def _effective(self, config: EffectiveConfig, is_on: bool = True) -> str:
        return self.tr("effective: {0}").format(effective(config, is_on))

    def _build_switches(self, theme: Theme) -> None:
        settings = self._settings
        self.speculation = Switch(self.tr("Speculation"), theme, self)
        self.replay = Switch(self.tr("Replay"), theme, self)
        self.exclusions = Switch(self.tr("Exclusions"), theme, self)
        self._tips: dict[QWidget, str] = {
            self.speculation: self.tr("Draft tokens from the text so far, and verify them"),
            self.replay: self.tr("Off: what matched before a rejected draft is thrown away too"),
            self.exclusions: self.tr("Never draft padding, image and other special tokens"),
        }
        self.speculation.toggled.connect(settings.set_enabled)
        self.replay.toggled.connect(settings.set_replay)
        self.exclusions.toggled.connect(settings.set_exclude)
        box = FlowBox(12, 4, self)
        for switch in (self.speculation, self.replay, self.exclusions):
            box.add(switch)
        self._column.addWidget(box)

    def _build_length(self) -> None:
        self.length = QPushButton(self)
        self.length.setAccessibleName(self.tr("Draft length"))
        self._tips[self.length] = self.tr("How many tokens are drafted at once")
        self.length.clicked.connect(self._choose_length)
        self.menu = PopupMenu(self)
        for length in LENGTHS:
            action = self.menu.addAction(self.tr("Auto") if length is None else str(length))
            action.setCheckable(True)
            action.setData(length)
            action.triggered.connect(lambda _=False, n=length: self._settings.set_draft_length(n))
        self.effective = ElidedLabel("", self)
        self.effective.setObjectName("small")
        self.effective.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout()
        row.addWidget(QLabel(self.tr("Draft length"), self))
        row.addWidget(self.length)
        row.addWidget(self.effective, 1)
        self._column.addLayout(row)

    def _choose_length(self) -> None:
        self.menu.popup(self.length.mapToGlobal(QPoint(0, self.length.height() + 2)))

    def _follow_settings(self) -> None:
        recorded = self._recorded
        params = recorded if recorded is not None else self._settings.params
        switches = (self.speculation, self.replay, self.exclusions)
        for switch, is_on in zip(
            switches, (params.enabled, params.replay, params.exclude), strict=True
        ):
            # Showing what is set sets nothing.
            with QSignalBlocker(switch):
                switch.setChecked(is_on)
            switch.update()
        self.speculation.setEnabled(recorded is None)
        for widget in (self.replay, self.exclusions, self.length):
            widget.setEnabled(params.enabled and recorded is None)
        for control, tip in self._tips.items():
            control.setToolTip(tip if recorded is None else self.tr("As the trace was recorded"))
            control.setAccessibleDescription(control.toolTip())
        for action in self.menu.actions():
            action.setChecked(action.data() == params.draft_length)
        length = params.draft_length
        self.length.setText((self.tr("Auto") if length is None else str(length)) + " ▾")
        self.show_reply(self._reply)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        num_lines = math.ceil(_REASON_ROOM / max(self.width(), 1))
        self.reason.setMinimumHeight(num_lines * self.reason.fontMetrics().lineSpacing())
