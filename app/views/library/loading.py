"""Load, unload, cancel: the buttons of one model, and how far loading has come."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.models.fit import Fit
from app.models.library import LibraryModel
from app.models.model_words import progress_words
from app.theme import Theme
from app.views.library.confirm import Confirm
from app.views.library.fault import Fault
from app.views.library.parts import LibraryParts
from app.views.library.words import DOT, title_of

_STEPS = 1000


class Loading(QWidget):
    """Asks once before it loads what does not fit."""

    chat_requested = Signal()

    def __init__(self, parts: LibraryParts, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = parts
        self._model: LibraryModel | None = None
        self._fit = Fit("unknown", None, None)
        self.load = QPushButton(self.tr("Load"), self)
        self.chat = QPushButton(self.tr("Chat"), self)
        self.anyway = QPushButton(self.tr("Load anyway…"), self)
        self.rest = QPushButton(self.tr("Get the rest"), self)
        self.unload = QPushButton(self.tr("Unload"), self)
        self.cancel = QPushButton(self.tr("Cancel loading"), self)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Loading"))
        self.doing = QLabel(self)
        self.doing.setObjectName("small")
        self.confirm = Confirm(self)
        self.fault = Fault(theme, self)
        for button in (self.load, self.chat, self.rest):
            button.setObjectName("send")
        self._arrange()
        intents = parts.intents
        self.load.clicked.connect(self._load)
        self.anyway.clicked.connect(self._ask)
        self.confirm.agreed.connect(self._load)
        self.unload.clicked.connect(intents.unload_requested)
        self.cancel.clicked.connect(intents.load_cancelled)
        self.chat.clicked.connect(self.chat_requested)
        self.rest.clicked.connect(self._get_rest)
        parts.model.changed.connect(self.follow)

    def show_model(self, model: LibraryModel, fit: Fit) -> None:
        """The model that the buttons are for."""
        if self._model is None or model.target != self._model.target:
            self.confirm.hide()
        self._model, self._fit = model, fit
        self.follow()

    def follow(self) -> None:
        """Show what can be done with it now."""
        model, state = self._model, self._parts.model
        if model is None:
            return
        is_loaded = self._parts.is_loaded(model.target)
        is_loading = self._parts.is_loading(model.target)
        is_idle = not (is_loaded or is_loading)
        is_usable = model.survey.fault is None and model.is_complete and is_idle
        is_too_large = self._fit.verdict == "does not fit"
        self.load.setVisible(is_usable and not is_too_large)
        self.anyway.setVisible(is_usable and is_too_large)
        can_get = not model.is_complete and model.origin == "hub" and is_idle
        self.rest.setVisible(can_get and self._parts.downloads.find(model.name) is None)
        self.chat.setVisible(is_loaded)
        self.unload.setVisible(is_loaded)
        self.cancel.setVisible(is_loading)
        self.bar.setVisible(is_loading)
        self.doing.setVisible(is_loading)
        if is_loading:
            self.confirm.hide()
            self.bar.setValue(round(state.fraction * _STEPS))
            read = progress_words(state.done_bytes, state.total_bytes) if state.total_bytes else ""
            self.doing.setText(DOT.join(part for part in (state.doing, read) if part))
        failure = state.failure if state.name == model.target else None
        if failure is not None:
            self.fault.show_fault(model.name, failure.sentence, failure.details)
        else:
            survey = model.survey
            self.fault.show_fault(model.name, survey.fault or "", survey.fault_details)

    def _load(self) -> None:
        if self._model is not None:
            self._parts.intents.load_requested.emit(self._model.target)

    def _ask(self) -> None:
        if self._model is not None:
            words = self.tr(
                "Load {0} although it does not fit? The machine may become slow, or loading fail."
            )
            self.confirm.ask(words.format(title_of(self._model)), self.tr("Load anyway"))

    def _get_rest(self) -> None:
        if self._model is not None:
            self._parts.intents.download_requested.emit(self._model.name, False)
            self.rest.hide()

    def _arrange(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (
            self.load,
            self.chat,
            self.anyway,
            self.rest,
            self.unload,
            self.cancel,
        ):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(buttons)
        for widget in (self.bar, self.doing, self.confirm, self.fault):
            column.addWidget(widget)
