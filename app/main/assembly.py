"""Everything one run of the window is made of, put together and connected."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from PySide6.QtCore import QObject

from app.arguments import Arguments
from app.bridge import Bridge, Worker
from app.collector import Collector
from app.controllers.attaching import Attacher
from app.controllers.chat import ChatController
from app.controllers.chat_files import store_files
from app.controllers.compare import CompareController
from app.controllers.counting import TokenCounter
from app.controllers.examples import ExampleController
from app.controllers.failures import FailureReporter
from app.controllers.finding import Finder
from app.controllers.keeping import Keeper
from app.controllers.organise import Organiser
from app.controllers.porting import PortingController
from app.controllers.spelling import TokenSpeller
from app.controllers.targets import whole_target
from app.controllers.traces import TraceController
from app.controllers.turns import TurnController
from app.main.commanding import Parts
from app.main.habits import Habits, Home
from app.main.marker import FILE_NAME, Marker
from app.main.model_room import ModelRoom
from app.main.remembering import Memory
from app.main.sidebar import connect_sidebar
from app.main.storing import Trouble
from app.main.wiring import (
    connect_asking,
    connect_chats,
    connect_composer,
    connect_examples,
    connect_inspector,
    connect_keeping,
)
from app.models.chat_settings import ChatSettings, settings_from
from app.models.chats import Chats
from app.models.comparison import Comparison
from app.models.conversation import Conversation
from app.models.display import TokenDisplay
from app.models.inspection import Inspection
from app.models.model_state import ModelState
from app.models.presets import Preset, presets_from
from app.models.speculation import SpeculationSettings
from app.models.text_size import TextSize
from app.models.trace_format import Format
from app.settings import Settings
from app.storage import Keeping, NoStore, data_folder
from app.theme import Theme, ThemeName
from app.views.window import MainWindow

# What chats are exported to and imported from.
CHAT_SUFFIXES = (".json", ".zip")


class Assembly:
    """Models, controllers, and the window; what becomes of them is the session's."""

    def __init__(
        self,
        arguments: Arguments,
        settings: Settings,
        worker: Worker,
        store: Keeping | None = None,
        trouble: Trouble | None = None,
    ) -> None:
        # Under this name it is found again in the library.
        arguments = replace(arguments, model=whole_target(arguments.model))
        self._arguments, self._settings, self._worker = arguments, settings, worker
        # One root, deleted at the end on this thread: a Qt object must not die on the worker's.
        self._root = root = QObject()
        self.store = store or NoStore("")
        self.collector = Collector(root)
        self.memory = Memory(writes=arguments.screenshot is None, parent=root)
        self._make_models()
        self._make_controllers(worker)
        self.window = MainWindow(
            self.theme,
            self.chats,
            self.model,
            self.speculation,
            self.display,
            self.inspection,
            self.comparison,
            self.text_size,
        )
        self._make_habits()
        self._connect(trouble)
        self.memory.restore(self.window, arguments, settings)

    def _make_models(self) -> None:
        arguments, settings, root = self._arguments, self._settings, self._root
        self.theme = Theme(cast(ThemeName, arguments.theme), root)
        self.chats, self.model = Chats(root), ModelState(root)
        self.speculation = SpeculationSettings(
            settings.speculation, os.environ, arguments.flags, root
        )
        self.display = TokenDisplay(settings.show_tints, root)
        self.inspection, self.comparison = Inspection(root), Comparison(root)
        self.text_size = TextSize(settings.text_size, root)
        # The flags of the open chat alone, as they were when it was last told of.
        self._flags: dict[str, object] = {}
        self.model.name = arguments.model if arguments.loads_model else ""

    def _make_controllers(self, worker: Worker) -> None:
        root = self._root
        self.failures = FailureReporter(root)
        self.bridge = Bridge(worker, root)
        self.keeper = Keeper(self.store, self.chats, root)
        self.controller = ChatController(
            worker, self.bridge, self.chats, self.model, self.speculation, self.failures,
            self.keeper, root,
        )  # fmt: skip
        self.controller.traces.first = self._arguments.trace
        self.turns = TurnController(self.chats, self.model, self.controller, root)
        self.examples = ExampleController(self.controller, self.model, self.speculation, root)
        self.traces = TraceController(self.chats, self.failures, root)
        self.compare = CompareController(
            self.controller, self.comparison, self.model, self.failures, root
        )
        self.organiser = Organiser(self.chats, self.keeper.load, root)
        self.porting = PortingController(
            self.chats, self.failures, self.keeper.filling.finishing, root,
            store_files(self._arguments.data_dir or data_folder()),
        )  # fmt: skip
        self.attacher = Attacher(self.chats, self.failures, root)
        self.counter = TokenCounter(worker, self.bridge, self.model, self.failures, root)
        self.speller = TokenSpeller(worker, self.bridge, self.model, self.failures, root)
        self.finder = Finder(self.store.search, self.chats)
        self.loader = self.controller.loader
        self.room = ModelRoom(self.loader, self.model, self.chats, self.store, self.theme, root)
        # None where nothing is kept, either.
        path = self.store.path
        self.marker = Marker(path.with_name(FILE_NAME)) if path is not None else None
        self.loader.marker = self.marker

    def _make_habits(self) -> None:
        parts = Parts(
            self.window, self.chats, self.controller, self.organiser, self.porting, self.display,
            self.text_size,
        )  # fmt: skip
        folder = self._arguments.data_dir or data_folder()
        self.habits = Habits(
            parts,
            self.theme,
            replace(self._settings, theme=self._arguments.theme),
            self.memory.write,
            self.theme.choose,
            Home(folder, " ".join(self.store.notices)),
            self._root,
        )
        self.chats.defaults = self._defaults()
        self.chats.current.settings = self.chats.defaults
        commands, window = self.habits.commands, self.window
        commands.bind("step_back", window.step_back)
        sides = window.sides
        commands.bind("sidebar", sides.toggle_sidebar, is_on=lambda: sides.is_sidebar_shown)
        self.habits.dock.file_opened.connect(self.open_any)
        self.room.show_in(window, commands)
        self.loader.loaded.connect(self._remember_model)
        self.loader.set_idle_minutes(self._settings.idle_unload_minutes)

    def _connect(self, trouble: Trouble | None) -> None:
        window, controller = self.window, self.controller
        connect_asking(window, controller, self.turns)
        connect_examples(window, self.examples)
        connect_chats(window, self.chats, controller, self.porting)
        connect_composer(window, self.chats, controller, self.attacher, self.counter)
        connect_inspector(window, self.chats, self.traces, self.compare, self.speller)
        connect_keeping(window, self.chats, self.keeper, controller)
        connect_sidebar(window.sidebar, self.organiser, self.finder)
        controller.running_changed.connect(self.organiser.set_running)
        self.organiser.said.connect(window.say)
        self.failures.reported.connect(window.warn)
        self.memory.said.connect(window.say)
        if trouble is not None:
            trouble.stand(window.middle.lasting.say)
            trouble.begun_anew.connect(self._save_all_again)
        window.header.traces.save_requested.connect(self._save_trace)
        self.keeper.filling.filled.connect(self.collector.settle)
        self.chats.current_changed.connect(self._load_for)
        self.chats.current_changed.connect(self._use_chat)
        self.speculation.file_changed.connect(
            lambda: self.memory.write({"speculation": self.speculation.file_values})
        )
        self.speculation.changed.connect(self._follow_flags)
        self._use_chat(self.chats.current)
        presets = window.composer.settings
        presets.show_presets(presets_from(self._settings.presets or None))
        presets.presets_changed.connect(self._keep_presets)

    def open_any(self, path: Path) -> None:
        """A file from outside: chats come in, all else is taken for a trace."""
        if path.suffix.lower() in CHAT_SUFFIXES:
            self.porting.import_file(path)
        else:
            self.traces.open_file(path)

    def _defaults(self) -> ChatSettings:
        """What a new chat is made with: as it was set, and over that what the command line says."""
        given, kept = self._arguments, settings_from(self._settings.defaults)
        return replace(
            kept,
            sampling=given.sampling if given.has_sampling else kept.sampling,
            system=given.system or kept.system,
            max_tokens=given.max_tokens or kept.max_tokens,
        )

    def _remember_model(self, target: str) -> None:
        """The next start loads it again; one that was named for this run is no habit."""
        if not (self._arguments.names_model and target == self._arguments.model):
            self.memory.write({"model": target})

    def _load_for(self, chat: Conversation) -> None:
        """A chat to talk in needs a model, where none was loaded because a trace was opened."""
        if self.model.stage == "none" and not self.model.name and not chat.is_read_only:
            self.failures.start(self.controller.load(self._arguments.model))

    def _save_trace(self, path: Path, kind: Format) -> None:
        reply = self.inspection.reply
        if reply is not None:
            self.traces.save_file(self.chats.current, reply, path, kind)

    def _keep_presets(self, presets: Sequence[Preset]) -> None:
        self.memory.write({"presets": [list(each) for each in presets]})

    def _save_all_again(self, why: str) -> None:
        """The file of chats was gone: what is here goes into a new one."""
        self.keeper.note_everything()
        self.room.keep_everything()
        self.window.warn(why)

    def _follow_flags(self) -> None:
        """A chat's own flags are written into it in place; here it learns of it."""
        chat = self.chats.current
        if chat.overrides != self._flags:
            self._flags = dict(chat.overrides)
            chat.facts_changed.emit()

    def _use_chat(self, chat: Conversation) -> None:
        self._flags = dict(chat.overrides)
        self.speculation.use_chat(chat.overrides)
