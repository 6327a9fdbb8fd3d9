"""Conversations of this run, kept in memory: exchanges of a prompt and its reply.

One that was opened from a trace is only read: its last reply is what the playback makes of it.
"""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.models.playback import Playback
from app.models.reply import Reply
from engine import Message

TITLE_LENGTH = 80


class Exchange:
    """A prompt and the reply to it; trying again gives the same prompt a new reply."""

    def __init__(self, prompt: str, follow_up: str = "", reply: Reply | None = None) -> None:
        self.prompt = prompt
        self.follow_up = follow_up
        self.reply = reply if reply is not None else Reply()


class Conversation(QObject):
    """One chat. Signals come once per turn of the event loop, never once per token."""

    exchange_added = Signal(object)
    exchange_changed = Signal(object)
    title_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.title = self.tr("New chat")
        self.exchanges: list[Exchange] = []
        # Speculation flags of this chat alone, by name, as plain values.
        self.overrides: dict[str, object] = {}
        self.playback: Playback | None = None
        # The file it was opened from.
        self.source: Path | None = None

    @property
    def is_read_only(self) -> bool:
        """Whether it was opened from a trace, so that nothing can be asked in it."""
        return self.playback is not None

    @property
    def last_reply(self) -> Reply | None:
        """The newest reply, which the inspector shows."""
        return self.exchanges[-1].reply if self.exchanges else None

    def ask(self, prompt: str, follow_up: str = "") -> Exchange:
        """Add a prompt with a reply that waits."""
        exchange = Exchange(prompt, follow_up)
        self.exchanges.append(exchange)
        if len(self.exchanges) == 1:
            self.title = title_of(prompt) or self.title
            self.title_changed.emit()
        self.exchange_added.emit(exchange)
        return exchange

    def play(self, title: str, exchanges: list[Exchange], playback: Playback) -> None:
        """Become what a trace tells: earlier exchanges, and a last one whose reply is played."""
        self.title, self.exchanges, self.playback = title, exchanges, playback
        playback.setParent(self)
        self._follow_playback()
        playback.reply_changed.connect(self._follow_playback)
        playback.grown.connect(self._follow_playback)
        self.title_changed.emit()

    def publish(self, exchange: Exchange) -> None:
        """Tell the views that an exchange has grown."""
        self.exchange_changed.emit(exchange)

    def _follow_playback(self) -> None:
        if self.playback is not None:
            self.exchanges[-1].reply = self.playback.reply
            self.publish(self.exchanges[-1])

    def messages(self, exchange: Exchange, system: str = "") -> tuple[Message, ...]:
        """What the model is to answer: every answered exchange before this one, then its prompt."""
        messages = [Message("system", system)] if system else []
        for earlier in self.exchanges[: self.exchanges.index(exchange)]:
            answer = earlier.reply.text
            if answer:
                messages += [Message("user", earlier.prompt), Message("assistant", answer)]
        return (*messages, Message("user", exchange.prompt))


class Chats(QObject):
    """The list of conversations and which one is open; there is always one."""

    added = Signal(object)
    current_changed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.current = Conversation(self)
        self.items: list[Conversation] = [self.current]

    def new(self) -> Conversation:
        """Open an empty chat; the current one if it is still empty."""
        for chat in self.items:
            if not chat.exchanges:
                self.open(chat)
                return chat
        chat = Conversation(self)
        self.add(chat)
        return chat

    def add(self, chat: Conversation) -> None:
        """Take in a chat made elsewhere, and show it."""
        chat.setParent(self)
        self.items.insert(0, chat)
        self.added.emit(chat)
        self.open(chat)

    def open(self, chat: Conversation) -> None:
        """Show a chat."""
        if chat is not self.current:
            self.current = chat
            self.current_changed.emit(chat)


def title_of(prompt: str) -> str:
    """A title from the first line of the first prompt."""
    first = next((line.strip() for line in prompt.splitlines() if line.strip()), "")
    first = " ".join(first.split()).rstrip(".:")
    return first if len(first) <= TITLE_LENGTH else first[: TITLE_LENGTH - 1].rstrip() + "…"
