"""What can be done in a chat right now, in the composer's words and numbers."""

from dataclasses import dataclass

from app.models.comparison import Comparison
from app.models.context_meter import ContextUse, Full, context_use, full_of
from app.models.conversation import Conversation
from app.models.model_state import ModelState


@dataclass(frozen=True, slots=True)
class TalkState:
    """`words` stand in the composer's line; `blocked` says why nothing can be sent, or is empty.

    `is_here`: the reply that is being written is one of this chat's. `context` is how much of the
    model's context is used, `use` the numbers behind it (None without a model), and `full` whether
    the last reply met its end. `offers_load`: no model is loaded, and `title` is the one to load.
    """

    words: str
    blocked: str
    is_here: bool
    context: str
    use: ContextUse | None = None
    full: Full = ""
    offers_load: bool = False
    title: str = ""


def talk_state(chat: Conversation, model: ModelState, running: object | None) -> TalkState:
    """The state of `chat`, while `running` (an exchange, a comparison, or nothing) is answered."""
    is_here = running is not None and running in chat.exchanges
    words, blocked = model.label, ""
    if model.stage == "loading":
        words = f"{model.label} is loading, {model.fraction * 100:.0f} %"
        blocked = "Wait until the model is loaded"
    elif model.stage == "failed" and model.failure is not None:
        words = blocked = model.failure.sentence
    elif not model.can_answer and not chat.is_read_only:
        words = blocked = "No model is loaded; choose one above"
        if model.offers_load:
            words = "No model is loaded"
            blocked = f"No model is loaded; load {model.label}, or choose another one above"
    elif isinstance(running, Comparison):
        words = blocked = "A comparison is running"
    elif running is not None and not is_here:
        words = blocked = "A reply is being written in another chat"
    use = _use(chat, model)
    context = "" if use is None or not use.used else _context(use)
    offers_load = model.offers_load and not chat.is_read_only
    return TalkState(words, blocked, is_here, context, use, full_of(chat), offers_load, model.label)


def _context(use: ContextUse) -> str:
    return f"{use.used:,} of {use.context:,} tokens"


def _use(chat: Conversation, model: ModelState) -> ContextUse | None:
    length = model.context_length
    if length is None:
        return None
    settings = chat.settings
    return context_use(chat, length, settings.system, settings.max_tokens)
