"""The button that says what the chat is asked with, and opens the sheet to change it."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.models.chat_fields import settings_words
from app.models.chat_settings import ChatSettings
from app.models.presets import FIRST_PRESETS, Preset, matching
from app.views.chat_sheet import ChatSheet


class SettingsButton(QObject):
    """Keeps what is shown, and passes on what the sheet changes."""

    settings_changed = Signal(object)
    presets_changed = Signal(object)

    def __init__(self, button: QPushButton, parent: QWidget) -> None:
        super().__init__(parent)
        self._button, self._window = button, parent
        self._settings = ChatSettings()
        self._presets: tuple[Preset, ...] = FIRST_PRESETS
        self._has_thinking = False
        self.sheet: ChatSheet | None = None
        button.clicked.connect(self.open)
        self._update()

    def show_settings(self, settings: ChatSettings, has_thinking_switch: bool) -> None:
        """What the chat is asked with, and whether its model can be told to think."""
        self._settings, self._has_thinking = settings, has_thinking_switch
        self._update()

    def show_presets(self, presets: Sequence[Preset]) -> None:
        """The named settings there are."""
        self._presets = tuple(presets)
        self._update()

    def open(self) -> None:
        """Open the sheet."""
        if self.sheet is not None:
            return
        self.sheet = ChatSheet(self._settings, self._presets, self._has_thinking, self._window)
        self.sheet.settings_changed.connect(self._on_settings)
        self.sheet.presets_changed.connect(self._on_presets)
        self.sheet.finished.connect(self._on_finished)
        self.sheet.open()

    def _on_settings(self, settings: ChatSettings) -> None:
        self._settings = settings
        self._update()
        self.settings_changed.emit(settings)

    def _on_presets(self, presets: tuple[Preset, ...]) -> None:
        self._presets = presets
        self._update()
        self.presets_changed.emit(presets)

    def _on_finished(self) -> None:
        if self.sheet is not None:
            self.sheet.deleteLater()
            self.sheet = None

    def _update(self) -> None:
        words = settings_words(self._settings, matching(self._presets, self._settings))
        self._button.setText(words.replace("&", "&&") + " ▾")
        self._button.setAccessibleName(self.tr("Settings of this chat: {0}").format(words))
