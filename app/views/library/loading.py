"""Load, unload, cancel: the buttons of one model, and how far loading has come."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.models.downloads import RUNNING, Download
from app.models.fit import Fit
from app.models.library import LibraryModel
from app.theme import Theme
from app.views.library.confirm import Confirm
from app.views.library.fault import Fault
from app.views.library.loading_words import loading_words
from app.views.library.parts import LibraryParts
from app.views.library.succession import show_only

_STEPS = 1000
# Stages of a download that goes on by itself.
_COMING = RUNNING | {"waiting"}


class Loading(QWidget):
    """Asks once before it loads what does not fit; a button that goes hands the keyboard on."""

    chat_requested = Signal()
    downloads_requested = Signal()

    def __init__(self, parts: LibraryParts, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = parts
        self._model: LibraryModel | None = None
        self._stage = ""
        self._fit = Fit("unknown", None, None)
        self.load = QPushButton(self.tr("Load"), self)
        self.chat = QPushButton(self.tr("Chat"), self)
        self.anyway = QPushButton(self.tr("Load anyway…"), self)
        self.rest = QPushButton(self.tr("Get the rest"), self)
        self.again = QPushButton(self.tr("Download again"), self)
        self.coming = QPushButton(self.tr("Show download"), self)
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
        for button in (self.load, self.chat, self.rest, self.again):
            button.setObjectName("send")
        self._arrange()
        intents = parts.intents
        self.load.clicked.connect(self._load)
        self.anyway.clicked.connect(self._ask)
        self.confirm.agreed.connect(self._load)
        self.unload.clicked.connect(intents.unload_requested)
        self.cancel.clicked.connect(intents.load_cancelled)
        self.chat.clicked.connect(self.chat_requested)
        self.coming.clicked.connect(self.downloads_requested)
        for button in (self.rest, self.again):
            button.clicked.connect(self._repair)
        parts.model.changed.connect(self.follow)
        for changed in (parts.downloads.added, parts.downloads.removed):
            changed.connect(self.follow)
        parts.downloads.changed.connect(self._on_download)

    def show_model(self, model: LibraryModel, fit: Fit) -> None:
        """The model that the buttons are for."""
        if self._model is None or model.target != self._model.target:
            self.confirm.put_away()
        self._model, self._fit = model, fit
        self.follow()

    def follow(self) -> None:
        """Show what can be done with it now."""
        model, state = self._model, self._parts.model
        if model is None:
            return
        is_loading = self._parts.is_loading(model.target)
        if is_loading:
            self.confirm.put_away()
        self._stage = self._download_stage()
        is_coming = self._stage in _COMING
        has_failed = bool(self._parts.failure_of(model.target))
        self._stress(not has_failed or is_coming)
        show_only(self._buttons, self._meant(model, has_failed=has_failed))
        self.bar.setVisible(is_loading)
        self.doing.setVisible(is_loading or is_coming)
        if is_loading:
            self.bar.setValue(round(state.fraction * _STEPS))
            self.doing.setText(loading_words(state))
        failure = state.failure if has_failed else None
        if is_coming and not is_loading:
            self.doing.setText(self.tr("It is being downloaded."))
        if is_coming:
            self.fault.show_fault(model.name, "")
        elif failure is not None:
            self.fault.show_fault(model.name, failure.sentence, failure.details)
        else:
            survey = model.survey
            self.fault.show_fault(model.name, survey.fault or "", survey.fault_details)

    def _meant(self, model: LibraryModel, *, has_failed: bool) -> tuple[QPushButton, ...]:
        """The buttons that have a meaning for it now."""
        if self._parts.is_loaded(model.target):
            return (self.chat, self.unload)
        if self._parts.is_loading(model.target):
            return (self.cancel,)
        if model.survey.fault is None and model.is_complete:
            load = self.anyway if self._fit.verdict == "does not fit" else self.load
            # What looks whole may be damaged: only its makers' checksums can tell.
            is_doubtful = has_failed and model.origin == "hub"
            if is_doubtful and self._stage in _COMING:
                return (self.coming,)
            return (load, self.again) if is_doubtful else (load,)
        if model.origin != "hub":
            return ()
        if self._stage not in ("", "done"):
            return (self.coming,)
        return (self.again if model.is_complete else self.rest,)

    def _download_stage(self) -> str:
        """How far a download of it is; empty where there is none."""
        download = self._parts.downloads.find(self._model.name) if self._model else None
        return download.stage if download is not None else ""

    def _on_download(self, _download: Download) -> None:
        if self._download_stage() != self._stage:
            self.follow()

    def _stress(self, is_again: bool) -> None:
        """Of two buttons only the first is stressed."""
        name = "send" if is_again else ""
        if name != self.again.objectName():
            self.again.setObjectName(name)
            self.again.style().unpolish(self.again)
            self.again.style().polish(self.again)

    def _load(self) -> None:
        if self._model is not None:
            self._parts.intents.load_requested.emit(self._model.target)

    def _ask(self) -> None:
        if self._model is not None:
            words = self.tr(
                "Load {0} although it does not fit? The machine may become slow, or loading fail."
            )
            title = self._parts.library.title(self._model.target)
            self.confirm.ask(words.format(title), self.tr("Load anyway"), self.anyway)

    def _repair(self) -> None:
        if self._model is not None:
            self._parts.intents.repair_requested.emit(self._model.name)

    def _arrange(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        # In this order the keyboard is handed on, too.
        self._buttons = (
            self.load,
            self.chat,
            self.anyway,
            self.rest,
            self.again,
            self.coming,
            self.cancel,
            self.unload,
        )
        for button in self._buttons:
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(buttons)
        for widget in (self.bar, self.doing, self.confirm, self.fault):
            column.addWidget(widget)
