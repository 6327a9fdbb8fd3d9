"""Runs replies: hands jobs to the worker, awaits their events, writes the models."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.bridge import Bridge, Worker
from app.controllers.failures import FailureReporter
from app.controllers.keeping import Keeper
from app.controllers.loading import ModelLoader
from app.controllers.trace_names import TraceNames
from app.models.chat_settings import ChatSettings
from app.models.chats import Chats
from app.models.continuation import Continuation
from app.models.conversation import Conversation
from app.models.exchange import Exchange
from app.models.model_state import ModelState
from app.models.question import Question
from app.models.reply import Reply
from app.models.rerun import rerun_request
from app.models.speculation import SpeculationSettings
from engine import EngineError, Event, Failed, GenerationRequest

DEMO_MAX_TOKENS = 512
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
        self._chats, self._model, self._speculation = chats, model, speculation
        self._failures, self._keeper = failures, keeper
        self.loader = ModelLoader(worker, bridge, model, failures, self)
        self.loader.leaving.connect(self.stop)
        # What runs, and its job: None while its model is loaded again first.
        self._running: tuple[object, int | None] | None = None
        self.traces = TraceNames()

    @property
    def is_busy(self) -> bool:
        """Whether a reply is being written."""
        return self._running is not None

    @property
    def can_answer(self) -> bool:
        """Whether something can be asked in the chat that is open, now."""
        chat = self._chats.current
        return not self.is_busy and self._model.can_answer and not chat.is_read_only

    async def load(self, name: str) -> None:
        """Load a model; the outcome is in the model's state."""
        await self.loader.load(name)

    def reload(self) -> None:
        """Try once more to load the model that could not be loaded."""
        self.loader.reload()

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
        if self._running is not None and self._running[1] is not None:
            self._worker.cancel(self._running[1])
        elif self._running is not None:
            self.loader.cancel()

    def new_chat(self) -> None:
        """Open an empty chat."""
        self._chats.new()

    def open_chat(self, chat: Conversation) -> None:
        """Show a chat, with what was said in it."""
        self._keeper.load(chat)
        self._chats.open(chat)

    def look_into(self, chat: Conversation, exchange: Exchange) -> None:
        """Bring back how a reply from disk came to be."""
        self._failures.start(self._look_into(chat, exchange))

    async def answer(self, chat: Conversation, exchange: Exchange, seed: int | None = None) -> None:
        """Have the model answer an exchange; every outcome ends up in its reply."""
        self._name_model(chat, exchange)
        try:
            request = self._request(chat, exchange)
            if seed is not None:
                request = replace(request, sampling=replace(request.sampling, seed=seed))
            exchange.reply.request = request
        except EngineError as error:
            exchange.reply.apply(Failed(0, error.sentence, error.details, error.kind))
            chat.publish(exchange)
            return
        await self.generate(
            exchange.reply, exchange, lambda: chat.publish(exchange), self.traces.next()
        )
        self.answered.emit(chat, exchange)

    async def go_on(self, chat: Conversation, exchange: Exchange) -> None:
        """Continue a reply exactly where it ended, under the law that it was begun with."""
        variant = exchange.variant
        if not await self._keeper.bring_back(chat, exchange, variant):
            self._failures.reported.emit(
                self.tr("How this reply came to be is not kept, so it cannot go on; regenerate it.")
            )
            return
        reply = variant.reply
        if not reply.is_over or not reply.log.num_tokens or self.is_busy:
            return
        info, started = self._model.info, reply.started
        if info is not None and started is not None and started.model != info.name:
            words = self.tr(
                "{0} wrote this reply; load it to let the reply go on, or regenerate it."
            )
            self._failures.reported.emit(words.format(variant.model or started.model))
            return
        ids = tuple(number for record in reply.log for number in record.emitted)
        try:
            request = replace(
                rerun_request(reply, self._speculation.params),
                reply_ids=ids,
                reuse=True,
                max_tokens=self._max_tokens(chat),
            )
        except EngineError as error:
            self._failures.reported.emit(error.sentence)
            return
        self._keeper.rewrite_trace(variant)
        continuation = Continuation(reply)
        reply.request = replace(request, reply_ids=(), max_tokens=None)
        await self.generate(
            reply,
            exchange,
            lambda: chat.publish(exchange),
            request=request,
            told=continuation.told,
        )
        self.answered.emit(chat, exchange)

    async def generate(
        self,
        reply: Reply,
        owner: object,
        publish: Callable[[], None],
        trace: Path | None = None,
        *,
        request: GenerationRequest | None = None,
        told: Callable[[Event], Event | None] = lambda event: event,
    ) -> None:
        """Run a request, a reply's own if none is given; the reply grows by what is `told` to it.

        `publish` is called once per turn of the loop. `owner` is what the window is told to be
        running: an exchange, or whatever else asked.
        """
        asked = request or reply.request
        assert asked is not None
        if self._model.is_resting and not await self._wake(reply, owner, publish):
            return
        try:
            job = self._worker.generate(asked, trace)
        except EngineError as error:
            reply.apply(Failed(0, error.sentence, error.details, error.kind))
            publish()
            return
        self._set_running((owner, job))
        try:
            events = self._bridge.run(job)
            async for event in events:
                heard = told(event)
                if heard is not None:
                    reply.apply(heard)
                if events.will_wait:
                    publish()
        finally:
            self._set_running(None)
            publish()

    async def _wake(self, reply: Reply, owner: object, publish: Callable[[], None]) -> bool:
        """Load the model again that was unloaded for want of work; whether it is there."""
        asked = self._model.name
        self._set_running((owner, None))
        try:
            await self.loader.wake()
        finally:
            self._set_running(None)
        # Another one may have been chosen meanwhile; it did not get this question.
        if self._model.stage == "ready" and self._model.name == asked:
            return True
        failure = self._model.failure
        reply.apply(failure or Failed(0, self.tr("No model is loaded; load one and try again.")))
        publish()
        return False

    async def _regenerate_with(self, chat: Conversation, exchange: Exchange, target: str) -> None:
        if target != self._model.name or not self._model.can_answer:
            await self.loader.load(target)
        if self._model.failure is not None:
            self._failures.reported.emit(self._model.failure.sentence)
        may_answer = self._model.can_answer and not self.is_busy and self._model.name == target
        if may_answer and exchange in chat.exchanges:
            chat.answer_again(exchange)
            await self.answer(chat, exchange, random.randint(1, MAX_SEED))

    async def _look_into(self, chat: Conversation, exchange: Exchange) -> None:
        await self._keeper.bring_back(chat, exchange, exchange.variant)

    def _start(self, chat: Conversation, exchange: Exchange, seed: int | None = None) -> None:
        self._failures.start(self.answer(chat, exchange, seed))

    def _name_model(self, chat: Conversation, exchange: Exchange) -> None:
        chat.model = exchange.variant.model = self._model.label

    def _request(self, chat: Conversation, exchange: Exchange) -> GenerationRequest:
        settings = chat.settings
        return GenerationRequest(
            messages=chat.messages(exchange, settings.system),
            sampling=settings.sampling,
            speculation=self._speculation.params,
            max_tokens=self._max_tokens(chat),
            num_alternatives=self._speculation.num_alternatives,
            thinking=settings.thinking,
            context_limit=self._model.context_length if self._model.context else None,
        )

    def _max_tokens(self, chat: Conversation) -> int | None:
        """The limit asked for; the demonstration model, which may not find an end, has its own."""
        info, asked = self._model.info, chat.settings.max_tokens
        if asked is None and info is not None and info.is_demo:
            return DEMO_MAX_TOKENS
        return asked

    def _set_running(self, running: tuple[object, int | None] | None) -> None:
        self._running = running
        self.loader.set_running(running)
        self.running_changed.emit(running[0] if running is not None else None)
