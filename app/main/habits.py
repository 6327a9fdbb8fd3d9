"""What people expect of any app: menus, palette, preferences, notifications, the Dock."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from app.controllers.notifying import Notifier
from app.main.announcing import DesktopAnnouncer
from app.main.awake import awake
from app.main.commanding import Parts, bind_commands
from app.main.dock import Dock
from app.models.chat_settings import ChatSettings, plain_settings
from app.models.chats import Folder
from app.models.commands import Commands
from app.models.grouping import Place
from app.settings import THEMES, Settings
from app.theme import Theme
from app.views.about import Licences, show_about
from app.views.menus import Menus
from app.views.palette.palette import CommandPalette
from app.views.preferences import Preferences, PreferenceValues
from app.views.shortcuts import Shortcuts
from engine import VERSION

# Changes for the settings file, by name.
Remember = Callable[[dict[str, object]], None]


@dataclass(frozen=True, slots=True)
class Home:
    """Where data lies, and in one sentence what is kept there; empty is the usual."""

    folder: Path
    kept: str = ""


class Habits(QObject):
    """Made when the window is; the session binds `step_back` and `sidebar` to the window.

    `choose_theme` puts a theme in force. What is set here is remembered at once.
    """

    def __init__(
        self,
        parts: Parts,
        theme: Theme,
        settings: Settings,
        remember: Remember,
        choose_theme: Callable[[str], None],
        home: Home,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._parts, self._theme, self._home = parts, theme, home
        self._remember, self._put_theme = remember, choose_theme
        self._theme_name = settings.theme
        window = parts.window
        self.commands = Commands(self)
        self.menus = Menus(self.commands, window)
        self.palette = CommandPalette(theme, self.commands, parts.chats, window)
        self.dock = Dock(window, self)
        self.announcer = DesktopAnnouncer(window, self)
        self.notifier = Notifier(self.announcer, self._is_in_front, self)
        self.notifier.is_on = settings.notify
        self.notifier.shows_words = settings.notify_words
        self.awake = awake()
        bind_commands(self.commands, parts)
        self._bind()
        self._connect()

    def close(self) -> None:
        """Nothing runs any more."""
        self.awake.end()

    def _bind(self) -> None:
        commands, window = self.commands, self._parts.window
        commands.bind("about", self._show_about)
        commands.bind("preferences", self.open_preferences)
        commands.bind("quit", self.dock.quit)
        commands.bind("close_window", self.dock.close_window)
        commands.bind("palette", self.palette.toggle)
        commands.bind("shortcuts", lambda: Shortcuts(commands, self._theme, window).open())
        for name in THEMES:
            commands.bind(
                f"theme_{name}", partial(self._choose_theme, name), is_on=self._is_theme(name)
            )

    def _connect(self) -> None:
        parts = self._parts
        parts.controller.running_changed.connect(self.notifier.follow)
        parts.controller.running_changed.connect(self.awake.follow)
        parts.controller.answered.connect(self.notifier.on_answered)
        self.palette.chat_chosen.connect(parts.controller.open_chat)
        self.palette.folder_chosen.connect(self._show_folder)
        parts.text_size.changed.connect(
            lambda: self._remember({"text_size": parts.text_size.pixels})
        )

    def open_preferences(self) -> None:
        """The sheet of what holds in all chats."""
        values = PreferenceValues(
            theme=self._theme_name,
            defaults=self._parts.chats.defaults,
            notify=self.notifier.is_on,
            notify_words=self.notifier.shows_words,
            folder=str(self._home.folder),
            kept=self._home.kept,
            idle_minutes=round(self._parts.controller.loader.idle_minutes),
        )
        sheet = Preferences(values, self._parts.text_size, self._theme, self._parts.window)
        sheet.theme_chosen.connect(self._choose_theme)
        sheet.defaults_changed.connect(self._use_defaults)
        sheet.notify_changed.connect(self._set_notify)
        sheet.notify_words_changed.connect(self._set_notify_words)
        sheet.idle_changed.connect(self._set_idle)
        sheet.folder_requested.connect(self._open_folder)
        sheet.flags_requested.connect(lambda: self._parts.window.show_pane("settings"))
        sheet.open()

    def _show_about(self) -> None:
        window = self._parts.window
        show_about(window, VERSION, lambda: Licences(self._theme, window).open())

    def _choose_theme(self, name: str) -> None:
        self._theme_name = name
        self._put_theme(name)
        self._remember({"theme": name})

    def _is_theme(self, name: str) -> Callable[[], bool]:
        return lambda: self._theme_name == name

    def _use_defaults(self, settings: ChatSettings) -> None:
        self._parts.chats.defaults = settings
        self._remember({"defaults": plain_settings(settings)})

    def _set_notify(self, is_on: bool) -> None:
        self.notifier.is_on = is_on
        self._remember({"notify": is_on})

    def _set_notify_words(self, shows: bool) -> None:
        self.notifier.shows_words = shows
        self._remember({"notify_words": shows})

    def _set_idle(self, minutes: int) -> None:
        self._parts.controller.loader.set_idle_minutes(minutes)
        self._remember({"idle_unload_minutes": minutes})

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._home.folder)))

    def _show_folder(self, folder: Folder) -> None:
        self._parts.window.sidebar.show_place(Place("folder", folder.id))

    def _is_in_front(self) -> bool:
        window = self._parts.window
        is_active = QGuiApplication.applicationState() == Qt.ApplicationState.ApplicationActive
        return is_active and window.isVisible() and not window.isMinimized()
