"""All chats and folders, and which chat is open; there is always one."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from app.models.chat_settings import ChatSettings
from app.models.conversation import Conversation
from app.models.ids import new_id
from engine import SamplingParams


@dataclass(slots=True)
class Folder:
    """A named place in the side bar; `position` orders them."""

    id: int
    name: str
    position: float


class Chats(QObject):
    """`items` are all chats, archived and trashed ones too, the newest made first.

    `facts_changed` is said of a chat whose title, place or time is another one now.
    """

    added = Signal(object)
    removed = Signal(object)
    current_changed = Signal(object)
    facts_changed = Signal(object)
    folders_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # What a new chat is made with, and what of it the loaded model has its own wish for.
        self.defaults = ChatSettings()
        self.sampling: SamplingParams | None = None
        self.folders: list[Folder] = []
        self.items: list[Conversation] = []
        self.current = Conversation(self)
        self._take(self.current, 0)

    @property
    def shown(self) -> list[Conversation]:
        """All that are worth a row: an empty one only while it is open."""
        current = self.current
        return [
            chat
            for chat in self.items
            if not chat.is_loaded or not chat.is_empty or chat is current or chat.is_read_only
        ]

    @property
    def fresh_settings(self) -> ChatSettings:
        """What a new chat is made with, as things are now."""
        if self.sampling is None:
            return self.defaults
        return replace(self.defaults, sampling=self.sampling)

    def set_sampling(self, sampling: SamplingParams | None) -> None:
        """What new chats sample by, None for what was set for all; an untouched one is one too."""
        before, self.sampling = self.fresh_settings, sampling
        if self.current.is_empty and self.current.settings == before:
            self.current.set_settings(self.fresh_settings)

    def new(self) -> Conversation:
        """Open an empty chat; one that is empty already, if there is one."""
        for chat in self.items:
            if chat.is_empty and not chat.is_read_only and chat.trashed is None:
                chat.set_settings(self.fresh_settings)
                self.open(chat)
                return chat
        chat = Conversation(self)
        chat.settings = self.fresh_settings
        self.add(chat)
        return chat

    def add(self, chat: Conversation) -> None:
        """Take in a chat made elsewhere, and show it."""
        self.take(chat)
        self.open(chat)

    def take(self, chat: Conversation) -> None:
        """Take in a chat made elsewhere, without showing it."""
        chat.setParent(self)
        self._take(chat, 0)
        self.added.emit(chat)

    def restore(self, chats: list[Conversation], folders: list[Folder]) -> None:
        """Take in what was kept, the newest first, behind what is here."""
        self.folders = folders
        for chat in chats:
            chat.setParent(self)
            self._take(chat, len(self.items))
        self.folders_changed.emit()

    def open(self, chat: Conversation) -> None:
        """Show a chat."""
        if chat is not self.current:
            self.current = chat
            self.current_changed.emit(chat)

    def remove(self, chat: Conversation) -> None:
        """Forget a chat for good; another one is shown if it was open."""
        self.items.remove(chat)
        if chat is self.current:
            others = [each for each in self.items if each.trashed is None and not each.is_archived]
            if others:
                self.open(others[0])
            else:
                self.new()
        self.removed.emit(chat)
        chat.deleteLater()

    def folder(self, id: int | None) -> Folder | None:
        """The folder of this number; None where there is none."""
        return next((each for each in self.folders if each.id == id), None)

    def add_folder(self, name: str) -> Folder:
        """A new folder, below the others."""
        last = max((each.position for each in self.folders), default=0.0)
        folder = Folder(new_id(), name, last + 1)
        self.folders.append(folder)
        self.folders_changed.emit()
        return folder

    def rename_folder(self, folder: Folder, name: str) -> None:
        """Give a folder another name."""
        folder.name = name
        self.folders_changed.emit()

    def remove_folder(self, folder: Folder) -> None:
        """Remove a folder; its chats stay."""
        self.folders.remove(folder)
        for chat in self.items:
            if chat.folder == folder.id:
                chat.set_folder(None)
        self.folders_changed.emit()

    def _take(self, chat: Conversation, at: int) -> None:
        self.items.insert(at, chat)
        chat.facts_changed.connect(lambda: self.facts_changed.emit(chat))
