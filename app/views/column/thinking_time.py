"""How long a reply thought, by the times of its steps."""

from app.models.markdown.thinking import split_thinking
from app.models.reply import Reply


def thinking_seconds(reply: Reply) -> float | None:
    """From the first token of its thinking to the last; None where it did not, or nobody knows."""
    if not len(reply.log):
        return None
    parts = split_thinking(reply.text, reply.opens_thinking)
    thought = next((part for part in parts if part.kind == "thinking"), None)
    if thought is None or not thought.is_closed:
        return None
    first = _step_at(reply, thought.start)
    last = _step_at(reply, thought.start + max(len(thought.text) - 1, 0))
    begin = reply.log[first - 1].time if first else _prefill(reply)
    return max(reply.log[last].time - begin, 0.0)


def _prefill(reply: Reply) -> float:
    return reply.started.prefill_seconds if reply.started is not None else 0.0


def _step_at(reply: Reply, character: int) -> int:
    """The step that a character of the text came from."""
    end = 0
    for piece in reply.pieces:
        end += len(piece.text)
        if end > character:
            return min(piece.step, len(reply.log) - 1)
    return len(reply.log) - 1
