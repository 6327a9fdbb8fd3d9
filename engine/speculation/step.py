"""One step of a reply, as five verbs in order: draft, verify, accept, roll back, emit.

    a step with a draft     one forward over pending + draft; accepted + 1 tokens (less at a stop)
    a step without          one forward over pending; one token, pipelined where nothing is drafted

Every forward emits at least one token, except the second forward of the `replay` rollback. The step
owns no state of its own beside "how long was nothing drafted": text and caches are the context's.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import cast

import mlx.core as mx

from engine.events import EffectiveConfig, PhaseSeconds, StepRecord, StopReason
from engine.model.detokenize import Detokenizer
from engine.model.sampling import TargetLaw
from engine.speculation.accept import Acceptance, accept
from engine.speculation.context import Context
from engine.speculation.draft import NO_DRAFT, Draft, Drafter
from engine.speculation.pacing import MAX_DRAFT_LENGTH, Pacing
from engine.speculation.plain import PlainLane
from engine.speculation.rollback import Rollback, RollbackCost
from engine.speculation.verify import Target, forward, verify

# Steps without a draft before plain steps are pipelined: a queued forward delays the next draft.
IDLE_BEFORE_PIPELINE = 2


@dataclass(frozen=True, slots=True)
class _Timer:
    """Marks between the verbs, from one clock."""

    start: float
    drafted: float
    verified: float
    rolled_back: float

    @property
    def phases(self) -> PhaseSeconds:
        return PhaseSeconds(
            draft=self.drafted - self.start,
            verify=self.verified - self.drafted,
            rollback=self.rolled_back - self.verified,
        )


class Stepper:
    """Runs the steps of one reply. `drafter` None decodes plainly; `pacing` None drafts always."""

    def __init__(
        self,
        target: Target,
        context: Context,
        law: TargetLaw,
        config: EffectiveConfig,
        detokenizer: Detokenizer,
        *,
        drafter: Drafter | None,
        pacing: Pacing | None,
        num_alternatives: int = 0,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self._target = target
        self._context = context
        self._law = law
        self._config = config
        self._detokenizer = detokenizer
        self._drafter = drafter
        self._pacing = pacing
        self._num_alternatives = num_alternatives
        self._clock = clock
        self._origin = clock()
        self._excluded_ids = frozenset(config.excluded_ids)
        self._plain = PlainLane(target, context, law)
        self._num_steps = 0
        # A reply begins idle: until something is drafted, its steps are plain decoding's steps.
        self._num_idle = IDLE_BEFORE_PIPELINE

    def step(self, room: int) -> tuple[StepRecord, StopReason | None]:
        """Emit 1 to `room` tokens. The record, and why the reply ends here if it does."""
        start = self._clock()
        draft = self._draft(room)
        drafted = self._clock()
        if draft.tokens and not self._plain.is_queued:
            return self._speculative_step(draft, start, drafted)
        return self._plain_step(draft, room, start, drafted)

    def stop_drafting(self) -> None:
        """Decode plainly from here on."""
        self._drafter = None

    def close(self) -> None:
        """End the reply: the caches hold no more than the text."""
        self._plain.undo()

    def _draft(self, room: int) -> Draft:
        if self._drafter is None:
            return NO_DRAFT
        config, pacing = self._config, self._pacing
        if pacing is None:
            wanted = min(config.draft_length or 0, room - 1)
            return self._drafter.propose(wanted).cut_at(self._excluded_ids)
        num_pending = max(1, len(self._context.pending))
        flush = config.pending_limit is not None and num_pending > config.pending_limit
        if flush or pacing.is_resting:
            return NO_DRAFT
        proposed = self._drafter.propose(min(MAX_DRAFT_LENGTH, room - 1))
        if not proposed.tokens:
            return NO_DRAFT
        length = pacing.length(_match_length(proposed), num_pending, len(proposed.tokens))
        if length == 0:
            return NO_DRAFT
        return replace(proposed, tokens=proposed.tokens[:length]).cut_at(self._excluded_ids)

    def _speculative_step(
        self, draft: Draft, start: float, drafted: float
    ) -> tuple[StepRecord, StopReason | None]:
        context = self._context
        pending = tuple(context.pending)
        rollback = Rollback(
            context.caches,
            self._config.rollback or "carry",
            len(pending),
            len(draft.tokens),
            replay=self._config.replay,
        )
        choices, scores = verify(self._target, context, draft.tokens, self._law)
        verified = self._clock()
        outcome = accept(
            draft.tokens,
            choices,
            self._detokenizer.scan,
            keep_partial=rollback.strategy != "discard",
        )
        cost = rollback.apply(outcome, lambda accepted: self._rerun([*pending, *accepted]))
        timer = _Timer(start, drafted, verified, self._clock())
        self._num_idle = 0
        if self._pacing is not None:
            self._pacing.observe_speculative(
                _match_length(draft),
                outcome.accepted,
                len(draft.tokens),
                len(pending) + len(draft.tokens),
                timer.rolled_back - start,
            )
        return self._emit(draft, pending, outcome, cost, timer, scores), outcome.stop

    def _plain_step(
        self, draft: Draft, room: int, start: float, drafted: float
    ) -> tuple[StepRecord, StopReason | None]:
        context = self._context
        was_queued = self._plain.is_queued
        pending = (context.tokens[-1],) if was_queued else tuple(context.pending)
        if draft.tokens:
            draft = NO_DRAFT
            self._num_idle = 0
        else:
            self._num_idle += 1
        choices, scores = self._plain.step(queue_next=room > 1 and self._may_pipeline)
        verified = self._clock()
        num_emitted, stop = self._detokenizer.scan(choices)
        outcome = Acceptance(0, 0, 0, tuple(choices[:num_emitted]), stop)
        if self._pacing is not None:
            self._pacing.observe_plain(len(pending), verified - start)
        timer = _Timer(start, drafted, verified, verified)
        return self._emit(draft, pending, outcome, RollbackCost(), timer, scores), stop

    @property
    def _may_pipeline(self) -> bool:
        if self._drafter is None:
            return True
        if self._pacing is None:
            return False
        return not self._pacing.is_active or self._num_idle > IDLE_BEFORE_PIPELINE

    def _rerun(self, tokens: list[int]) -> None:
        caches = self._context.caches
        forward(self._target, caches, mx.array(tokens))
        caches.evaluate()

    def _emit(
        self,
        draft: Draft,
        pending: tuple[int, ...],
        outcome: Acceptance,
        cost: RollbackCost,
        timer: _Timer,
        scores: mx.array,
    ) -> StepRecord:
        context = self._context
        position = context.position
        context.emit(outcome.emitted)
        if self._drafter is not None:
            self._drafter.extend(outcome.emitted)
        logprobs, alternatives = self._alternatives(outcome.emitted, scores)
        record = StepRecord(
            index=self._num_steps,
            position=position,
            pending=pending,
            draft=draft.tokens,
            excluded=draft.excluded,
            match=draft.match,
            accepted=outcome.accepted,
            dropped=outcome.dropped,
            emitted=outcome.emitted,
            origins=outcome.origins(cost.strategy),
            rollback=cost.strategy,
            num_replayed=cost.num_replayed,
            forwards=1 + cost.forwards,
            guarded=0,
            seconds=timer.phases,
            time=self._clock() - self._origin,
            spans=self._detokenizer.feed(outcome.emitted),
            logprobs=logprobs,
            alternatives=alternatives,
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
        order = mx.argsort(-logprobs, axis=-1)[:, : self._num_alternatives]
        top = mx.take_along_axis(logprobs, order, axis=-1)
        own = mx.take_along_axis(logprobs, mx.array(emitted)[:, None], axis=-1)[:, 0]
        ids, chances = cast(list[list[int]], order.tolist()), cast(list[list[float]], top.tolist())
        rows_of_pairs = (tuple(zip(*row, strict=True)) for row in zip(ids, chances, strict=True))
        return tuple(cast(list[float], own.tolist())), tuple(rows_of_pairs)


def _match_length(draft: Draft) -> int:
    return draft.match[1] if draft.match is not None else 0
