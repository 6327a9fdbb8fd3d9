"""Where in a prompt later prompts will part from it, found by rendering what may come instead.

    another question   the same start of the conversation (system prompt), asked something else
    another turn       the same messages, answered and followed by a question: a template may open
                       the model's turn with words (a thinking block) that it takes out again later

Only the places of snapshots depend on this, never what a prompt is.
"""

from collections.abc import Sequence

from engine.errors import TemplateError, TokenizerError
from engine.model.prompt import ChatTemplate
from engine.model.timeline import common_prefix
from engine.request import Message

# Hardly how a real message begins, so that prompts part where it stands.
_ANYTHING = "\u00a7"


def find_boundaries(
    template: ChatTemplate,
    messages: Sequence[Message],
    prompt: Sequence[int],
    thinking: bool | None = None,
) -> tuple[int, ...]:
    """How much of `prompt` each of the two shares with it, where that is not all of it.

    Both are rendered with the prompt's own switch for thinking: a chat hardly ever turns it.
    """
    question, answer = Message("user", _ANYTHING), Message("assistant", _ANYTHING)
    num_before = next((i for i, m in enumerate(messages) if m.role != "system"), len(messages))
    places = []
    for chat in ((*messages[:num_before], question), (*messages, answer, question)):
        try:
            other = template.render(chat, thinking).ids
        except (TemplateError, TokenizerError):
            continue
        places.append(common_prefix(other, prompt))
    return tuple(place for place in places if 0 < place < len(prompt) - 1)
