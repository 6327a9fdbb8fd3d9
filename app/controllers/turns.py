"""Moves in a chat that ask nothing of the model by themselves: branches, removals, what is sent."""

from dataclasses import replace

from PySide6.QtCore import QObject

from app.controllers.chat import ChatController
from app.models.chats import Chats
from app.models.context_meter import full_of, leaving_out
from app.models.conversation import Conversation, Node, Removed
from app.models.exchange import Exchange, Variant
from app.models.model_state import ModelState
from app.models.question import Question


class TurnController(QObject):
    """Writes the open chat; what asks the model goes through the chat controller."""

    def __init__(
        self,
        chats: Chats,
        model: ModelState,
        asking: ChatController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._chats, self._model, self._asking = chats, model, asking
        self._removed: tuple[Conversation, Removed] | None = None

    def choose(self, exchange: Exchange, variant: Variant | None) -> None:
        """Show another edit of a question, or another answer to it."""
        self._chats.current.choose(exchange, variant)

    def remove(self, node: Node) -> None:
        """Take out a question or an answer; not while it is being written."""
        chat = self._chats.current
        if not chat.is_read_only and not self._is_growing(node):
            self._removed = chat, chat.remove(node)

    def undo(self) -> None:
        """Put back what was removed last."""
        if self._removed is not None:
            chat, removed = self._removed
            self._removed = None
            if chat in self._chats.items:
                chat.put_back(removed)

    def send_all_again(self) -> None:
        """Leave out no turns any more."""
        chat = self._chats.current
        chat.set_settings(replace(chat.settings, first=None))

    def leave_out(self, question: Question | None) -> None:
        """Leave the oldest turns out so that half of the context is free, and ask.

        Without a question the last one is meant: it is asked again where it could not be, and left
        alone where its answer ran into the end of the context.
        """
        chat, length = self._chats.current, self._model.context_length
        if length is None or not self._asking.can_answer:
            return
        self._asking.read_whole(chat)
        if question is not None:
            self._asking.ask_with(question, lambda: leaving_out(chat, length, is_asked=True))
        elif chat.exchanges:
            has_failed = full_of(chat) == "failed"
            chat.set_settings(leaving_out(chat, length, is_asked=has_failed))
            if has_failed:
                self._asking.retry(chat.exchanges[-1])

    def new_chat_with(self, question: Question | None) -> None:
        """Ask in a new chat: this, or what was asked last."""
        exchanges = self._chats.current.exchanges
        if question is None and exchanges:
            question = exchanges[-1].question
        if question is not None and self._asking.can_answer:
            self._chats.new()
            self._asking.send(question)

    def _is_growing(self, node: Node) -> bool:
        """Whether the reply that is being written lies in this branch."""
        waiting: list[Node] = [node]
        while waiting:
            each = waiting.pop()
            if isinstance(each, Exchange):
                waiting.extend(each.variants)
            elif not each.reply.is_over and self._asking.is_busy:
                return True
            else:
                waiting.extend(each.followers)
        return False
