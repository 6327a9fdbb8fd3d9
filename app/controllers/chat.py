"""Asks the model in chats: new questions, edits, other answers, replies that go on."""

import random
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.bridge import Bridge, Worker
from app.controllers.failures import FailureReporter
from app.controllers.keeping import Keeper
from app.controllers.loading import ModelLoader
from app.controllers.requests import Requests
from app.controllers.running import ReplyRunner
from app.controllers.trace_names import TraceNames
from app.models.chat_settings import ChatSettings
from app.models.chats import Chats
from app.models.continuation import Continuation
from app.models.conversation import Conversation
from app.models.exchange import Exchange
from app.models.model_state import ModelState
from app.models.question import Question
from app.models.reply import Reply
from app.models.speculation import SpeculationSettings
from engine import EngineError, Failed

MAX_SEED = 2**31 - 1


class ChatController(QObject):
    """The only writer of replies; one at a time. Its `loader` is the only writer of the model."""

    running_changed = Signal(object)
    # The reply of a chat, shown or not, has ended.
    answered = Signal(object, object)

    def __init__(
        self,
        worker: Worker,
        bridge: Bridge,
        chats: Chats,
        model: ModelState,
        speculation: SpeculationSettings,
        failures: FailureReporter,
        keeper: Keeper,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._worker, self._bridge = worker, bridge
        self._chats, self._model = chats, model
        self._failures, self._keeper = failures, keeper
        self._requests = Requests(model, speculation)
        self.loader = ModelLoader(worker, bridge, model, failures, self)
        self.runner = ReplyRunner(worker, bridge, model, self.loader, self)
        self.loader.leaving.connect(self.runner.stop)
        self.runner.running_changed.connect(self.loader.set_running)
        self.runner.running_changed.connect(self.running_changed)
        # Something was asked whose task has not begun.
        self._is_starting = False
        self.traces = TraceNames()

    @property
    def is_busy(self) -> bool:
        """Whether a reply is being written, or about to be."""
        return self._is_starting or self.runner.is_busy

    @property
    def can_answer(self) -> bool:
        """Whether something can be asked in the chat that is open, now."""
        chat = self._chats.current
        return not self.is_busy and self._model.can_answer and not chat.is_read_only

    async def load(self, name: str) -> None:
        """Load a model; the outcome is in the model's state."""
        await self.loader.load(name)

    def send(self, question: str | Question, follow_up: str = "") -> None:
        """Ask in the current chat."""
        chat = self._chats.current
        if self.can_answer:
            self._start(chat, chat.ask(question, follow_up))

    def ask_with(self, question: Question, settings: Callable[[], ChatSettings]) -> None:
        """Ask in the current chat with settings that follow from the question being there."""
        chat = self._chats.current
        if self.can_answer:
            exchange = chat.ask(question)
            chat.set_settings(settings())
            self._start(chat, exchange)

    def edit(self, exchange: Exchange, question: Question) -> None:
        """Ask something else in place of a question of the current chat."""
        chat = self._chats.current
        if self.can_answer and exchange in chat.exchanges:
            self._start(chat, chat.edit(exchange, question))

    def regenerate(self, exchange: Exchange, seed: int | None = None) -> None:
        """Another answer, with the chat's settings as they are now; a fresh seed unless given."""
        chat = self._chats.current
        if self.can_answer and exchange in chat.exchanges:
            chat.answer_again(exchange)
            fresh = random.randint(1, MAX_SEED) if seed is None else seed
            self._start(chat, exchange, fresh)

    def regenerate_with(self, exchange: Exchange, target: str) -> None:
        """Another answer, by another model, which stays; with a fresh seed."""
        chat = self._chats.current
        if not self.is_busy and exchange in chat.exchanges and not chat.is_read_only:
            self._failures.start(self._regenerate_with(chat, exchange, target))

    def resume(self, exchange: Exchange) -> None:
        """Let a reply go on that was stopped."""
        chat = self._chats.current
        if self.can_answer and exchange in chat.exchanges:
            self._failures.start(self.go_on(chat, exchange))

    def retry(self, exchange: Exchange) -> None:
        """Ask the same again, in place of a reply that failed."""
        chat = self._chats.current
        if not self.is_busy and exchange in chat.exchanges and not chat.is_read_only:
            exchange.reply = Reply()
            self._keeper.rewrite_trace(exchange.variant)
            self._start(chat, exchange)

    def stop(self) -> None:
        """End the running reply; what was written stays."""
        self.runner.stop()

    def new_chat(self) -> None:
        """Open an empty chat."""
        self._chats.new()

    def open_chat(self, chat: Conversation) -> None:
        """Show a chat, with what was said in it; the beginning of a long one comes after it."""
        self._keeper.filling.open(chat)
        self._chats.open(chat)

    def read_whole(self, chat: Conversation) -> None:
        """Have all of a chat here now: what is about to be done needs its beginning, too."""
        self._keeper.load(chat)

    def when_whole(self, chat: Conversation, act: Callable[[], None]) -> None:
        """Do something once all of a chat is here, if it is still the open one."""
        if chat.is_loaded:
            act()
        else:
            self._failures.start(self._when_whole(chat, act))

    def look_into(self, chat: Conversation, exchange: Exchange) -> None:
        """Bring back how a reply from disk came to be."""
        self._failures.start(self._look_into(chat, exchange))

    async def answer(self, chat: Conversation, exchange: Exchange, seed: int | None = None) -> None:
        """Have the model answer an exchange; every outcome ends up in its reply."""
        chat.model = exchange.variant.model = self._model.label
        try:
            exchange.reply.request = self._requests.of(chat, exchange, seed)
        except EngineError as error:
            exchange.reply.apply(Failed(0, error.sentence, error.details, error.kind))
            chat.publish(exchange)
            return
        await self.runner.run(
            exchange.reply, exchange, lambda: chat.publish(exchange), self.traces.next()
        )
        self.answered.emit(chat, exchange)

    async def go_on(self, chat: Conversation, exchange: Exchange) -> None:
        """Continue a reply exactly where it ended, under the law that it was begun with."""
        variant = exchange.variant
        if not await self._keeper.bring_back(chat, exchange, variant):
            self._failures.reported.emit(
                self.tr(
                    "How this reply came to be is not kept, so it cannot go on;"
                    " have it answered again."
                )
            )
            return
        reply = variant.reply
        if not reply.is_over or not reply.log.num_tokens or self.is_busy:
            return
        if author := self._other_author(reply):
            words = self.tr(
                "{0} wrote this reply; load it to let the reply go on, or have it answered again."
            )
            self._failures.reported.emit(words.format(variant.model or author))
            return
        try:
            request = self._requests.to_go_on(chat, reply)
        except EngineError as error:
            self._failures.reported.emit(error.sentence)
            return
        self._keeper.rewrite_trace(variant)
        continuation, before = Continuation(reply), reply.request
        reply.request = replace(request, reply_ids=(), max_tokens=None)
        await self.runner.run(
            reply,
            exchange,
            lambda: chat.publish(exchange),
            request=request,
            told=continuation.told,
        )
        if continuation.failure is None:
            self.answered.emit(chat, exchange)
        else:
            reply.request = before
            self._failures.reported.emit(continuation.failure.sentence)

    async def _regenerate_with(self, chat: Conversation, exchange: Exchange, target: str) -> None:
        if target != self._model.name or not self._model.can_answer:
            await self.loader.load(target)
        if self._model.failure is not None:
            self._failures.reported.emit(self._model.failure.sentence)
        may_answer = self._model.can_answer and not self.is_busy and self._model.name == target
        if may_answer and exchange in chat.exchanges:
            chat.answer_again(exchange)
            self._is_starting = True
            await self._answer(chat, exchange, random.randint(1, MAX_SEED))

    async def _look_into(self, chat: Conversation, exchange: Exchange) -> None:
        await self._keeper.bring_back(chat, exchange, exchange.variant)

    def _start(self, chat: Conversation, exchange: Exchange, seed: int | None = None) -> None:
        self._is_starting = True
        self._failures.start(self._answer(chat, exchange, seed))

    async def _answer(self, chat: Conversation, exchange: Exchange, seed: int | None) -> None:
        """Once all that the model is to be told is here."""
        try:
            is_whole = await self._keeper.filling.whole(chat)
        finally:
            self._is_starting = False
        if is_whole:
            await self.answer(chat, exchange, seed)
            return
        sentence = self.tr("What was said before cannot be read; open this chat once more.")
        exchange.reply.apply(Failed(0, sentence))
        chat.publish(exchange)

    async def _when_whole(self, chat: Conversation, act: Callable[[], None]) -> None:
        if await self._keeper.filling.whole(chat) and chat is self._chats.current:
            act()

    def _other_author(self, reply: Reply) -> str:
        """The model that wrote it, where that is another than the one that is there."""
        info, started = self._model.info, reply.started
        is_other = info is not None and started is not None and started.model != info.name
        return started.model if started is not None and is_other else ""
