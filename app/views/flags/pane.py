"""The settings pane of the inspector: every flag by group, kept up with settings, model, reply."""

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from app.models.flag_effects import idle_reason, in_effect, missing_ids
from app.models.flags import FLAGS, GROUPS
from app.models.model_state import ModelState
from app.models.speculation import SpeculationSettings
from app.theme import Theme
from app.views.controls import section
from app.views.flags.excluded import ExtraField, ModelExcluded
from app.views.flags.row import FlagRow
from engine import EffectiveConfig

ROW_GAP = 14


class FlagsPane(QWidget):
    """Reads the settings while it is visible; its rows set flags for this chat or for all."""

    def __init__(
        self,
        theme: Theme,
        settings: SpeculationSettings,
        model: ModelState,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("flags_pane")
        self._theme, self._settings, self._model = theme, settings, model
        self._config: EffectiveConfig | None = None
        self._words: Mapping[int, str] = {}
        self.rows: dict[str, FlagRow] = {}
        self.own = ModelExcluded(self)
        self.strangers = QLabel(self)
        self._build()
        settings.changed.connect(self._follow)
        model.changed.connect(self._follow)

    def show_config(
        self, config: EffectiveConfig | None, words: Mapping[int, str] | None = None
    ) -> None:
        """What the shown reply runs with; `words` has the text of ids it mentioned."""
        self._config, self._words = config, words or {}
        self._follow()

    def set_read_only(self, is_read_only: bool) -> None:
        """In a trace nothing is asked any more; what can be set is set for all chats."""
        holds = self.tr("A change holds for this chat, from its next reply.")
        recorded = self.tr(
            "A trace was recorded with what stands behind “in effect”. What is set here holds for"
            " what you run from it."
        )
        self.intro.setText(recorded if is_read_only else holds)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(ROW_GAP)
        self.intro = QLabel(self)
        self.set_read_only(False)
        for label, name in ((self.intro, "small"), (self.strangers, "flag_problem")):
            label.setObjectName(name)
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            column.addWidget(label)
        for number, (title, names) in enumerate(GROUPS):
            if number:
                line = QFrame(self)
                line.setObjectName("flag_line")
                line.setFixedHeight(1)
                column.addWidget(line)
                column.addWidget(section(self.tr(title), self))
            for name in names:
                row = FlagRow(FLAGS[name], self._theme, self._settings, self)
                self.rows[name] = row
                column.addWidget(row)
                if name == "exclude":
                    column.addWidget(self.own)

    def _follow(self) -> None:
        """A hidden pane waits until it is shown."""
        if self.isVisible():
            self._show()

    def _show(self) -> None:
        settings, info = self._settings, self._model.info
        self.strangers.setText(" ".join(settings.strangers))
        self.strangers.setVisible(bool(settings.strangers))
        names = {**self._words, **dict(info.special_tokens if info is not None else ())}
        self.own.show_model(info, names)
        params = settings.params
        for name, row in self.rows.items():
            if isinstance(row.field, ExtraField):
                row.field.show_model(info, names)
            resolved = settings.resolved(name)
            notes = (idle_reason(name, params), missing_ids(resolved.value, info))
            effect = in_effect(name, self._config) if self._config is not None else None
            row.show_state(resolved, notes, "" if effect in (None, resolved.text) else effect)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()
