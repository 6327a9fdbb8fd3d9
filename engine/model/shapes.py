"""Shapes of a conversation that a chat template may take where it refuses the first."""

from collections.abc import Iterator, Sequence

from engine.request import Message

_FOLD_NOTICE = (
    "This model's chat template takes no system prompt, so its text was put in front of "
    "the next message."
)
_MERGE_NOTICE = (
    "This model's chat template wants user and assistant to take turns, so neighbouring "
    "messages of one role were joined."
)


def shapes(chat: list[Message]) -> Iterator[tuple[list[Message], tuple[str, ...]]]:
    """The conversation as it is, then mended more and more; each shape once."""
    yield chat, ()
    merged = _merge_neighbours(chat)
    if merged != chat:
        yield merged, (_MERGE_NOTICE,)
    folded = _fold_system(chat)
    if folded != chat:
        yield folded, (_FOLD_NOTICE,)
        both = _merge_neighbours(folded)
        if both != folded:
            yield both, (_FOLD_NOTICE, _MERGE_NOTICE)


def _merge_neighbours(chat: Sequence[Message]) -> list[Message]:
    merged: list[Message] = []
    for message in chat:
        if merged and merged[-1].role == message.role:
            joined = f"{merged[-1].content}\n\n{message.content}"
            merged[-1] = Message(message.role, joined)
        else:
            merged.append(message)
    return merged


def _fold_system(chat: Sequence[Message]) -> list[Message]:
    """Each system text moves to the front of the user turn after it, or becomes one."""
    folded: list[Message] = []
    waiting: list[str] = []
    for message in chat:
        if message.role == "system":
            waiting.append(message.content)
        elif message.role == "user":
            folded.append(Message("user", "\n\n".join([*waiting, message.content])))
            waiting = []
        else:
            folded.extend(Message("user", text) for text in waiting)
            waiting = []
            folded.append(message)
    folded.extend(Message("user", text) for text in waiting)
    return folded


def is_whole(text: str, chat: Sequence[Message]) -> bool:
    """Whether nothing that matters was dropped in silence: the system texts and the last turn."""
    wanted = [message.content for message in chat if message.role == "system"]
    return all(content.strip() in text for content in (*wanted, chat[-1].content))
