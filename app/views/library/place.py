"""Where a model lies: its folder, showing it, and deleting it."""

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.models.library import LibraryModel
from app.models.model_words import bytes_words
from app.views.controls import ElidedLabel
from app.views.library.confirm import Confirm
from app.views.library.parts import LibraryParts


class Place(QWidget):
    """Asks before anything is deleted, and names what is freed."""

    def __init__(self, parts: LibraryParts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = parts
        self._model: LibraryModel | None = None
        self.path = ElidedLabel("", self)
        self.path.setObjectName("small")
        self.reveal = QPushButton(self.tr("Show in folder"), self)
        self.delete = QPushButton(self.tr("Delete…"), self)
        self.confirm = Confirm(self)
        row = QHBoxLayout()
        row.setSpacing(8)
        for button in (self.reveal, self.delete):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.path)
        column.addLayout(row)
        column.addWidget(self.confirm)
        self.reveal.clicked.connect(self._reveal)
        self.delete.clicked.connect(self._ask)
        self.confirm.agreed.connect(self._delete)
        parts.model.changed.connect(self._follow)
        for changed in (parts.downloads.added, parts.downloads.changed, parts.downloads.removed):
            changed.connect(self._follow)

    def show_model(self, model: LibraryModel) -> None:
        """The model whose place it is."""
        if self._model is None or model.target != self._model.target:
            self.confirm.put_away()
        self._model = model
        self.path.set_full_text(model.survey.path)
        self._follow()

    def _follow(self) -> None:
        """What is in use, or on its way, cannot be deleted."""
        model = self._model
        if model is None:
            return
        why = self._kept_because(model)
        self.delete.setVisible(model.origin != "built in")
        self.delete.setEnabled(not why)
        self.delete.setToolTip(why)
        if why:
            self.confirm.put_away()

    def _kept_because(self, model: LibraryModel) -> str:
        if self._parts.is_used(model.target):
            return self.tr("Unload it first.")
        download = self._parts.downloads.find(model.name)
        if download is not None and not download.has_ended:
            return self.tr("It is being downloaded; cancel that first.")
        return ""

    def _reveal(self) -> None:
        if self._model is not None:
            self._parts.intents.reveal_requested.emit(self._model.target)

    def _ask(self) -> None:
        model = self._model
        if model is None:
            return
        size = model.survey.file_bytes
        name = self._parts.library.title(model.target)
        freed = bytes_words(size) if size is not None else self.tr("its space")
        if model.origin == "hub":
            words = self.tr(
                "Delete {0}? It frees {1}; to use it again it must be downloaded again."
            )
        else:
            words = self.tr("Move the folder of {0} to the trash? {1} is freed when it is emptied.")
        self.confirm.ask(words.format(name, freed), self.tr("Delete"), self.delete)

    def _delete(self) -> None:
        if self._model is not None:
            self._parts.intents.delete_requested.emit(self._model.target)
