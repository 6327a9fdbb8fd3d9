"""A step in time: its phases, one after the other, with what each of them is.

A step's time runs from the emission before it to its own. First in it comes what is not the step's
doing: handing the last record over, and waiting while the interface runs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from app.models.reply import Reply
from engine import StepRecord, Strategy

PhaseName = Literal["interface", "draft", "verify", "rollback", "emit"]

PHASES: tuple[PhaseName, ...] = ("interface", "draft", "verify", "rollback", "emit")
LABELS: dict[PhaseName, str] = {
    "interface": "interface",
    "draft": "draft",
    "verify": "verify",
    "rollback": "roll back",
    "emit": "emit",
}
MEANINGS: dict[PhaseName, str] = {
    "interface": "before the step: handing the last record over, and waiting while the window runs",
    "draft": "looking up a continuation in the text so far, and choosing how much of it to verify",
    "verify": "the forward pass over the pending tokens and the draft, and the model's choices",
    "rollback": "moving the caches to where the text will be",
    "emit": "turning ids into text, and writing the step's record",
}
STRATEGIES: dict[Strategy, str] = {
    "trim": "trim: the rejected positions were dropped from the caches",
    "discard": "discard: the caches went back, and what had matched was thrown away",
    "replay": "replay: the caches went back, and the accepted tokens were run again",
    "carry": "carry: the caches went back; accepted tokens ride in front of the next forward",
    "local": "local: attention was trimmed, each recurrence rerun alone over the accepted tokens",
}


@dataclass(frozen=True, slots=True)
class PhaseSpan:
    """A phase from `start`, counted from the beginning of the step's time, in seconds."""

    name: PhaseName
    start: float
    seconds: float
    strategy: Strategy | None = None

    @property
    def label(self) -> str:
        """Its name; that of rolling back says how."""
        name = LABELS[self.name]
        return f"{name} · {self.strategy}" if self.strategy is not None else name

    @property
    def meaning(self) -> str:
        """What is done in it."""
        if self.strategy is not None:
            return f"{MEANINGS[self.name]}. {STRATEGIES[self.strategy]}"
        return MEANINGS[self.name]


def previous_time(reply: Reply, index: int) -> float:
    """When the step before was emitted; before the first one, when prefill was done."""
    if index > 0:
        return reply.log[index - 1].time
    return reply.started.prefill_seconds if reply.started is not None else 0.0


def spans(record: StepRecord, previous: float) -> tuple[PhaseSpan, ...]:
    """The phases of a step in the order in which they happened."""
    seconds = record.seconds
    durations: dict[PhaseName, float] = {
        "interface": record.interface_seconds(previous),
        "draft": seconds.draft,
        "verify": seconds.verify,
        "rollback": seconds.rollback,
        "emit": seconds.emit,
    }
    result, start = [], 0.0
    for name in PHASES:
        strategy = record.rollback if name == "rollback" else None
        result.append(PhaseSpan(name, start, durations[name], strategy))
        start += durations[name]
    return tuple(result)


def shares(phase_seconds: Mapping[str, float]) -> dict[PhaseName, float]:
    """Which part of the time went into each phase; nothing where no time has passed."""
    total = sum(phase_seconds.values())
    return {name: phase_seconds.get(name, 0.0) / total for name in PHASES} if total > 0 else {}


def duration(seconds: float) -> str:
    """Seconds as read beside a bar: 0.03 ms, 41.2 ms, 1.25 s."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    milliseconds = seconds * 1000
    return f"{milliseconds:.1f} ms" if milliseconds >= 10 else f"{milliseconds:.2f} ms"
