"""The menu of the header's model button: models to change to, a download under way, the sheet."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from app.models.fit import fit
from app.models.library import LibraryModel
from app.models.model_words import fit_words
from app.views.library.download_words import percent_words
from app.views.library.parts import LibraryParts
from app.views.popup_menu import PopupMenu
from engine import DEMO

MAX_MODELS = 12


class ModelMenu(PopupMenu):
    """Filled when it is opened, in the library's order: those used last, of more than it takes."""

    sheet_requested = Signal(str)  # a part of the sheet, or a target
    chosen = Signal()  # something that is done at once, without a sheet

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._coming: QAction | None = None
        self.setToolTipsVisible(True)

    def fill(self, parts: LibraryParts) -> None:
        """What can be chosen now."""
        self.clear()
        self._coming = None
        offered = {each.target for each in usable_models(parts)[:MAX_MODELS]}
        for model in parts.library.models:
            if model.target in offered:
                self._add_model(model, parts)
        if self.actions():
            self.addSeparator()
        if parts.model.stage == "loading":
            self._add(self.tr("Cancel loading"), parts.intents.load_cancelled.emit)
        elif parts.model.stage == "ready":
            self._add(self.tr("Unload"), parts.intents.unload_requested.emit)
        if parts.downloads.running is not None:
            self._coming = self.addAction("", lambda: self.sheet_requested.emit("downloads"))
            self.follow(parts)
        self.addAction(self.tr("Get models…"), lambda: self.sheet_requested.emit("get"))
        self.addAction(self.tr("Models…"), lambda: self.sheet_requested.emit("here"))

    def follow(self, parts: LibraryParts) -> None:
        """How far the download is that was under way when it was opened."""
        if self._coming is not None:
            words = coming_words(parts) or self.tr("Downloads…")
            self._coming.setText(words.replace("&", "&&"))

    def _add(self, words: str, act: Callable[[], object]) -> None:
        self.addAction(words, act).triggered.connect(self.chosen)

    def _add_model(self, model: LibraryModel, parts: LibraryParts) -> None:
        words = parts.library.title(model.target).replace("&", "&&")
        known = fit(model.survey, model.habits.context, parts.library.free_bytes)
        is_loaded = parts.is_loaded(model.target)
        is_large = known.verdict == "does not fit" and not is_loaded
        if is_large:
            words += "\t" + self.tr("does not fit")
        action = QAction(words, self)
        action.setToolTip(fit_words(known)[1])
        action.setCheckable(True)
        action.setChecked(is_loaded)
        action.triggered.connect(lambda: self._choose(model, parts, is_large=is_large))
        self.addAction(action)

    def _choose(self, model: LibraryModel, parts: LibraryParts, *, is_large: bool) -> None:
        """Load it; one that does not fit is asked about in the sheet."""
        if parts.is_loaded(model.target):
            self.chosen.emit()
        elif is_large:
            self.sheet_requested.emit(model.target)
        else:
            parts.intents.load_requested.emit(model.target)
            self.chosen.emit()


def usable_models(parts: LibraryParts) -> list[LibraryModel]:
    """Those that can be loaded: the loaded one, those used last, those fetched last, the others."""
    usable = [each for each in parts.library.models if each.is_complete and not each.survey.fault]
    fetched = {each.repo: each.id for each in parts.downloads.items if each.stage == "done"}

    def place(model: LibraryModel) -> tuple[bool, float, bool, int]:
        is_demo = model.target == DEMO
        used = model.habits.used or 0.0
        return not parts.is_loaded(model.target), -used, is_demo, -fetched.get(model.name, 0)

    return sorted(usable, key=place)


def coming_words(parts: LibraryParts) -> str:
    """What is being fetched and how far it is; empty where nothing is."""
    running = parts.downloads.running
    if running is None:
        return ""
    words = QCoreApplication.translate("ModelMenu", "Getting {0}…").format(
        parts.library.title(running.repo)
    )
    return f"{words} {percent_words(running)}".strip()
