"""What a person asks for in the conversation column; one place where the window listens."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from app.models.conversation import Conversation


class Intents(QObject):
    """Signals only, and what may be asked for now.

    `choose_requested` carries an exchange, and one of its answers or None; `regenerate_requested`
    an exchange, and a seed or None for a fresh one; `regenerate_with_requested` an exchange, and
    what another model is loaded by, one of `other_models` (name, target); `edit_requested` an
    exchange and the question in its place; `edit_typed` an exchange and what its edit holds, None
    once that is over; `delete_requested` an answer or a question.
    """

    choose_requested = Signal(object, object)
    regenerate_requested = Signal(object, object)
    regenerate_with_requested = Signal(object, str)
    settings_requested = Signal(object)
    resume_requested = Signal(object)
    edit_requested = Signal(object, object)
    edit_typed = Signal(object, object)
    delete_requested = Signal(object)
    undo_requested = Signal()
    details_requested = Signal(object)
    link_requested = Signal(str)
    tokens_wanted = Signal(object)
    first_cleared = Signal()
    allowed_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.can_answer, self.is_read_only = True, False
        # Looking at another version needs no model; only it must not be written just now.
        self.can_choose = True
        # What edits that were begun in this chat hold, by exchange.
        self.edits: Mapping[int, str] = {}
        self.other_models: Callable[[], Sequence[tuple[str, str]]] = tuple
        self._chat: Conversation | None = None

    def show_chat(self, chat: Conversation) -> None:
        """From here on it is about this chat."""
        self._chat, self.edits = chat, chat.edits
        self.set_allowed(is_read_only=chat.is_read_only)

    def set_allowed(
        self,
        *,
        can_answer: bool | None = None,
        is_read_only: bool | None = None,
        can_choose: bool | None = None,
    ) -> None:
        """Whether the model could answer, the chat is only to be read, versions may be chosen."""
        before = self.can_answer, self.is_read_only, self.can_choose
        self.can_answer = self.can_answer if can_answer is None else can_answer
        self.is_read_only = self.is_read_only if is_read_only is None else is_read_only
        self.can_choose = self.can_choose if can_choose is None else can_choose
        if before != (self.can_answer, self.is_read_only, self.can_choose):
            self.allowed_changed.emit()

    @property
    def may_ask(self) -> bool:
        """Whether something can be asked of the model in this chat, now."""
        return self.can_answer and not self.is_read_only

    @property
    def is_greedy(self) -> bool:
        """Whether this chat asks for text that no seed changes."""
        return self._chat is not None and self._chat.settings.sampling.temperature == 0
