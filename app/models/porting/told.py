"""A chat as plain values, so that another thread can write it, and a file can be checked whole.

Messages are a flat list, each behind its parent: a chat of thousands of turns is no deep nest.
"""

from collections.abc import Generator, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar, cast

from app.models.chat_settings import ChatSettings
from app.models.choices import Choices
from app.models.conversation import Conversation
from app.models.exchange import Exchange, Variant
from app.models.ids import new_id
from app.models.question import Attachment, Question
from app.models.reply import Piece, Reply
from engine import Failed, Statistics, StopReason

Result = TypeVar("Result")
Role = Literal["user", "assistant"]
# How many messages are built, or told, before others get a turn.
_AT_ONCE = 100
Building = Generator[None, None, Conversation]
_Answered = tuple[Exchange, tuple[Variant, ...]]


class PortingError(Exception):
    """One sentence on why a file cannot be taken in, or written."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class ToldMessage:
    """A question, or an answer to one. `choice` is which of those below it is shown."""

    id: int
    parent: int | None
    role: Role
    text: str
    created: float
    choice: int | None = None
    model: str = ""
    attachments: tuple[Attachment, ...] = ()
    opens_thinking: bool = False
    stop: StopReason | None = None
    failure: str = ""
    statistics: Statistics | None = None


@dataclass(frozen=True, slots=True)
class ToldChat:
    """A chat with all of its tree; `choice` is which first question is shown."""

    title: str
    created: float
    changed: float
    is_named: bool = True
    is_pinned: bool = False
    is_archived: bool = False
    folder: str = ""
    model: str = ""
    settings: ChatSettings = field(default_factory=ChatSettings)
    overrides: dict[str, Any] = field(default_factory=dict)
    draft: Question = field(default_factory=Question)
    choice: int | None = None
    messages: tuple[ToldMessage, ...] = ()
    is_dated: bool = True  # Else the file tells no time, and `created` is made up.
    num_unread: int = 0  # Messages that the file has, and that cannot be read.


def told_of(chat: Conversation, folder: str = "") -> ToldChat:
    """A chat as it stands. What a trace tells has no tree, only an order."""
    return _whole(told_in_slices(chat, folder))


def told_in_slices(chat: Conversation, folder: str = "") -> Generator[None, None, ToldChat]:
    """The same in slices; which messages there are is decided at the first."""
    exchanges = chat.every_exchange() if chat.roots else chat.exchanges
    answered = [(exchange, tuple(exchange.variants)) for exchange in exchanges]
    told = yield from _messages(answered)
    messages = tuple(told if chat.roots else _in_a_row(told))
    return ToldChat(
        title=chat.title,
        created=chat.created,
        changed=chat.changed,
        is_named=chat.is_named,
        is_pinned=chat.is_pinned,
        is_archived=chat.is_archived,
        folder=folder,
        model=chat.model,
        settings=chat.settings,
        overrides=dict(chat.overrides),
        draft=chat.draft,
        choice=messages[0].id if not chat.roots and messages else _chosen(chat.roots),
        messages=messages,
    )


def shown_path(told: ToldChat) -> list[ToldMessage]:
    """The messages that are shown, from the first question on."""
    by_id = {message.id: message for message in told.messages}
    path: list[ToldMessage] = []
    at = by_id.get(told.choice) if told.choice is not None else None
    while at is not None:
        path.append(at)
        at = by_id.get(at.choice) if at.choice is not None else None
    return path


def conversation_of(told: ToldChat) -> Conversation:
    """A chat of its own, with numbers of its own. The folder is left to who knows folders."""
    return _whole(built(told))


def built(told: ToldChat) -> Building:
    """The same in slices, so that a window can answer between them; returns the chat."""
    # Made last: who stops in between leaves nothing behind.
    roots, numbers = yield from _tree(told)
    chat = Conversation()
    chat.title, chat.is_named = told.title, told.is_named
    chat.created, chat.changed = told.created, told.changed
    chat.is_pinned, chat.is_archived = told.is_pinned, told.is_archived
    chat.model, chat.draft, chat.overrides = told.model, told.draft, dict(told.overrides)
    first = numbers.get(told.settings.first) if told.settings.first is not None else None
    chat.settings = replace(told.settings, first=first)
    chat.fill(roots)
    return chat


def _whole(work: Generator[None, None, Result]) -> Result:
    while True:
        try:
            next(work)
        except StopIteration as end:
            return cast(Result, end.value)


def _messages(answered: list[_Answered]) -> Generator[None, None, list[ToldMessage]]:
    found: list[ToldMessage] = []
    for count, (exchange, variants) in enumerate(answered):
        if count % _AT_ONCE == _AT_ONCE - 1:
            yield
        found.append(_question(exchange))
        found += [_answer(exchange, variant) for variant in variants]
    return found


def _question(exchange: Exchange) -> ToldMessage:
    return ToldMessage(
        id=exchange.id,
        parent=exchange.parent.id if exchange.parent is not None else None,
        role="user",
        text=exchange.question.text,
        created=exchange.created,
        choice=exchange.variant.id,
        attachments=exchange.question.attachments,
    )


def _answer(exchange: Exchange, variant: Variant) -> ToldMessage:
    reply = variant.reply
    return ToldMessage(
        id=variant.id,
        parent=exchange.id,
        role="assistant",
        text=reply.text,
        created=variant.created,
        choice=_chosen(variant.followers),
        model=variant.model,
        opens_thinking=reply.opens_thinking,
        # One that is being written is told as far as it is.
        stop=reply.stop if reply.is_over else "cancelled",
        failure=reply.failure.sentence if reply.failure is not None else "",
        statistics=reply.statistics,
    )


def _in_a_row(messages: list[ToldMessage]) -> Iterable[ToldMessage]:
    ids = [None, *(message.id for message in messages), None]
    for number, message in enumerate(messages):
        yield replace(message, parent=ids[number], choice=ids[number + 2])


def _tree(told: ToldChat) -> Generator[None, None, tuple[Choices[Exchange], dict[int, int]]]:
    """The exchanges, and the new number of each message."""
    roots: Choices[Exchange] = Choices()
    exchanges: dict[int, Exchange] = {}
    variants, numbers = dict[int, Variant](), dict[int, int]()
    choices: list[tuple[Choices[Any], int | None]] = [(roots, told.choice)]
    for count, message in enumerate(told.messages):
        if count % _AT_ONCE == _AT_ONCE - 1:
            yield
        numbers[message.id] = new_id()
        if message.role == "user":
            above = variants[message.parent] if message.parent is not None else None
            exchange = Exchange(
                Question(message.text, message.attachments),
                id=numbers[message.id],
                created=message.created,
            )
            exchange.variants = Choices()
            exchange.parent = above
            exchange.siblings = above.followers if above is not None else roots
            exchange.siblings.add(exchange)
            exchanges[message.id] = exchange
            choices.append((exchange.variants, message.choice))
        elif message.parent is not None:
            variant = Variant(_reply(message), id=numbers[message.id], created=message.created)
            variant.model = message.model
            exchanges[message.parent].add(variant)
            variants[message.id] = variant
            choices.append((variant.followers, message.choice))
    for exchange in exchanges.values():
        if not len(exchange.variants):
            exchange.add(Variant(_reply(None)))
    yield from _choose(choices, numbers)
    return roots, numbers


def _choose(
    choices: list[tuple[Choices[Any], int | None]], numbers: dict[int, int]
) -> Generator[None, None, None]:
    for count, (among, chosen) in enumerate(choices):
        if count % _AT_ONCE == _AT_ONCE - 1:
            yield
        wanted = numbers.get(chosen) if chosen is not None else None
        for item in list(among):
            if item.id == wanted:
                among.choose(item)


def _reply(message: ToldMessage | None) -> Reply:
    reply = Reply()
    reply.phase = "finished"
    if message is None:
        return reply
    reply.opens_thinking, reply.stop = message.opens_thinking, message.stop
    reply.final = message.statistics
    if message.text:
        reply.pieces.append(Piece(message.text, 0, (), 0))
    if message.failure:
        reply.phase, reply.failure = "failed", Failed(0, message.failure)
    return reply


def _chosen(among: Choices[Exchange]) -> int | None:
    current = among.current
    return current.id if current is not None else None
