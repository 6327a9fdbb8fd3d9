"""Keeps the library as the disk is: looks, watches, remembers, adds folders and deletes models."""

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from queue import Empty

from PySide6.QtCore import QObject, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app.controllers.failed_model import FailedModel
from app.controllers.folder_adding import refusal
from app.controllers.free_memory import FreeMemory, available_bytes
from app.controllers.model_deleting import delete_snapshot, move_to_trash
from app.controllers.model_watch import ModelWatch
from app.controllers.publishing import Publisher
from app.controllers.scanning import Answered, Broken, Found, Looked, Scanner
from app.models.downloads import Downloads
from app.models.library import Library, LibraryModel, ModelHabits
from app.models.model_habits import habits_from, plain_habits
from app.storage import Keeping, ModelFolderRecord, ModelRecord, StorageError
from engine import DEMO, ModelSurvey, survey

TICK_MS = 50


class LibraryController(QObject):
    """`deleted` has a model's name; `in_use` gives the one loaded, loading or resting, or none."""

    said = Signal(str)
    deleted = Signal(str)

    def __init__(
        self,
        library: Library,
        downloads: Downloads,
        store: Keeping,
        parent: QObject | None = None,
        *,
        cache: Path | None = None,
        surveyor: Callable[[Path], ModelSurvey] = survey,
        available: Callable[[], int | None] = available_bytes,
    ) -> None:
        super().__init__(parent)
        self._library, self._downloads, self._store = library, downloads, store
        self.memory = FreeMemory(library, self, available)
        self._scanner = Scanner(surveyor, cache)
        self._watch = ModelWatch(self)
        self.failed = FailedModel(self)
        self._watch.stirred.connect(self._look_soon)
        self._used: dict[str, float] = {}
        self._publisher = Publisher(library)
        self.in_use: Callable[[], str] = lambda: self.memory.loaded
        self._elsewhere: tuple[str, ...] = ()  # loaded from where nothing else looks
        self._sentences: tuple[str, ...] = ()
        self._open = self._look = 0
        self._is_begun = self._is_stirred = False
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._drain)

    def start(self) -> None:
        """Read what is remembered, and look."""
        self._is_begun = True
        try:
            folders, records = self._store.model_folders(), self._store.model_records()
        except StorageError as error:
            self.said.emit(str(error))
            folders, records = [], []
        self._publisher.habits = {r.name: habits_from(r.settings, r.used) for r in records}
        self._library.set_folders(each.path for each in folders)
        self.memory.measure()
        self.rescan()

    def rescan(self) -> None:
        """Look again; what has not changed costs little."""
        if not self._is_begun:
            return
        self._is_stirred = False
        self._publisher.begin()
        self._look = self._scanner.look(self._library.folders, self._elsewhere)
        self._await(self._look)
        self._library.set_scanning(True)

    def add_folder(self, path: str) -> None:
        """Look through this folder, too, from now on; why not is said."""
        folder = Path(os.path.abspath(os.path.expanduser(path)))
        others = self._library.folders

        def check() -> Callable[[], None]:
            why = refusal(folder, others, self._scanner.cache)
            return lambda: self._take_folder(str(folder), why)

        self._await(self._scanner.run(check))

    def remove_folder(self, path: str) -> None:
        """Look through it no longer; what lies in it stays."""
        if path in self._library.folders:
            self._library.set_folders(each for each in self._library.folders if each != path)
            self._store.delete_model_folder(path)
            self.rescan()

    def set_habits(self, target: str, habits: ModelHabits) -> None:
        """Remember what a person wants of a model; when it was used stays as it is."""
        if (model := self._library.find(target)) is not None:
            self._remember(model.name, replace(habits, used=model.habits.used))

    def note_used(self, target: str) -> None:
        """It was loaded just now; it may be here for so short that no look has found it yet."""
        self._used[target] = time.time()
        self._note_uses()

    def set_loaded(self, target: str) -> None:
        """The model that is loaded or loading, empty for none: it is not deleted, and its memory
        counts as free. It is listed from then on, wherever it lies."""
        self.memory.loaded = target
        self.memory.measure()
        if target not in ("", DEMO, *self._elsewhere) and self._library.find(target) is None:
            self._elsewhere += (target,)
            self.rescan()

    def set_watched(self, is_watched: bool) -> None:
        """Whether somebody looks at the figure of free memory."""
        self.memory.set_watched(is_watched)

    def reveal(self, target: str) -> None:
        """Show a model's folder in the system's file manager."""
        path = model.survey.path if (model := self._library.find(target)) is not None else ""
        if path and not QDesktopServices.openUrl(QUrl.fromLocalFile(path)):
            self.said.emit(self.tr("{0} could not be shown.").format(path))

    def delete(self, target: str) -> None:
        """Delete a model from the disk; one of a folder goes to the trash. Why not is said."""
        model = self._library.find(target)
        if model is None:
            return
        if why := self._kept_because(model):
            self.said.emit(why)
            return
        path = Path(model.target)

        def work() -> Callable[[], None]:
            why = delete_snapshot(path) if model.origin == "hub" else move_to_trash(path)
            return lambda: self._end_deleting(model, why)

        self._await(self._scanner.run(work))

    def keep_everything(self) -> None:
        """Save all that is known again, into a new file."""
        for position, path in enumerate(self._library.folders):
            self._store.save_model_folder(ModelFolderRecord(path, float(position)))
        for name, habits in self._publisher.habits.items():
            self._store.save_model(ModelRecord(name, habits.used, plain_habits(habits)))

    def close(self) -> None:
        """Look no more, whoever asks."""
        self._is_begun = False
        self._timer.stop()
        self.memory.set_watched(False)
        self._watch.close()
        self._scanner.close()

    def _look_soon(self) -> None:
        """A look that is going on is not given up for what stirs meanwhile: it would never end."""
        self._is_stirred = self._library.is_scanning
        if not self._is_stirred:
            self.rescan()

    def _await(self, job: int) -> None:
        self._open = job
        if self._is_begun:
            self._timer.start()

    def _drain(self) -> None:
        try:
            while True:
                result = self._scanner.results.get_nowait()
                if result.job >= self._open and not isinstance(result, Found):
                    self._timer.stop()
                self._take(result)
        except Empty:
            self._publisher.tick()

    def _take(self, result: Found | Looked | Answered | Broken) -> None:
        match result:
            case Answered():
                result.tell()
            case Found() if result.job == self._look:
                self._publisher.add(result.models)
                self.failed.see(result.models)
                self._note_uses()
            case Broken():
                self.said.emit(result.sentence)
                if result.job == self._look:  # what was found before stays
                    self._library.set_scanning(False)
            case Looked() if result.job == self._look:
                self._publisher.end()
                self.failed.end_look()
                self._note_uses()
                self._watch.watch(result.watched)
                if self.memory.loaded in self._elsewhere:
                    self.memory.measure()
                fresh = [each for each in result.sentences if each not in self._sentences]
                self._sentences = result.sentences
                self._library.set_scanning(False)
                for sentence in fresh:
                    self.said.emit(sentence)
                if self._is_stirred:
                    self._look_soon()

    def _note_uses(self) -> None:
        for target, used in list(self._used.items()):
            if (model := self._library.find(target)) is not None:
                del self._used[target]
                self._remember(model.name, replace(model.habits, used=used))

    def _remember(self, name: str, habits: ModelHabits) -> None:
        self._store.save_model(ModelRecord(name, habits.used, plain_habits(habits)))
        self._publisher.remember(name, habits)

    def _take_folder(self, folder: str, why: str) -> None:
        if not why and folder in self._library.folders:
            why = self.tr("{0} is in the list already.").format(folder)
        if why:
            self.said.emit(why)
            return
        self._store.save_model_folder(ModelFolderRecord(folder, time.time()))
        self._library.set_folders((*self._library.folders, folder))
        self.rescan()

    def _kept_because(self, model: LibraryModel) -> str:
        """Why a model is not deleted; empty where it may be."""
        if model.origin == "built in":
            return self.tr("The demo model is part of Draftscope and stays.")
        title = self._library.title(model.target)
        if model is self._library.find(self.in_use()):
            return self.tr("{0} is in use; unload it first.").format(title)
        download = self._downloads.find(model.name)
        if download is not None and not download.has_ended:
            return self.tr("{0} is being downloaded; cancel that first.").format(title)
        return ""

    def _end_deleting(self, model: LibraryModel, why: str) -> None:
        if why:
            self.said.emit(why)
        else:
            self.deleted.emit(model.name)
        self.rescan()
