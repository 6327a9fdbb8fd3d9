"""How an answer came to be, on disk: its events in parts as it grows, and read back when wanted."""

import asyncio
from dataclasses import dataclass
from functools import partial

from app.models.exchange import Variant
from app.models.reply import Piece, Reply
from app.storage import Keeping
from engine import Event, Stepped, Trace, TraceError, parse_trace, replay_trace, trace_lines

_EVENTS_AT_ONCE = 256


@dataclass(slots=True)
class _Written:
    """How far the trace of a reply is on disk."""

    reply: Reply
    num_steps: int = 0
    num_asides: int = 0
    num_parts: int = 0
    is_ended: bool = False


class TraceKeeper:
    """Writes parts, and knows which were written."""

    def __init__(self, store: Keeping) -> None:
        self._store = store
        self._written: dict[Variant, _Written] = {}

    def write(self, variant: Variant) -> None:
        """The events that are not on disk yet, put into lines on the store's own thread."""
        written = self._written.get(variant)
        if written is None or written.reply is not variant.reply:
            if written is not None:
                self._store.forget_trace(variant.id, 0)
            written = self._written[variant] = _Written(variant.reply)
        events = _news(written)
        if events:
            self._store.add_trace(variant.id, 0, written.num_parts, partial(trace_lines, events))
            written.num_parts += 1

    def forget(self, variant: Variant) -> None:
        """The trace begins anew: the answer was tried again, or goes on where it had ended."""
        self._written.pop(variant, None)
        self._store.forget_trace(variant.id, 0)

    def begin_anew(self, variant: Variant) -> None:
        """Nothing of it is on disk any more."""
        self._written.pop(variant, None)

    async def read(self, variant: Variant) -> Reply | None:
        """The answer with its tokens; None where the trace is not there, or not of this answer.

        `StorageError` where the store cannot be read.
        """
        data = self._store.trace(variant.id, 0)
        trace = await asyncio.to_thread(_parsed, data) if data else None
        if trace is None:
            return None
        told, full = variant.reply, Reply()
        full.opens_thinking = told.opens_thinking
        for number, event in enumerate(replay_trace(trace)):
            full.apply(event)
            if number % _EVENTS_AT_ONCE == _EVENTS_AT_ONCE - 1:
                await asyncio.sleep(0)
        if not told.text.startswith(full.text):
            return None
        _end_as(full, told)
        self._written[variant] = _Written(
            full, len(full.log), len(full.asides), num_parts=1, is_ended=True
        )
        return full


def _news(written: _Written) -> list[Event]:
    """What a reply has told since it was written last, in order."""
    reply = written.reply
    if written.is_ended:
        return []
    events: list[Event] = []
    if written.num_parts == 0 and reply.started is not None:
        events.append(reply.started)
    asides = reply.asides[written.num_asides :]
    for number in range(written.num_steps, len(reply.log)):
        while asides and asides[0][0] <= number:
            events.append(asides.pop(0)[1])
        events.append(Stepped(0, reply.log[number]))
    events += (aside for _, aside in asides)
    written.num_steps, written.num_asides = len(reply.log), len(reply.asides)
    if reply.finished is not None:
        events.append(reply.finished)
        written.is_ended = True
    return events


def _end_as(full: Reply, told: Reply) -> None:
    """A trace that was cut short ends as the answer did, and loses none of its words."""
    missing = told.text[len(full.text) :]
    if missing:
        full.pieces.append(Piece(missing, full.log.num_tokens, (), max(len(full.log) - 1, 0)))
    full.notices += [each for each in told.notices if each not in full.notices]
    if full.finished is None:
        full.phase, full.failure = told.phase, told.failure
        # The figures of the whole answer: those of the trace say less.
        full.stop, full.final = told.stop, told.final or full.statistics


def _parsed(data: bytes) -> Trace | None:
    try:
        return parse_trace(data)
    except TraceError:
        return None
