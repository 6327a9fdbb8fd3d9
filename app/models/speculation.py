"""The speculation settings of the next reply."""

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from engine import SpeculationParams


class SpeculationSettings(QObject):
    """What the switches say; `params` is what the next request takes with it."""

    changed = Signal()

    def __init__(self, params: SpeculationParams, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._params = params

    @property
    def params(self) -> SpeculationParams:
        """The settings as the engine takes them."""
        return self._params

    def set_enabled(self, enabled: bool) -> None:
        """Speculation on or off."""
        self._set(replace(self._params, enabled=enabled))

    def set_replay(self, replay: bool) -> None:
        """Off: what had matched before a rejected draft is thrown away too."""
        self._set(replace(self._params, replay=replay))

    def set_exclude(self, exclude: bool) -> None:
        """On: drafts are cut at the first excluded token."""
        self._set(replace(self._params, exclude=exclude))

    def set_draft_length(self, length: int | None) -> None:
        """A number fixes it and turns pacing off; None lets the engine choose."""
        self._set(replace(self._params, draft_length=length))

    def _set(self, params: SpeculationParams) -> None:
        if params != self._params:
            self._params = params
            self.changed.emit()
