"""How full the model's context is: the conversation, what is being typed, room for the reply."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from app.models.attaching import estimated_tokens
from app.models.chat_settings import ChatSettings
from app.models.conversation import Conversation
from app.models.exchange import Exchange
from app.models.reply import Reply

# A reply's tokens unless a limit is set, and the most that a limit may claim: a limit beyond the
# context would otherwise leave no room for anything else.
_RESERVE = 4
_LARGEST_RESERVE = 2
# What the chat template puts around a question and its answer.
_TURN_TOKENS = 10

Full = Literal["", "failed", "stopped"]


@dataclass(frozen=True, slots=True)
class ContextUse:
    """Tokens of the model's `context`: `used` by the conversation, `typed` now, a `reserve`.

    `is_exact`: what is typed was counted, not estimated.
    """

    context: int
    used: int = 0
    typed: int = 0
    reserve: int = 0
    is_exact: bool = False

    @property
    def asked(self) -> int:
        """What the model would have to read."""
        return self.used + self.typed

    @property
    def is_tight(self) -> bool:
        """Whether too little room is left for the reply."""
        return self.asked + self.reserve > self.context

    @property
    def is_over(self) -> bool:
        """Whether there is no room left for a single token of a reply."""
        return self.asked >= self.context


def context_use(
    chat: Conversation, context: int, system: str = "", max_tokens: int | None = None
) -> ContextUse:
    """The use of a model's context by a chat as it would be sent now, with nothing typed yet."""
    used = _used(chat) or estimated_tokens(len(system))
    return ContextUse(context, used, reserve=reserve_of(context, max_tokens))


def reserve_of(context: int, max_tokens: int | None) -> int:
    """Room for the reply: its limit, at most half of the context; a quarter without one."""
    if max_tokens is None:
        return context // _RESERVE
    return min(max_tokens, context // _LARGEST_RESERVE)


def sent_sizes(chat: Conversation) -> list[int]:
    """Tokens of every exchange of a chat; 0 for one that is not sent.

    What the latest reply counted is shared out by length, so that the sum is a counted number as
    long as the turns it counted are those that are sent.
    """
    exchanges = chat.exchanges
    start = chat.prompt_start()
    guessed = [_guess(each) for each in exchanges]
    known = next((n for n in reversed(range(len(exchanges))) if _counted(exchanges[n].reply)), -1)
    if known < start:
        return [0] * start + guessed[start:]
    begin = _begin(exchanges, known)
    counted = _counted(exchanges[known].reply)
    share = counted / max(sum(guessed[begin : known + 1]), 1)
    exact = [round(size * share) for size in guessed[begin : known + 1]]
    exact[-1] += counted - sum(exact)
    sizes = guessed[:begin] + exact + guessed[known + 1 :]
    return [0] * start + sizes[start:]


def first_to_send(sizes: Sequence[int], typed: int, context: int) -> int:
    """How many of the oldest turns to leave out so that half of the context is free.

    `sizes` are the tokens of the turns before the question, `typed` the question's. As many as
    there are turns where the question is to go alone.
    """
    room = context // 2 - typed
    total, index = sum(sizes), 0
    while index < len(sizes) and total > room:
        total -= sizes[index]
        index += 1
    return index


def turns_left_out(chat: Conversation, typed: int, context: int, *, is_asked: bool) -> int:
    """The place on the path that the prompt is to begin with so that the next question fits.

    `is_asked`: the question is the last exchange already. Otherwise the place may be one past the
    end: the exchange that the question will become.
    """
    sizes = sent_sizes(chat)
    if is_asked and sizes:
        typed = max(estimated_tokens(len(chat.exchanges[-1].prompt)), typed)
        sizes.pop()
    start = chat.prompt_start()
    return max(first_to_send(sizes, typed, context), start)


def leaving_out(chat: Conversation, context: int, *, is_asked: bool) -> ChatSettings:
    """The chat's settings with the oldest turns left out, so that half of the context is free.

    `is_asked`: the last exchange waits for its answer, and is always sent.
    """
    place = turns_left_out(chat, 0, context, is_asked=is_asked)
    exchanges = chat.exchanges
    if not exchanges:
        return chat.settings
    return replace(chat.settings, first=exchanges[min(place, len(exchanges) - 1)].id)


def full_of(chat: Conversation) -> Full:
    """Whether the last reply could not be begun, or had to end, because the context was full."""
    reply = chat.last_reply
    if reply is None:
        return ""
    if reply.failure is not None and reply.failure.kind == "context_full":
        return "failed"
    return "stopped" if reply.stop == "context_full" else ""


def _used(chat: Conversation) -> int:
    """The sum of the sizes; of a chat that is sent whole its end alone is looked at."""
    if chat.prompt_start():
        return sum(sent_sizes(chat))
    used = 0
    for exchange in reversed(chat.exchanges):
        counted = _counted(exchange.reply)
        if counted:
            return used + counted
        used += _guess(exchange)
    return used


def _counted(reply: Reply) -> int:
    """What a reply and all before it took; 0 where that is not known.

    What was thought is no part of later prompts, so of a reply that is over it is not counted.
    """
    stats = reply.statistics
    if stats is None:
        return 0
    emitted = stats.emitted
    start = reply.answer_start if reply.is_over else 0
    if start:
        emitted -= emitted * start // len(reply.text)
    return stats.prompt_tokens + emitted


def _guess(exchange: Exchange) -> int:
    """About what an exchange takes; 0 for one without an answer, which is not sent again."""
    reply = exchange.reply
    length = sum(len(piece.text) for piece in reply.pieces)
    if not length:
        return 0
    return estimated_tokens(len(exchange.prompt) + length) + _TURN_TOKENS


def _begin(exchanges: Sequence[Exchange], known: int) -> int:
    """The exchange that the prompt of a counted reply began with."""
    request = exchanges[known].reply.request
    if request is None:
        return 0
    questions = sum(message.role == "user" for message in request.messages)
    begin = known
    while begin > 0 and questions > 1:
        begin -= 1
        questions -= bool(exchanges[begin].reply.pieces)
    return begin
