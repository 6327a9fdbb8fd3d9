"""The foot of the side bar: the model and its memory."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget

from app.models.model_state import ModelState
from app.models.summary import gigabytes
from app.views.controls import ElidedLabel
from app.views.library.loading_words import step_words


class SidebarFoot(QWidget):
    """Follows the model's state."""

    def __init__(self, model: ModelState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar_foot")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._model = model
        self.model_name = ElidedLabel("", self)
        self.model_facts = ElidedLabel("", self)
        self.model_facts.setObjectName("small")
        self.progress = QProgressBar(self)
        self.progress.setTextVisible(False)
        self.progress.setRange(0, 100)
        self.progress.setAccessibleName(self.tr("Loading the model"))
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 11, 16, 12)
        column.setSpacing(3)
        for widget in (self.model_name, self.model_facts, self.progress):
            column.addWidget(widget)
        model.changed.connect(self._follow_model)
        self._follow_model()

    def _follow_model(self) -> None:
        model, info = self._model, self._model.info
        is_none = model.stage == "none" and not model.is_resting
        self.model_name.set_full_text(self.tr("No model loaded") if is_none else model.label)
        self.progress.setVisible(model.stage == "loading")
        self.progress.setValue(int(model.fraction * 100))
        if model.stage == "failed":
            facts = self.tr("could not be loaded")
        elif model.is_resting and model.stage == "none":
            facts = self.tr("Unloaded; it is loaded when you ask")
        elif is_none:
            facts = self.tr("A new chat loads one") if not model.name else ""
        elif info is not None:
            bits = f" · {info.bits}-bit" if info.bits else ""
            memory = self.tr("{0} in memory").format(gigabytes(info.memory_bytes))
            facts = f"{memory}{bits} · {info.device.upper()}"
        else:
            facts = step_words(model.doing)
        self.model_facts.set_full_text(facts)
