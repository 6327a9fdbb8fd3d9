"""Watches the folder of the one model that could not be loaded, until it is another."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from app.controllers.model_folders import Stamp
from app.controllers.scanning import Surveyed


class FailedModel(QObject):
    """`mended` comes when its files are others than at the first look after the failure."""

    mended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._target = ""
        self._before: Stamp | None = None

    def watch(self, target: str) -> None:
        """That model failed just now; a look is to begin."""
        self._target, self._before = target, None

    def see(self, found: Iterable[Surveyed]) -> None:
        """Some of what a look has found."""
        if not self._target:
            return
        for each in found:
            if each.place.target == self._target:
                self._compare(each.place.stamp)
                return

    def end_look(self) -> None:
        """What was not found is not there, and may come."""
        if self._before is None:
            self._before = ()

    def _compare(self, stamp: Stamp) -> None:
        if self._before is None:
            self._before = stamp
        elif stamp != self._before:
            self._target = ""
            self.mended.emit()
