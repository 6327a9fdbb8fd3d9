"""Everything about models besides the chat with one: what is here, what can be had, what comes.

Makes the models and controllers of it, and connects them with what a person asks for.
"""

from queue import SimpleQueue

from PySide6.QtCore import QObject, Signal

from app.controllers.downloading import DownloadController
from app.controllers.library import LibraryController
from app.controllers.loading import ModelLoader
from app.controllers.targets import is_here
from app.fetching.events import FetchEvent
from app.fetching.fetcher import Fetcher
from app.fetching.hub import Hub
from app.main.load_offer import LoadOffer
from app.models.chats import Chats
from app.models.commands import Commands
from app.models.downloads import Downloads
from app.models.hub_search import HubSearch
from app.models.library import Library, ModelHabits
from app.models.model_state import ModelState
from app.models.model_title import hub_name
from app.storage import Keeping
from app.theme import Theme
from app.views.library.intents import LibraryIntents
from app.views.library.parts import LibraryParts
from app.views.library.sheet import ModelsSheet
from app.views.window import MainWindow
from engine import Failed


class ModelRoom(QObject):
    """Looks and fetches from `start` to `close`; the loader loads, and `offer` asks whether to."""

    said = Signal(str)

    def __init__(
        self,
        loader: ModelLoader,
        model: ModelState,
        chats: Chats,
        store: Keeping,
        theme: Theme,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._loader, self._model, self._chats, self._theme = loader, model, chats, theme
        self.library, self.downloads = Library(self), Downloads(self)
        self.search = HubSearch(self)
        self.offer: LoadOffer | None = None
        self._failure: Failed | None = None
        # To be loaded when the reply that is being written has ended.
        self._awaited = ""
        self.intents = LibraryIntents(self)
        self.parts = LibraryParts(self.library, self.downloads, self.search, model, self.intents)
        self.shelf = LibraryController(self.library, self.downloads, store, self)
        events: SimpleQueue[FetchEvent] = SimpleQueue()
        hub = Hub()
        self.queue = DownloadController(
            self.downloads, self.search, Fetcher(hub, None, events.put), hub, store, events, self
        )
        self.shelf.in_use = self._in_use
        loader.context_of, loader.reason_of = self._context_of, self._reason_of
        model.title_of = self.library.title
        self._connect_loading()
        self._connect_library()
        self._connect_fetching()

    def start(self) -> None:
        """Look at what is here, and go on with what was under way."""
        self._loader.is_here = is_here
        self.shelf.start()
        self.queue.start()

    def close(self) -> None:
        """Look and fetch no more."""
        self.queue.close()
        self.shelf.close()

    def keep_everything(self) -> None:
        """Save all that is known again, into a new file."""
        self.shelf.keep_everything()
        self.queue.keep_everything()

    def show_in(self, window: MainWindow, commands: Commands) -> None:
        """The button in the window's header, and the sheet behind it."""

        def show(where: str) -> None:
            sheet = ModelsSheet(self.parts, self._theme, window)
            sheet.watched.connect(self.shelf.set_watched)
            self.queue.asker.key_told.connect(sheet.show_key_outcome)
            sheet.show_at(where)
            sheet.open()
            self.shelf.set_watched(True)

        asking = window.conversation.intents
        asking.other_models = self._other_models
        asking.regenerate_with_requested.connect(self.queue.load_none)
        window.reload_requested.connect(self.queue.load_none)
        window.header.show_models(self.parts)
        window.header.model.sheet_requested.connect(show)
        window.header.model.popup.chosen.connect(window.composer.edit.setFocus)
        commands.bind("models", lambda: show("here"))
        commands.bind("get_models", lambda: show("get"))
        for told in (self.said, self.shelf.said, self.queue.said, self._loader.said):
            told.connect(window.say)
        self.offer = LoadOffer(window, self._model, self.library, self.load_when_free, self)
        self._loader.loaded.connect(self.offer.withdraw)

    def load(self, target: str) -> None:
        """Load what the person has chosen; nothing that comes takes its place by itself."""
        self._awaited = ""
        self.queue.load_none()
        self._loader.start(target)

    def load_when_free(self, target: str) -> None:
        """The same, but a reply that is being written is not ended for it."""
        if not self._loader.is_busy:
            self.load(target)
            return
        self._awaited = target
        words = self.tr("{0} is loaded when the reply is written.")
        self.said.emit(words.format(self.library.title(target)))

    def _other_models(self) -> list[tuple[str, str]]:
        """Titles and targets of what could answer in place of the loaded one."""
        library, model = self.library, self._model
        loaded = library.find(model.name) if model.can_answer else None
        return [
            (library.title(each.target), each.target)
            for each in library.models
            if each.is_complete and not each.survey.fault and each is not loaded
        ]

    def _connect_loading(self) -> None:
        intents, loader, shelf = self.intents, self._loader, self.shelf
        intents.load_requested.connect(self.load)
        intents.load_cancelled.connect(loader.cancel)
        intents.unload_requested.connect(loader.start_unload)
        loader.loaded.connect(self._on_loaded)
        loader.unloaded.connect(lambda: self.shelf.set_loaded(""))
        loader.missing.connect(lambda _target: shelf.rescan())
        loader.freed.connect(self._load_awaited)
        self._model.changed.connect(self._follow_failure)
        shelf.failed.mended.connect(self._model.forget_failure)

    def _connect_library(self) -> None:
        intents, shelf = self.intents, self.shelf
        intents.habits_changed.connect(self._use_habits)
        intents.delete_requested.connect(shelf.delete)
        intents.reveal_requested.connect(shelf.reveal)
        intents.folder_added.connect(shelf.add_folder)
        intents.folder_removed.connect(shelf.remove_folder)
        intents.rescan_requested.connect(shelf.rescan)
        shelf.deleted.connect(self.queue.forget_model)
        self.library.changed.connect(self._follow_library)
        self.library.changed.connect(self._model.follow_titles)
        self.library.scanning_changed.connect(self._on_scanning)

    def _connect_fetching(self) -> None:
        intents, queue = self.intents, self.queue
        intents.search_requested.connect(queue.asker.search)
        intents.look_requested.connect(queue.asker.look)
        intents.token_changed.connect(queue.set_token)
        intents.page_requested.connect(queue.asker.show_page)
        intents.download_requested.connect(queue.request)
        intents.repair_requested.connect(queue.repair)
        intents.pause_requested.connect(queue.pause)
        intents.resume_requested.connect(queue.resume)
        intents.cancel_requested.connect(queue.cancel)
        intents.forget_requested.connect(queue.forget)
        intents.first_requested.connect(queue.move_first)
        queue.ready.connect(self._on_ready)
        queue.wanted.connect(self.load)

    def _on_ready(self, folder: str, loads: bool) -> None:
        """Load what came, where that was wanted; a reply that is being written is not ended."""
        self.shelf.rescan()
        if not loads:
            if hub_name(folder) == self._hub_name(self._model.name):
                self._model.forget_failure()
            return
        title, model = self.library.title(folder), self._model
        if self._loader.is_busy:
            words = self.tr("{0} is ready; it was not loaded, as a reply is being written.")
            if self.offer is not None:
                self.offer.make(words.format(title), folder)
            return
        if model.name != folder and (model.can_answer or model.stage == "loading"):
            words = self.tr("{0} is ready, and takes the place of {1}.")
            self.said.emit(words.format(title, model.label))
        self._loader.start(folder)

    def _load_awaited(self) -> None:
        if self._awaited:
            self.load(self._awaited)

    def _follow_failure(self) -> None:
        """Look at what could not be loaded as it is now: when it is another it may be tried."""
        failure = self._model.failure
        if failure is not None and failure is not self._failure:
            known = self.library.find(self._model.name)
            self.shelf.failed.watch(known.target if known is not None else self._model.name)
            self.shelf.rescan()
        self._failure = failure

    def _hub_name(self, target: str) -> str:
        known = self.library.find(target) if target else None
        return known.name if known is not None else hub_name(target)

    def _reason_of(self, target: str) -> str:
        """Why a model cannot be loaded whose files are on their way."""
        download = self.downloads.find(self._hub_name(target))
        if download is None or not download.is_under_way:
            return ""
        words = self.tr("{0} is being downloaded; load it when all of it is here.")
        return words.format(self.library.title(target))

    def _on_scanning(self, is_scanning: bool) -> None:
        if not is_scanning:
            self.queue.check_folders()

    def _on_loaded(self, target: str) -> None:
        self.shelf.set_loaded(target)
        self.shelf.note_used(target)
        self._follow_library()

    def _use_habits(self, target: str, habits: ModelHabits) -> None:
        self.shelf.set_habits(target, habits)
        if target == self._model.name:
            self._model.set_context(habits.context)

    def _follow_library(self) -> None:
        """New chats sample as is wanted of the model that is loaded."""
        self._chats.set_sampling(self._habits_of(self._model.name).sampling)

    def _in_use(self) -> str:
        """What may not be deleted: the model that is loaded, is being loaded, or rests."""
        model = self._model
        return model.name if model.can_answer or model.stage == "loading" else ""

    def _context_of(self, target: str) -> int | None:
        return self._habits_of(target).context

    def _habits_of(self, target: str) -> ModelHabits:
        known = self.library.find(target) if target else None
        return known.habits if known is not None else ModelHabits()
