"""The last verb of a step: grow the text, turn ids into spans, and write the step's record."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from engine.model.detokenize import Detokenizer
from engine.model.words import WordBook
from engine.speculation.accept import Acceptance
from engine.speculation.close_up import CloseUp
from engine.speculation.context import Context
from engine.speculation.draft import Draft, runs_within
from engine.speculation.rollback import RollbackCost
from engine.step_record import LengthChoice, PhaseSeconds, StepRecord

NOTHING_ROLLED_BACK = RollbackCost()


@dataclass(frozen=True, slots=True)
class Timer:
    """Marks between the verbs, from one clock."""

    start: float
    drafted: float
    verified: float
    rolled_back: float

    def phases(self, emitted: float) -> PhaseSeconds:
        """The durations between the marks, the last of which is now."""
        return PhaseSeconds(
            draft=self.drafted - self.start,
            verify=self.verified - self.drafted,
            rollback=self.rolled_back - self.verified,
            emit=emitted - self.rolled_back,
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything a step found out: what was drafted and why, what the target said, what it cost.

    `close_up` has more on the emitted tokens, where that was asked for.
    """

    draft: Draft
    choice: LengthChoice | None
    pending: tuple[int, ...]
    acceptance: Acceptance
    cost: RollbackCost
    forwards: int
    timer: Timer
    close_up: CloseUp | None


class Emitter:
    """Writes the records of one reply, in order."""

    def __init__(
        self,
        context: Context,
        detokenizer: Detokenizer,
        words: WordBook,
        clock: Callable[[], float],
    ) -> None:
        self._context = context
        self._detokenizer = detokenizer
        self._words = words
        self._clock = clock
        self._origin = clock()
        self._indices = count()

    def emit(self, outcome: Outcome) -> StepRecord:
        """Grow the text by what the step emits; the step's record."""
        acceptance, cost, draft = outcome.acceptance, outcome.cost, outcome.draft
        position = self._context.position
        self._context.emit(acceptance.emitted)
        logprobs = alternatives = margins = None
        if outcome.close_up is not None:
            logprobs, alternatives, margins = outcome.close_up.read(len(acceptance.emitted))
        spans = self._detokenizer.feed(acceptance.emitted)
        others = (token for row in alternatives or () for token, _ in row)
        words = self._words.news((*draft.tokens, *draft.cut, *acceptance.emitted, *others))
        now = self._clock()
        return StepRecord(
            index=next(self._indices),
            position=position,
            pending=outcome.pending,
            draft=draft.tokens,
            excluded=draft.excluded,
            match=draft.match,
            accepted=acceptance.accepted,
            dropped=acceptance.dropped,
            emitted=acceptance.emitted,
            origins=acceptance.origins(cost.strategy),
            rollback=cost.strategy,
            num_replayed=cost.num_replayed,
            forwards=outcome.forwards + cost.forwards,
            guarded=int(acceptance.is_guarded),
            seconds=outcome.timer.phases(now),
            time=now - self._origin,
            spans=spans,
            logprobs=logprobs,
            alternatives=alternatives,
            margins=margins,
            drafter=draft.drafter,
            choice=outcome.choice,
            cut=draft.cut,
            copied=runs_within(draft.copied, len(draft.tokens) + len(draft.cut)),
            words=words,
        )
