"""What has changed in chats and is to be written: a chat at a time, a little in each turn."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter

from app.controllers.records import answer_record, chat_record, question_record, run_record
from app.controllers.trace_keeping import TraceKeeper
from app.models.conversation import Conversation
from app.models.exchange import Exchange, Variant
from app.storage import Keeping, MessageRecord, RunRecord

# How many answers are made into records before others get a turn.
_AT_ONCE = 32
_OVER = object()


@dataclass(slots=True)
class News:
    """What has changed in a chat, besides what it says of itself; or all of it."""

    exchanges: dict[Exchange, None] = field(default_factory=dict)
    variants: dict[Variant, Exchange] = field(default_factory=dict)
    is_all: bool = False


class Waiting:
    """Chats with their news, and those that are being handed over: each whole or not at all."""

    def __init__(self, store: Keeping, traces: TraceKeeper) -> None:
        self._store, self._traces = store, traces
        self.news: dict[Conversation, News] = {}
        self._begun: deque[tuple[Conversation, Iterator[None]]] = deque()

    def note(self, chat: Conversation) -> News:
        """Where to put what is new in a chat."""
        return self.news.setdefault(chat, News())

    def begin(self) -> None:
        """Hand over what waits, as `go_on` is called; what came of such a chat later stays."""
        busy = {chat for chat, _ in self._begun}
        ready = {chat: news for chat, news in self.news.items() if chat not in busy}
        self.news = {chat: news for chat, news in self.news.items() if chat in busy}
        # What is brought in whole is long, and must not keep a reply that grows from the disk.
        for chat, news in reversed(ready.items()):
            if not news.is_all:
                self._begun.appendleft((chat, self._hand_over(chat, news)))
        for chat, news in ready.items():
            if news.is_all:
                self._begun.append((chat, self._hand_over(chat, news)))

    def go_on(self, seconds: float) -> bool:
        """Hand over for so long; whether there is more."""
        end = perf_counter() + seconds
        while self._begun and perf_counter() < end:
            if next(self._begun[0][1], _OVER) is _OVER:
                self._begun.popleft()
        return bool(self._begun)

    def finish(self) -> None:
        """Hand over everything as it is now."""
        with self._store.together():
            while self._begun or self.news:
                self.begin()
                for _, rest in self._begun:
                    for _ in rest:
                        pass
                self._begun.clear()

    def _hand_over(self, chat: Conversation, news: News) -> Iterator[None]:
        messages, runs = list[MessageRecord](), list[RunRecord]()
        traced = list[Variant]()
        for number, exchange in enumerate(chat.every_exchange() if news.is_all else news.exchanges):
            messages.append(question_record(chat, exchange))
            if news.is_all:
                news.variants.update(dict.fromkeys(exchange.variants, exchange))
            if number % _AT_ONCE == _AT_ONCE - 1:
                yield
        for number, (variant, exchange) in enumerate(news.variants.items()):
            reply = variant.reply
            messages.append(answer_record(chat, exchange, variant))
            if reply.started is not None or reply.final is not None or reply.stop is not None:
                runs.append(run_record(variant))
            if reply.started is not None:
                traced.append(variant)
            if number % _AT_ONCE == _AT_ONCE - 1:
                yield
        with self._store.together():
            self._store.save_said(chat_record(chat), messages, runs)
            for variant in traced:
                self._traces.write(variant)
