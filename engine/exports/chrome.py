"""A trace in Chrome's trace event format: one track for each phase, and the speed as a counter.

chrome://tracing and ui.perfetto.dev open it. Times are in microseconds from the start of the
request, to the nanosecond. Phases follow one another, so no two slices overlap, on one track or on
several. Where a step's own phases are longer than the time since the step before (they are not, on
any machine with one clock), what follows is moved back by as much.
"""

from collections import deque
from typing import Any

from engine.events import SpeculationChanged
from engine.spelling import spelled
from engine.step_record import StepRecord
from engine.trace import Trace

TRACKS = ("prefill", "interface", "draft", "verify", "roll back", "emit")
SPEED_WINDOW_SECONDS = 1.0
_PROCESS = 1


def chrome_trace(trace: Trace) -> dict[str, Any]:
    """The trace as the JSON object that such a file holds."""
    timeline = _Timeline(trace.started.prefill_seconds)
    events = [_name("process_name", 0, f"Draftscope: {trace.started.model}")]
    for number, track in enumerate(TRACKS, start=1):
        events.append(_name("thread_name", number, track))
        events.append(_metadata("thread_sort_index", number, {"sort_index": number}))
    facts = {"tokens": len(trace.started.prompt_ids), "reused": trace.started.reused}
    events += timeline.slice("prefill", trace.started.prefill_seconds, "prefill", facts)
    ends = [timeline.now]
    for step in trace.steps:
        events += timeline.step(step)
        ends.append(timeline.now)
    events += _asides(trace, ends)
    config = trace.started.config
    other = {"model": trace.started.model, "device": config.device, "speculation": config.reason}
    result = {"displayTimeUnit": "ms", "otherData": other, "traceEvents": events}
    plain: dict[str, Any] = spelled(result)
    return plain


def _asides(trace: Trace, ends: list[int]) -> list[dict[str, Any]]:
    """What was said between the steps, as marks over all tracks."""
    marks = []
    for number, aside in trace.asides:
        name, args = "notice", {}
        if isinstance(aside, SpeculationChanged):
            name = "speculation on" if aside.active else "speculation paused"
            args = {"reason": aside.reason}
        else:
            args = {"sentence": aside.sentence}
        place = {"ph": "i", "s": "p", "pid": _PROCESS, "tid": 1}
        moment = ends[min(number, len(ends) - 1)]
        marks.append(place | {"name": name, "ts": moment / 1000, "args": args})
    return marks


class _Timeline:
    """Lays phases one after the other, in whole nanoseconds."""

    def __init__(self, prefill_seconds: float) -> None:
        self.now = 0
        self._time = prefill_seconds
        self._recent: deque[tuple[float, int]] = deque()

    def slice(
        self, track: str, seconds: float, name: str, args: dict[str, Any]
    ) -> list[dict[str, Any]]:
        """A slice of this length from now on; none where a phase took no time."""
        begin, self.now = self.now, self.now + round(seconds * 1e9)
        if self.now == begin:
            return []
        place = {"ph": "X", "cat": track, "pid": _PROCESS, "tid": TRACKS.index(track) + 1}
        span = {"ts": begin / 1000, "dur": (self.now - begin) / 1000}
        return [place | {"name": name} | span | {"args": args}]

    def step(self, record: StepRecord) -> list[dict[str, Any]]:
        """The phases of a step, what lay before them, and the speed after it."""
        seconds, name, facts = record.seconds, f"step {record.index + 1}", _facts(record)
        events = self.slice("interface", record.interface_seconds(self._time), name, {})
        events += self.slice("draft", seconds.draft, name, _draft_facts(record))
        events += self.slice("verify", seconds.verify, name, facts)
        events += self.slice("roll back", seconds.rollback, name, {"rollback": record.rollback})
        events += self.slice("emit", seconds.emit, name, {"text": facts["text"]})
        self._time = record.time
        return events + self._speed(record)

    def _speed(self, record: StepRecord) -> list[dict[str, Any]]:
        """Tokens per second over the last second, as the window shows it."""
        recent = self._recent
        recent.append((record.time, len(record.emitted)))
        while len(recent) > 2 and record.time - recent[0][0] > SPEED_WINDOW_SECONDS:
            recent.popleft()
        span = record.time - recent[0][0]
        if span <= 0:
            return []
        # Tokens of the first step in the window were made before the span began.
        tokens = sum(count for _, count in recent) - recent[0][1]
        head = {"ph": "C", "name": "tok/s", "pid": _PROCESS, "tid": 0, "ts": self.now / 1000}
        return [head | {"args": {"tok/s": tokens / span}}]


def _facts(record: StepRecord) -> dict[str, Any]:
    return {
        "index": record.index,
        "time": record.time,
        "position": record.position,
        "pending": len(record.pending),
        "verified": len(record.draft),
        "accepted": record.accepted,
        "emitted": len(record.emitted),
        "origins": list(record.origins),
        "forwards": record.forwards,
        "replayed": record.num_replayed,
        "guarded": record.guarded,
        "text": "".join(span.text for span in record.spans),
    }


def _draft_facts(record: StepRecord) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "drafter": record.drafter,
        "drafted": len(record.draft) + record.excluded,
        "excluded": record.excluded,
        "match": record.match,
    }
    if record.choice is not None:
        facts |= {"chance": record.choice.chance, "expected": record.choice.expected}
        facts |= {"cost": record.choice.cost}
    return facts


def _name(kind: str, track: int, name: str) -> dict[str, Any]:
    return _metadata(kind, track, {"name": name})


def _metadata(kind: str, track: int, args: dict[str, Any]) -> dict[str, Any]:
    return {"ph": "M", "name": kind, "pid": _PROCESS, "tid": track, "args": args}
