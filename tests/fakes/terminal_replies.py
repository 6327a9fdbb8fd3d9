"""Replies made by hand, and a session that hands one out, for what `verify` says of differences."""

from collections.abc import Sequence
from typing import Any

from engine import Finished, PhaseSeconds, Started, StepRecord, Tally, TextSpan
from engine.terminal.session import Reply, Session
from tests.fakes.records import CONFIG


def reply_of(
    ids: Sequence[int],
    texts: Sequence[str] = (),
    alternatives: Sequence[dict[int, float]] | None = None,
) -> Reply:
    """A reply of these ids, one a step."""
    records = []
    for index, token in enumerate(ids):
        span = (TextSpan(index, 1, texts[index]),) if texts else ()
        likely = None if alternatives is None else (tuple(alternatives[index].items()),)
        records.append(_record(index, token, span, likely))
    tally = Tally(2)
    for record in records:
        tally.add(record)
    finished = Finished(1, "max_tokens", tally.snapshot(), tally.health(CONFIG))
    return Reply(Started(1, "demo", CONFIG, (1, 2), 0, 0, 0.1), tuple(records), finished)


def _record(index: int, token: int, spans: tuple[TextSpan, ...], likely: Any) -> StepRecord:
    return StepRecord(
        index=index,
        position=2 + index,
        pending=(1,),
        draft=(),
        excluded=0,
        match=None,
        accepted=0,
        dropped=0,
        emitted=(token,),
        origins=("generated",),
        rollback=None,
        num_replayed=0,
        forwards=1,
        guarded=0,
        seconds=PhaseSeconds(0.0, 0.1, 0.0),
        time=float(index),
        spans=spans,
        alternatives=likely,
    )


class StoredSession(Session):
    """A session with no worker that gives every request the same reply."""

    def __init__(self, reply: Reply) -> None:
        self._reply = reply

    def reply(self, *_: Any, **__: Any) -> Reply:
        return self._reply
