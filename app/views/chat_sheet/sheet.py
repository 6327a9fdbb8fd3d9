"""The sheet of one chat's settings: system prompt, sampling, length, thinking, presets."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.models.attaching import sound_text
from app.models.chat_fields import FIELDS
from app.models.chat_settings import ChatSettings
from app.models.presets import Preset, applied, matching, preset_of, with_preset, without_preset
from app.views.chat_sheet.number import Number
from app.views.chat_sheet.preset_row import PresetRow
from app.views.chat_sheet.thinking import ThinkingChoice

_COLUMNS = 2
_SYSTEM_HEIGHT = 96


class ChatSheet(QDialog):
    """Every change that fits holds at once, for the next question."""

    settings_changed = Signal(object)
    presets_changed = Signal(object)

    def __init__(
        self,
        settings: ChatSettings,
        presets: Sequence[Preset],
        has_thinking_switch: bool,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sheet")
        self.setWindowTitle(self.tr("Settings of this chat"))
        self.setModal(True)
        self.resize(560, 700)
        self._settings, self._presets = settings, tuple(presets)
        self.preset_row = PresetRow(self)
        self.system = QPlainTextEdit(settings.system, self)
        self.system.setObjectName("sheet_text")
        self.system.setFixedHeight(_SYSTEM_HEIGHT)
        self.system.setTabChangesFocus(True)
        self.system.setPlaceholderText(self.tr("None: the model answers as it was trained to."))
        self.system.setAccessibleName(self.tr("System prompt"))
        self.numbers = [Number(field, settings, self) for field in FIELDS]
        self.thinking = ThinkingChoice(settings.thinking, self)
        self.thinking.setVisible(has_thinking_switch)
        self.reset = QPushButton(self.tr("Reset all"), self)
        self.done_button = QPushButton(self.tr("Done"), self)
        self._arrange()
        self._connect()
        self._show()

    @property
    def settings(self) -> ChatSettings:
        """What the chat is asked with now."""
        return self._settings

    def _connect(self) -> None:
        self.preset_row.chosen.connect(lambda preset: self._use(applied(preset, self._settings)))
        self.preset_row.saved.connect(self._save)
        self.preset_row.deleted.connect(
            lambda name: self._keep(without_preset(self._presets, name))
        )
        self.system.textChanged.connect(self._on_system)
        for number in self.numbers:
            number.changed.connect(self._take)
        self.thinking.chosen.connect(
            lambda value: self._take(replace(self._settings, thinking=value))
        )
        self.reset.clicked.connect(
            lambda: self._use(replace(ChatSettings(), first=self._settings.first))
        )
        self.done_button.clicked.connect(self.accept)

    def _take(self, settings: ChatSettings) -> None:
        if settings != self._settings:
            self._settings = settings
            self._show()
            self.settings_changed.emit(settings)

    def _use(self, settings: ChatSettings) -> None:
        """Settings from elsewhere than the fields, which show them then."""
        for number in self.numbers:
            number.reset(settings)
        if self.system.toPlainText() != settings.system:
            self.system.setPlainText(settings.system)
        self._take(settings)

    def _on_system(self) -> None:
        self._take(replace(self._settings, system=sound_text(self.system.toPlainText())))

    def _save(self, name: str) -> None:
        self._keep(with_preset(self._presets, preset_of(name, self._settings)))

    def _keep(self, presets: tuple[Preset, ...]) -> None:
        self._presets = presets
        self._show()
        self.presets_changed.emit(presets)

    def _show(self) -> None:
        for number in self.numbers:
            number.show_settings(self._settings)
        self.thinking.show_value(self._settings.thinking)
        self.preset_row.show_presets(self._presets, matching(self._presets, self._settings))

    def _arrange(self) -> None:
        content = QWidget(self)
        content.setObjectName("sheet_fields")
        column = QVBoxLayout(content)
        column.setContentsMargins(20, 18, 20, 8)
        column.setSpacing(8)
        column.addWidget(self.preset_row)
        column.addSpacing(6)
        label = QLabel(self.tr("System prompt"), self)
        label.setBuddy(self.system)
        column.addWidget(label)
        column.addWidget(self.system)
        column.addSpacing(6)
        grid = QGridLayout()
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(14)
        for place, number in enumerate(self.numbers):
            grid.addWidget(number, place // _COLUMNS, place % _COLUMNS)
        for at in range(_COLUMNS):
            grid.setColumnStretch(at, 1)
        column.addLayout(grid)
        column.addSpacing(6)
        column.addWidget(self.thinking)
        column.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setWidget(content)
        foot = QHBoxLayout()
        foot.setContentsMargins(20, 6, 20, 16)
        note = QLabel(self.tr("Holds from the next question on."), self)
        note.setObjectName("small")
        self.reset.setAutoDefault(False)
        self.done_button.setAutoDefault(False)
        foot.addWidget(self.reset)
        foot.addSpacing(8)
        foot.addWidget(note, 1)
        foot.addWidget(self.done_button)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(scroll, 1)
        whole.addLayout(foot)
