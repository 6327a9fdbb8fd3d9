"""What the window remembers from one run to the next, in the settings file."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from app.arguments import Arguments
from app.main.picture import complain
from app.main.window_state import geometry_of, restore_geometry
from app.models.chats import Chats
from app.models.display import TokenDisplay
from app.settings import Settings, settings_path, update_settings
from app.views.window import MainWindow


class Memory(QObject):
    """Writes at once what is set, and at the end how the window stood. `said` tells of trouble."""

    said = Signal(str)

    def __init__(self, *, writes: bool, parent: QObject) -> None:
        super().__init__(parent)
        self._writes = writes

    def write(self, changes: Mapping[str, object]) -> None:
        """Values that hold from here on."""
        if self._writes:
            sentence = update_settings(settings_path(), dict(changes))
            if sentence is not None:
                self.said.emit(sentence)

    def restore(self, window: MainWindow, arguments: Arguments, settings: Settings) -> None:
        """The window as it stood; a size that was asked for comes first."""
        window.resize(*(arguments.size or (settings.width, settings.height)))
        if arguments.size is None and settings.geometry:
            restore_geometry(window, settings.geometry)
        window.sides.set_wants_sidebar(settings.show_sidebar)
        window.sides.set_wants_inspector(settings.show_inspector)

    def keep(
        self, window: MainWindow, chats: Chats, display: TokenDisplay, *, has_size: bool
    ) -> None:
        """How the window stands, for the next start; a size that was asked for is no habit."""
        changes: dict[str, object] = {
            "show_inspector": window.sides.wants_inspector,
            "show_sidebar": window.sides.wants_sidebar,
            "show_tints": display.is_on,
            "chat": 0 if chats.current.is_read_only else chats.current.id,
        }
        if has_size:
            size = {"width": window.width(), "height": window.height()}
            changes |= {**size, "geometry": geometry_of(window)}
        if self._writes:
            sentence = update_settings(settings_path(), changes)
            if sentence is not None:
                complain(sentence, 0)
