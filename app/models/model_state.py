"""Which model is loaded, or loading, or why it could not be."""

from typing import Literal

from PySide6.QtCore import QObject, Signal

from engine import Failed, Loaded, LoadProgress, ModelInfo

Stage = Literal["none", "loading", "ready", "failed"]


class ModelState(QObject):
    """The state of the one model; written by its controller."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.stage: Stage = "none"
        self.name = ""
        self.info: ModelInfo | None = None
        self.doing = ""
        self.fraction = 0.0
        self.failure: Failed | None = None

    @property
    def label(self) -> str:
        """The model's name for people."""
        is_demo = self.info.is_demo if self.info is not None else self.name == "demo"
        if is_demo:
            return self.tr("Demo model")
        return self.info.name if self.info is not None else self.name

    def begin(self, name: str) -> None:
        """Loading begins."""
        self.stage, self.name, self.info, self.failure = "loading", name, None, None
        self.doing, self.fraction = self.tr("starting"), 0.0
        self.changed.emit()

    def apply(self, event: object) -> None:
        """Take over what an event says."""
        match event:
            case LoadProgress(_, stage, fraction):
                self.doing, self.fraction = stage, fraction
            case Loaded(_, info):
                self.stage, self.info = "ready", info
            case Failed():
                self.stage, self.failure = "failed", event
        self.changed.emit()
