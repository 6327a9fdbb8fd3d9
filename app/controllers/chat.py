"""Runs loads and replies: hands jobs to the worker, awaits their events, writes the models."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.bridge import Bridge, Worker
from app.controllers.failures import FailureReporter
from app.models.conversation import Chats, Conversation, Exchange
from app.models.model_state import ModelState
from app.models.reply import Reply
from app.models.speculation import SpeculationSettings
from engine import EngineError, Failed, GenerationRequest, SamplingParams

DEMO_MAX_TOKENS = 512


class ChatController(QObject):
    """The only writer of conversations and of the model's state; one reply at a time."""

    running_changed = Signal(object)

    def __init__(
        self,
        worker: Worker,
        bridge: Bridge,
        chats: Chats,
        model: ModelState,
        speculation: SpeculationSettings,
        failures: FailureReporter,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._worker, self._bridge = worker, bridge
        self._chats, self._model, self._speculation = chats, model, speculation
        self._failures = failures
        self._running: tuple[object, int] | None = None
        self.sampling = SamplingParams()
        self.system = ""
        self.max_tokens: int | None = None
        self.trace: Path | None = None
        self._num_traces = 0

    @property
    def is_busy(self) -> bool:
        """Whether a reply is being written."""
        return self._running is not None

    async def load(self, name: str) -> None:
        """Load a model; the outcome is in the model's state."""
        self._model.begin(name)
        async for event in self._bridge.run(self._worker.load(name)):
            self._model.apply(event)

    def reload(self) -> None:
        """Try once more to load the model that could not be loaded."""
        self._failures.start(self.load(self._model.name))

    def send(self, prompt: str, follow_up: str = "") -> None:
        """Ask in the current chat."""
        chat = self._chats.current
        if not self.is_busy and self._model.stage == "ready" and not chat.is_read_only:
            self._failures.start(self.answer(chat, chat.ask(prompt, follow_up)))

    def retry(self, exchange: Exchange) -> None:
        """Ask the same again, in place of a reply that failed."""
        if not self.is_busy:
            exchange.reply = Reply()
            for chat in self._chats.items:
                if exchange in chat.exchanges and not chat.is_read_only:
                    self._failures.start(self.answer(chat, exchange))

    def stop(self) -> None:
        """End the running reply; what was written stays."""
        if self._running is not None:
            self._worker.cancel(self._running[1])

    def new_chat(self) -> None:
        """Open an empty chat."""
        self._chats.new()

    def open_chat(self, chat: Conversation) -> None:
        """Show a chat."""
        self._chats.open(chat)

    async def answer(self, chat: Conversation, exchange: Exchange) -> None:
        """Have the model answer an exchange; every outcome ends up in its reply."""
        try:
            exchange.reply.request = self._request(chat, exchange)
        except EngineError as error:
            exchange.reply.apply(Failed(0, error.sentence, error.details))
            chat.publish(exchange)
            return
        await self.generate(
            exchange.reply, exchange, lambda: chat.publish(exchange), self._next_trace()
        )

    async def generate(
        self,
        reply: Reply,
        owner: object,
        publish: Callable[[], None],
        trace: Path | None = None,
    ) -> None:
        """Run a reply's request; it grows, and `publish` is called once per turn of the loop.

        `owner` is what the window is told to be running: an exchange, or whatever else asked.
        """
        assert reply.request is not None
        try:
            job = self._worker.generate(reply.request, trace)
        except EngineError as error:
            reply.apply(Failed(0, error.sentence, error.details))
            publish()
            return
        self._set_running((owner, job))
        try:
            events = self._bridge.run(job)
            async for event in events:
                reply.apply(event)
                if events.will_wait:
                    publish()
        finally:
            self._set_running(None)
            publish()

    def _request(self, chat: Conversation, exchange: Exchange) -> GenerationRequest:
        return GenerationRequest(
            messages=chat.messages(exchange, self.system),
            sampling=self.sampling,
            speculation=self._speculation.params,
            max_tokens=self._max_tokens(),
            num_alternatives=self._speculation.num_alternatives,
        )

    def _max_tokens(self) -> int | None:
        """The limit asked for; the demonstration model, which may not find an end, has its own."""
        info = self._model.info
        if self.max_tokens is None and info is not None and info.is_demo:
            return DEMO_MAX_TOKENS
        return self.max_tokens

    def _next_trace(self) -> Path | None:
        """Where this reply's trace goes: the file asked for, then new numbered ones beside it."""
        if self.trace is None:
            return None
        self._num_traces += 1
        if self._num_traces == 1:
            return self.trace
        while (path := self._numbered(self.trace)).exists():
            self._num_traces += 1
        return path

    def _numbered(self, trace: Path) -> Path:
        return trace.with_stem(f"{trace.stem}-{self._num_traces}")

    def _set_running(self, running: tuple[object, int] | None) -> None:
        self._running = running
        self.running_changed.emit(running[0] if running is not None else None)
