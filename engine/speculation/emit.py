"""The last verb of a step: grow the text, turn ids into spans, and write the step's record."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import mlx.core as mx

from engine.model.detokenize import Detokenizer
from engine.model.sampling import TargetLaw
from engine.model.words import WordBook
from engine.speculation.accept import Acceptance
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

    `scores` [at least the emitted tokens, vocabulary] are what these were drawn from.
    """

    draft: Draft
    choice: LengthChoice | None
    pending: tuple[int, ...]
    acceptance: Acceptance
    cost: RollbackCost
    forwards: int
    timer: Timer
    scores: mx.array


class Emitter:
    """Writes the records of one reply, in order."""

    def __init__(
        self,
        context: Context,
        law: TargetLaw,
        detokenizer: Detokenizer,
        words: WordBook,
        num_alternatives: int,
        clock: Callable[[], float],
    ) -> None:
        self._context = context
        self._law = law
        self._detokenizer = detokenizer
        self._words = words
        self._num_alternatives = num_alternatives
        self._clock = clock
        self._origin = clock()
        self._num_steps = 0

    def emit(self, outcome: Outcome) -> StepRecord:
        """Grow the text by what the step emits; the step's record."""
        acceptance, cost, draft = outcome.acceptance, outcome.cost, outcome.draft
        position = self._context.position
        self._context.emit(acceptance.emitted)
        logprobs, alternatives = self._alternatives(acceptance.emitted, outcome.scores)
        margins = self._margins(acceptance.emitted, outcome.scores, position)
        spans = self._detokenizer.feed(acceptance.emitted)
        others = (token for row in alternatives or () for token, _ in row)
        words = self._words.news((*draft.tokens, *draft.cut, *acceptance.emitted, *others))
        now = self._clock()
        record = StepRecord(
            index=self._num_steps,
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
        self._num_steps += 1
        return record

    def _alternatives(
        self, emitted: tuple[int, ...], scores: mx.array
    ) -> tuple[tuple[float, ...], tuple[tuple[tuple[int, float], ...], ...]] | tuple[None, None]:
        if self._num_alternatives == 0:
            return None, None
        rows = scores[: len(emitted)]
        logprobs = rows - mx.logsumexp(rows, axis=-1, keepdims=True)
        most = min(self._num_alternatives, logprobs.shape[-1])
        # The most likely ones in any order first: sorting a whole vocabulary takes longer.
        some = mx.argpartition(-logprobs, most - 1, axis=-1)[:, :most]
        some = mx.take_along_axis(
            some, mx.argsort(-mx.take_along_axis(logprobs, some, axis=-1), axis=-1), axis=-1
        )
        order = some
        top = mx.take_along_axis(logprobs, order, axis=-1)
        own = mx.take_along_axis(logprobs, mx.array(emitted)[:, None], axis=-1)[:, 0]
        ids, chances = cast(list[list[int]], order.tolist()), cast(list[list[float]], top.tolist())
        rows_of_pairs = (tuple(zip(*row, strict=True)) for row in zip(ids, chances, strict=True))
        return tuple(cast(list[float], own.tolist())), tuple(rows_of_pairs)

    def _margins(
        self, emitted: tuple[int, ...], scores: mx.array, position: int
    ) -> tuple[float, ...] | None:
        if self._num_alternatives == 0:
            return None
        leads = self._law.leads(scores[: len(emitted)], position, 0.0)
        return tuple(cast(list[float], leads.tolist()))
