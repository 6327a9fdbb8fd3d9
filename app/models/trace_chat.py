"""What a trace tells of its conversation, as exchanges; and the trace of a reply in memory."""

from app.models.exchange import Exchange
from app.models.reply import Piece, Reply
from engine import Notice, Started, Trace


def exchanges_of(started: Started) -> list[Exchange]:
    """The prompts of a trace with the replies told in it; the last reply is still to be played."""
    exchanges: list[Exchange] = []
    is_answered = True
    for message in started.messages:
        if message.role == "user":
            exchanges.append(Exchange(message.content, reply=told("")))
            is_answered = False
        elif message.role == "assistant":
            if is_answered:
                exchanges.append(Exchange(""))
            exchanges[-1].reply = told(message.content)
            is_answered = True
    if is_answered:
        exchanges.append(Exchange("" if exchanges else _prompt_of(started)))
    return exchanges


def system_of(started: Started) -> str:
    """The system prompt, empty where there was none."""
    return "\n\n".join(each.content for each in started.messages if each.role == "system").strip()


def told(text: str) -> Reply:
    """A reply of which nothing is known but its text."""
    reply = Reply()
    reply.phase = "finished"
    if text:
        reply.pieces.append(Piece(text, 0, (), 0))
    return reply


def trace_of(reply: Reply) -> Trace | None:
    """The trace of a reply, as far as it has come; None where it has not begun.

    Every record is unpacked: of a reply that grows, or a long one, give a `branched` copy to a
    thread of its own.
    """
    started = reply.started
    if started is None:
        return None
    asides = list(reply.asides)
    if reply.failure is not None:
        asides.append((len(reply.log), Notice(started.job, reply.failure.sentence)))
    return Trace(started, tuple(reply.log), reply.finished, None, tuple(asides))


def _prompt_of(started: Started) -> str:
    if started.prompt_text:
        return started.prompt_text
    return f"{len(started.prompt_ids):,} tokens; the trace does not have their text."
