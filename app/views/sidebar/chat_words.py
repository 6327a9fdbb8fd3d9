"""A chat, or a group of chats, in the words of the side bar."""

from PySide6.QtCore import QLocale, QObject

from app.models.ago import ago
from app.models.chats import Chats
from app.models.conversation import Conversation
from app.models.grouping import TRASH_DAYS, Kind, Place
from app.models.model_title import model_title

_DAY_SECONDS = 86_400
_FIRST_WORDS = 60


class ChatWords(QObject):
    """Words only; what they are about is read from the chats at each call."""

    def __init__(self, chats: Chats, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chats = chats
        self._names: dict[Kind, str] = {
            "new": "",
            "pinned": self.tr("Pinned"),
            "traces": self.tr("Traces"),
            "today": self.tr("Today"),
            "yesterday": self.tr("Yesterday"),
            "week": self.tr("Previous 7 days"),
            "days": self.tr("Previous 30 days"),
            "archived": self.tr("Archived"),
            "trash": self.tr("Trash"),
        }

    def name(self, place: Place) -> str:
        """The heading of a group."""
        if place.kind == "folder":
            folder = self._chats.folder(place.number)
            return folder.name if folder is not None else ""
        if place.kind == "month":
            year, month = divmod(place.number, 100)
            return f"{QLocale.c().monthName(month)} {year}"
        return str(place.number) if place.kind == "year" else self._names[place.kind]

    def facts(self, chat: Conversation, now: float) -> str:
        """Who answered, and how often; of a chat in the trash, how long it is still there."""
        if chat.trashed is not None:
            left = TRASH_DAYS - int((now - chat.trashed) // _DAY_SECONDS)
            return self.tr("1 day left") if left <= 1 else self.tr("{0} days left").format(left)
        turns = len(chat.exchanges) if chat.is_loaded else chat.num_shown
        if not turns and chat.is_loaded:
            draft = chat.draft.text.strip()[:_FIRST_WORDS]
            if chat.draft.is_empty:
                return self.tr("Nothing said yet")
            return (
                self.tr("Draft: {0}").format(" ".join(draft.split())) if draft else self.tr("Draft")
            )
        count = self.tr("1 turn") if turns == 1 else self.tr("{0} turns").format(turns)
        maker = self.tr("Trace") if chat.is_read_only else model_title(chat.model)
        return " · ".join(part for part in (maker, count if turns else "") if part)

    def when(self, chat: Conversation, now: float) -> str:
        """How long ago it changed; nothing of a chat without a word."""
        return "" if chat.is_empty else ago(chat.changed, now)
