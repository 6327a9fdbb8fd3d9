"""Which model is loaded, or loading, or why it could not be."""

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import QObject, Signal

from app.models.model_title import model_title
from engine import DEMO, Failed, Loaded, LoadProgress, ModelInfo, Unloaded

Stage = Literal["none", "loading", "ready", "failed"]


class ModelState(QObject):
    """The state of the one model; written by its controller.

    `name` is what it is, or was last, loaded by; `context` the most tokens to use of its context,
    None for all. `is_resting`: it was unloaded because nothing was asked of it, `info` still tells
    of it, and it is loaded again when something is. `done_bytes` of `total_bytes` of the weights
    are read, 0 while that is not known. `worked` is by what the last one was loaded that could be.
    `title_of` is asked what a model is called for people by what it is loaded by.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.stage: Stage = "none"
        self.name = self.worked = ""
        self.info: ModelInfo | None = None
        self.context: int | None = None
        self.is_resting = False
        self.doing = ""
        self.fraction = 0.0
        self.done_bytes = self.total_bytes = 0
        self.failure: Failed | None = None
        self.title_of: Callable[[str], str] = model_title
        self._told = ""

    @property
    def label(self) -> str:
        """The model's title for people, loaded or not; empty where none is known."""
        info = self.info
        if info is not None and info.is_demo:
            return self.title_of(DEMO)
        name = self.name or (info.name if info is not None else "")
        return self.title_of(name) if name else ""

    @property
    def offers_load(self) -> bool:
        """Whether nothing is loaded, and it is known what may be loaded by a word."""
        return self.stage in ("none", "failed") and bool(self.name) and not self.is_resting

    @property
    def can_answer(self) -> bool:
        """Whether something can be asked of it: it is loaded, or only rests."""
        return self.stage == "ready" or self.is_resting

    @property
    def context_length(self) -> int | None:
        """How many tokens fit, as much as is to be used; None where no model is known."""
        if self.info is None:
            return None
        own = self.info.context_length
        return own if self.context is None else min(self.context, own)

    def follow_titles(self) -> None:
        """It may be called something else than before."""
        if self.label != self._told:
            self._told = self.label
            self.changed.emit()

    def begin(self, name: str, context: int | None = None) -> None:
        """Loading begins."""
        self.stage, self.name, self.info, self.failure = "loading", name, None, None
        self.context, self.is_resting = context, False
        self.doing, self.fraction = self.tr("starting"), 0.0
        self.done_bytes = self.total_bytes = 0
        self.changed.emit()

    def set_context(self, context: int | None) -> None:
        """Use another part of the context, from the next reply on."""
        if context != self.context:
            self.context = context
            self.changed.emit()

    def apply(self, event: object) -> None:
        """Take over what an event says."""
        match event:
            case LoadProgress():
                self.doing, self.fraction = event.stage, event.fraction
                self.done_bytes, self.total_bytes = event.done_bytes, event.total_bytes
            case Loaded(_, info):
                self.stage, self.info, self.worked = "ready", info, self.name
            case Unloaded():
                self._leave()
            case Failed(kind="cancelled"):
                self._leave()
            case Failed():
                self.stage, self.failure = "failed", event
        self.changed.emit()

    def forget_failure(self) -> None:
        """What could not be loaded is another by now; it may be tried."""
        if self.failure is not None:
            self._leave()
            self.changed.emit()

    def rest(self) -> None:
        """It is being unloaded until something is asked."""
        if self.stage == "ready":
            self.stage, self.is_resting = "none", True
            self.changed.emit()

    def _leave(self) -> None:
        self.stage, self.failure = "none", None
        if not self.is_resting:
            self.info = None
