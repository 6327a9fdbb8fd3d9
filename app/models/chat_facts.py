"""What is known of a chat beside what was said in it: name, place, settings, draft."""

import time

from PySide6.QtCore import QObject, Signal

from app.models.chat_settings import ChatSettings
from app.models.ids import new_id
from app.models.question import Question


class ChatFacts(QObject):
    """`facts_changed`: what the side bar shows of it, or a setting; each is written at its own."""

    title_changed = Signal()
    facts_changed = Signal()
    draft_changed = Signal()

    def __init__(self, parent: QObject | None = None, *, id: int = 0) -> None:
        super().__init__(parent)
        self.id = id or new_id()
        self.title = self.tr("New chat")
        # Named by the person, so that no question names it.
        self.is_named = False
        self.created = self.changed = time.time()
        self.is_pinned = self.is_archived = False
        self.trashed: float | None = None
        self.folder: int | None = None
        self.model = ""
        self.settings = ChatSettings()
        # Speculation flags of this chat alone, by name, as plain values.
        self.overrides: dict[str, object] = {}
        self.draft = Question()
        # What edits that were begun hold, by exchange.
        self.edits: dict[int, str] = {}

    def touch(self) -> None:
        """Something was said in it now."""
        self.changed = time.time()
        self.facts_changed.emit()

    def set_title(self, title: str) -> None:
        """What it is called, by whoever names it."""
        self.title = title
        self.title_changed.emit()
        self.facts_changed.emit()

    def set_pinned(self, is_pinned: bool) -> None:
        """Keep it at the top, or no longer."""
        self.is_pinned = is_pinned
        self.facts_changed.emit()

    def set_archived(self, is_archived: bool) -> None:
        """Out of the way, but not gone; or back."""
        self.is_archived = is_archived
        self.facts_changed.emit()

    def set_trashed(self, when: float | None) -> None:
        """Into the trash at this time, or out of it."""
        self.trashed = when
        self.facts_changed.emit()

    def set_folder(self, folder: int | None) -> None:
        """Into a folder, or out of all."""
        self.folder = folder
        self.facts_changed.emit()

    def set_settings(self, settings: ChatSettings) -> None:
        """What the next question is asked with."""
        if settings != self.settings:
            self.settings = settings
            self.facts_changed.emit()

    def set_draft(self, draft: Question) -> None:
        """What is being typed."""
        if draft != self.draft:
            self.draft = draft
            self.draft_changed.emit()

    def set_edit(self, exchange: int, text: str | None) -> None:
        """What is being typed in place of a question; None once that edit is over."""
        if text is None:
            self.edits.pop(exchange, None)
        else:
            self.edits[exchange] = text
        self.draft_changed.emit()
