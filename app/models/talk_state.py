"""What can be done in a chat right now, in the composer's words."""

from dataclasses import dataclass

from app.models.comparison import Comparison
from app.models.conversation import Conversation
from app.models.model_state import ModelState


@dataclass(frozen=True, slots=True)
class TalkState:
    """`words` stand in the composer's line; `blocked` says why nothing can be sent, or is empty.

    `is_here`: the reply that is being written is one of this chat's. `context` is how much of the
    model's context is used.
    """

    words: str
    blocked: str
    is_here: bool
    context: str


def talk_state(
    chat: Conversation, model: ModelState, running: object | None, said: str
) -> TalkState:
    """The state of `chat`, while `running` (an exchange, a comparison, or nothing) is answered."""
    is_here = running is not None and running in chat.exchanges
    words, blocked = said or model.label, ""
    if model.stage == "loading":
        words = f"{model.label} is loading, {model.fraction * 100:.0f} %"
        blocked = "Wait until the model is loaded"
    elif model.stage == "failed" and model.failure is not None:
        words = blocked = model.failure.sentence
    elif isinstance(running, Comparison):
        words = blocked = "A comparison is running"
    elif running is not None and not is_here:
        words = blocked = "A reply is being written in another chat"
    return TalkState(words, blocked, is_here, "" if said else _context(chat, model))


def _context(chat: Conversation, model: ModelState) -> str:
    info, reply = model.info, chat.last_reply
    stats = reply.statistics if reply is not None else None
    if info is None or stats is None:
        return ""
    return f"{stats.prompt_tokens + stats.emitted:,} of {info.context_length:,} tokens"
