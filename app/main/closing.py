"""May the window close? When all chats are on disk, or the person lets go of what is not."""

from app.controllers.keeping import Keeper
from app.main.storing import Trouble
from app.models.chats import Chats
from app.storage import Keeping
from app.views.unsaved import ask_to_lose
from app.views.window import MainWindow

# What closing may wait for the disk before the person is asked.
FLUSH_SECONDS = 1.5


class Closing:
    """Asks at most one question; the answer may close the window again."""

    def __init__(
        self,
        window: MainWindow,
        chats: Chats,
        store: Keeping,
        keeper: Keeper,
        trouble: Trouble | None,
    ) -> None:
        self._window, self._chats = window, chats
        self._store, self._keeper, self._trouble = store, keeper, trouble
        self._may_lose = False

    def may_close(self) -> bool:
        """Whether nothing would be lost; if something would, the person is asked."""
        if self._may_lose:
            return True
        self._window.composer.flush_draft()
        why = self._unsaved()
        if why:
            ask_to_lose(self._window, why, self._lose)
        return not why

    def _unsaved(self) -> str:
        """Why chats would be lost now; empty where none would."""
        chats = [each for each in self._chats.items if not each.is_empty and not each.is_read_only]
        if chats and self._store.path is None and any(self._store.notices):
            return " ".join(self._store.notices)
        if self._keeper.flush(FLUSH_SECONDS):
            return ""
        told = self._trouble.sentence if self._trouble is not None else ""
        return told or "The last changes of chats could not be saved yet."

    def _lose(self) -> None:
        self._may_lose = True
        self._window.close()
