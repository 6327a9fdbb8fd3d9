"""Replies made by hand, and a session that hands them out, for what the terminal front says."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Self

from engine import (
    EffectiveConfig,
    Finished,
    GenerationRequest,
    ModelInfo,
    Origin,
    PhaseSeconds,
    Probe,
    SpeculationChanged,
    Started,
    StepRecord,
    Strategy,
    Tally,
    TextSpan,
    WidthProbe,
)
from engine.terminal.session import Reply, Session
from tests.fakes.records import CONFIG
from tests.fakes.scripted_worker import INFO

PROBE = Probe(
    widths=(
        WidthProbe(1, True, 0.0, 1.0, 0.01),
        WidthProbe(4, False, 0.25, 1.0, 0.02),
        WidthProbe(8, False, 0.125, 1.0, 0.03),
    ),
    num_positions=10,
    mlx_version="0",
    device="gpu",
    is_cached=False,
)


def reply_of(
    ids: Sequence[int],
    texts: Sequence[str] = (),
    *,
    margins: Sequence[float] | None = None,
    accepted: int = 0,
    seconds: float = 0.1,
    prompt_tokens: int = 2,
    reused: int = 0,
    config: EffectiveConfig = CONFIG,
    notices: tuple[str, ...] = (),
    stood_down: str | None = None,
) -> Reply:
    """A reply of these ids, one a step every `seconds`; its second step accepts `accepted` of 4.

    Each step takes a tenth of its time to draft, and a tenth to roll back if it had a draft.
    """
    records, index = [], 0
    while index < len(ids):
        num_drafted = 4 if accepted and index == 1 else 0
        count = accepted + 1 if num_drafted else 1
        emitted = tuple(ids[index : index + count])
        spans = tuple(TextSpan(i, 1, texts[i]) for i in range(index, index + count) if texts)
        won = None if margins is None else tuple(margins[index : index + count])
        step = len(records)
        rollback = config.rollback if accepted < num_drafted else None
        record = _record(step, emitted, num_drafted, rollback, seconds)
        records.append(replace(record, position=2 + index, spans=spans, margins=won))
        index += count
    tally = Tally(prompt_tokens, reused)
    for record in records:
        tally.add(record)
    finished = Finished(1, "max_tokens", tally.snapshot(), tally.health(config))
    started = Started(1, "demo", config, (1, 2), reused, 0, 0.1)
    changes = () if stood_down is None else (SpeculationChanged(1, False, stood_down),)
    return Reply(started, tuple(records), finished, notices, changes)


def _record(
    index: int,
    emitted: tuple[int, ...],
    num_drafted: int,
    rollback: Strategy | None,
    seconds: float,
) -> StepRecord:
    accepted = len(emitted) - 1
    kept: Origin = "replayed" if rollback in ("replay", "carry", "local") else "accepted"
    own: Origin = "corrected" if accepted < num_drafted else "bonus"
    rolled_back = seconds / 10 if num_drafted else 0.0
    return StepRecord(
        index=index,
        position=2,
        pending=(1,),
        draft=tuple(range(num_drafted)),
        excluded=0,
        match=None,
        accepted=accepted,
        dropped=0,
        emitted=emitted,
        origins=(*[kept] * accepted, own) if num_drafted else ("generated",),
        rollback=rollback,
        num_replayed=0,
        forwards=1,
        guarded=0,
        seconds=PhaseSeconds(seconds / 10, seconds * 0.9 - rolled_back, rolled_back),
        time=index * seconds,
    )


Answer = Callable[[GenerationRequest, bool], Reply]


class ScriptedSession(Session):
    """A session with no worker: `answer` turns (request, is_reference) into a reply."""

    def __init__(self, answer: Answer, info: ModelInfo = INFO, probe: Probe = PROBE) -> None:
        self.requests: list[tuple[GenerationRequest, bool]] = []
        self.num_probes = 0
        self._answer = answer
        self._info = info
        self._probe = probe

    def load(self, name: str) -> ModelInfo:
        return replace(self._info, name=name)

    def reply(self, request: GenerationRequest, *, is_reference: bool = False, **_: Any) -> Reply:
        self.requests.append((request, is_reference))
        return self._answer(request, is_reference)

    def probe(self) -> Probe:
        self.num_probes += 1
        return self._probe

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass
