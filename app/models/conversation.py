"""Conversations of this run, kept in memory: exchanges of a prompt and its reply."""

from PySide6.QtCore import QObject, Signal

from app.models.reply import Reply
from engine import Message

TITLE_LENGTH = 80


class Exchange:
    """A prompt and the reply to it; trying again gives the same prompt a new reply."""

    def __init__(self, prompt: str, follow_up: str = "") -> None:
        self.prompt = prompt
        self.follow_up = follow_up
        self.reply = Reply()


class Conversation(QObject):
    """One chat. Signals come once per turn of the event loop, never once per token."""

    exchange_added = Signal(object)
    exchange_changed = Signal(object)
    title_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.title = self.tr("New chat")
        self.exchanges: list[Exchange] = []

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

    def publish(self, exchange: Exchange) -> None:
        """Tell the views that an exchange has grown."""
        self.exchange_changed.emit(exchange)

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
        self.items.insert(0, chat)
        self.added.emit(chat)
        self.open(chat)
        return chat

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
