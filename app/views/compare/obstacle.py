"""What stands in the way of running a reply again, and a button where a load ends that."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.models.model_state import ModelState
from app.models.reply import Reply
from app.models.rerun import missing_model


class Obstacle(QWidget):
    """`load_requested` has what the model is loaded by; `is_here` is asked whether it can be."""

    load_requested = Signal(str)

    def __init__(self, model: ModelState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model, self._target = model, ""
        self.is_here: Callable[[str], bool] = lambda _target: False
        self.words = QLabel(self)
        self.words.setObjectName("muted")
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.button = QPushButton(self)
        self.button.clicked.connect(lambda: self.load_requested.emit(self._target))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.words)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)

    def show_refusal(self, reply: Reply | None, refusal: str | None) -> None:
        """Say why this reply cannot be run again; None where it can."""
        model = self._model
        self._target = missing_model(reply, model.info)
        is_loading = model.stage == "loading"
        words = refusal or ""
        if self._target and is_loading:
            loading = self.tr("{0} is loading, {1:.0f}\u00a0%.")
            words = loading.format(model.label, model.fraction * 100)
        elif model.failure is not None and model.name == self._target:
            words = model.failure.sentence
        self.words.setText(words)
        self.button.setText(self.tr("Load {0}").format(model.title_of(self._target)))
        offers_load = bool(self._target) and not is_loading and self.is_here(self._target)
        self.button.setVisible(offers_load)
        self.setVisible(bool(words))
