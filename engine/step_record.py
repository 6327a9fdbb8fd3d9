"""What a step was: the record that an event carries, a trace stores and every number comes from."""

from dataclasses import dataclass
from typing import Literal

from engine.request import DrafterName

Origin = Literal["generated", "accepted", "replayed", "corrected", "bonus"]
Strategy = Literal["trim", "discard", "replay", "carry", "local"]


ORIGINS: tuple[Origin, ...] = ("generated", "accepted", "replayed", "corrected", "bonus")


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Text that became printable, and the reply tokens `first .. first + num_tokens - 1` it is.

    Token is not text: bytes of an incomplete character are held back, so one span may stand for
    several tokens; the stop token has a span with no text.
    """

    first: int
    num_tokens: int
    text: str


@dataclass(frozen=True, slots=True)
class PhaseSeconds:
    """Wall-clock seconds of a step's phases, one after the other.

    `emit` is turning ids into text and writing the record. What is left of the time between two
    steps is not the step's own: handing the record over, and waiting while the interface runs.
    """

    draft: float
    verify: float
    rollback: float
    emit: float = 0.0

    @property
    def total(self) -> float:
        """The step's own time."""
        return self.draft + self.verify + self.rollback + self.emit


@dataclass(frozen=True, slots=True)
class LengthChoice:
    """Why a step drafted as much as it did: the lengths were compared by expected tokens a second.

    Of `available` proposed tokens `length` were taken (0: a plain step); the first is right with
    the probability `chance`. `expected` is the mean number of tokens such a step emits, `cost` what
    its forward takes in plain steps; it pays where expected / cost is above 1. `plain_seconds` is
    what a plain step was known to take then.
    """

    available: int
    length: int
    chance: float
    expected: float
    cost: float
    plain_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step: what was proposed, what the target said, what was emitted, what it cost.

    `position` is the context length before the step (cached + pending); `pending` the emitted
    tokens that ran in front of the draft; `draft` what was verified, and `excluded` how many
    proposed tokens the filter cut, so drafted = len(draft) + excluded. `match` is (start, length)
    in the context of the n-gram whose continuation was copied. `accepted` counts drafts that
    matched and were emitted; `dropped` what had matched but was thrown away (discard). `emitted`
    and `origins` go together.
    `rollback` is the strategy that undid rejected drafts, None where nothing had to be undone.
    `num_replayed` counts tokens rerun, pending included. `guarded` counts near-ties that the block
    was not allowed to decide. `time` is seconds from the start of the request to the emission.
    `drafter` names what proposed the draft, and `choice` says why it is as long as it is; None
    where nothing was proposed or the length is fixed. `cut` are the proposed tokens that the filter
    cut. `copied` are runs (start, length) of the context that the draft's tokens were copied from,
    in order; start -1: tokens no place has, because an edit made before is made again. `words` has
    (id, text) of every id the run mentions here for the first time. If asked: `logprobs`,
    `alternatives` (id, log-probability), and `margins`, by how many logits each emitted token won
    its draw.
    """

    index: int
    position: int
    pending: tuple[int, ...]
    draft: tuple[int, ...]
    excluded: int
    match: tuple[int, int] | None
    accepted: int
    dropped: int
    emitted: tuple[int, ...]
    origins: tuple[Origin, ...]
    rollback: Strategy | None
    num_replayed: int
    forwards: int
    guarded: int
    seconds: PhaseSeconds
    time: float
    spans: tuple[TextSpan, ...] = ()
    logprobs: tuple[float, ...] | None = None
    alternatives: tuple[tuple[tuple[int, float], ...], ...] | None = None
    margins: tuple[float, ...] | None = None
    drafter: DrafterName | None = None
    choice: LengthChoice | None = None
    cut: tuple[int, ...] = ()
    copied: tuple[tuple[int, int], ...] = ()
    words: tuple[tuple[int, str], ...] = ()

    def interface_seconds(self, previous_time: float) -> float:
        """Seconds between the step before, told at `previous_time`, and this one's own phases.

        That record was handed over in them, and the interpreter was shared with the interface.
        """
        return max(0.0, self.time - previous_time - self.seconds.total)
