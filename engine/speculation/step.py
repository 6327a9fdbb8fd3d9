"""One step of a reply, as five verbs in order: draft, verify, accept, roll back, emit.

    a block step    one forward over pending + draft; accepted + 1 tokens (less at a stop)
    a plain step    one forward over one pending token, pipelined where nothing is drafted
    alone           after the guard: a near-tie's token from a forward of just the one before it

Every forward emits at least one token, except the second forward of the `replay` rollback and those
of a guarded step. The step owns no state beside "how long was nothing drafted" and "is a near-tie
left over": text and caches are the context's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import mlx.core as mx

from engine.account import EffectiveConfig
from engine.events import StopReason
from engine.model.detokenize import Detokenizer
from engine.model.local.rollback import LocalRollback
from engine.model.sampling import TargetLaw
from engine.model.words import WordBook
from engine.speculation.accept import Acceptance, accept
from engine.speculation.close_up import CloseUps
from engine.speculation.context import Context
from engine.speculation.draft import NO_DRAFT, Draft, Drafter
from engine.speculation.emit import NOTHING_ROLLED_BACK, Emitter, Outcome, Timer
from engine.speculation.guard import Guard
from engine.speculation.pacing import MAX_DRAFT_LENGTH, Pacing
from engine.speculation.plain import PlainLane
from engine.speculation.rollback import Rollback
from engine.speculation.verify import Target, Verdict, forward, verify
from engine.step_record import LengthChoice, StepRecord

# Steps without a draft before plain steps are pipelined: a queued forward delays the next draft.
IDLE_BEFORE_PIPELINE = 2


@dataclass(frozen=True, slots=True)
class Speculation:
    """What a reply speculates with.

    `drafter` None decodes plainly; `pacing` None drafts always, at the fixed length; `guard` None
    lets a block decide every token; `local` None means local rollback is not to be had.
    """

    drafter: Drafter | None = None
    pacing: Pacing | None = None
    guard: Guard | None = None
    local: LocalRollback | None = None


class Stepper:
    """Runs the steps of one reply."""

    def __init__(
        self,
        target: Target,
        context: Context,
        law: TargetLaw,
        config: EffectiveConfig,
        detokenizer: Detokenizer,
        speculation: Speculation,
        words: WordBook,
        num_alternatives: int = 0,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self._target = target
        self._context = context
        self._law = law
        self._config = config
        self._detokenizer = detokenizer
        self._drafter = speculation.drafter
        self._pacing = speculation.pacing
        self._guard = speculation.guard
        self._local = speculation.local
        self._clock = clock
        self._excluded_ids = frozenset(config.excluded_ids)
        self._close_ups = CloseUps(law, num_alternatives)
        self._plain = PlainLane(target, context, law, self._close_ups)
        self._emitter = Emitter(context, detokenizer, words, clock)
        self._num_idle = 0
        self._is_near_tie = False

    def step(self, room: int) -> tuple[StepRecord, StopReason | None]:
        """Emit 1 to `room` tokens. The record, and why the reply ends here if it does."""
        start = self._clock()
        draft, choice = self._draft(room)
        drafted = self._clock()
        if self._plain.is_queued or (not draft.tokens and len(self._context.pending) == 1):
            outcome = self._plain_step(draft, choice, room, start, drafted)
        elif self._is_near_tie:
            outcome = self._lone_step(choice, start, drafted)
        else:
            outcome = self._block_step(draft, choice, start, drafted)
        acceptance = outcome.acceptance
        self._is_near_tie = acceptance.is_guarded and acceptance.accepted > 0
        record = self._emitter.emit(outcome)
        if self._drafter is not None:
            self._drafter.extend(record.emitted)
        return record, acceptance.stop

    def stop_drafting(self) -> None:
        """Decode plainly from here on."""
        self._drafter = None

    def close(self) -> None:
        """End the reply: the caches hold no more than the text."""
        self._plain.undo()

    def _draft(self, room: int) -> tuple[Draft, LengthChoice | None]:
        if self._drafter is None or self._is_near_tie:
            return NO_DRAFT, None
        config, pacing = self._config, self._pacing
        if pacing is None:
            wanted = min(config.draft_length or 0, room - 1)
            return self._drafter.propose(wanted).cut_at(self._excluded_ids), None
        num_pending = max(1, len(self._context.pending))
        flush = config.pending_limit is not None and num_pending > config.pending_limit
        if flush or pacing.is_resting:
            return NO_DRAFT, None
        proposed = self._drafter.propose(min(MAX_DRAFT_LENGTH, room - 1))
        if not proposed.tokens:
            return NO_DRAFT, None
        choice = pacing.choose(proposed, num_pending)
        if choice.length == 0:
            return NO_DRAFT, choice
        draft = replace(proposed, tokens=proposed.tokens[: choice.length])
        return draft.cut_at(self._excluded_ids), choice

    def _block_step(
        self, draft: Draft, choice: LengthChoice | None, start: float, drafted: float
    ) -> Outcome:
        context, config = self._context, self._config
        pending = tuple(context.pending)
        block = (*pending, *draft.tokens)
        rollback = Rollback(
            context.caches,
            config.rollback or "carry",
            len(pending),
            len(draft.tokens),
            replay=config.replay,
            local=self._local,
        )
        margin = self._guard.margin(len(block)) if self._guard is not None else 0.0
        with rollback.watching():
            verdict = verify(
                self._target, context, draft.tokens, self._law, self._close_ups, margin
            )
        verified = self._clock()
        acceptance = accept(
            draft.tokens,
            verdict.choices,
            self._detokenizer.scan,
            keep_partial=rollback.strategy != "discard",
            num_decided=verdict.num_decided,
        )
        cost = rollback.apply(acceptance, self._rerun, block)
        close_up, forwards = verdict.close_up, 1
        rolled_back = self._clock()
        if acceptance.is_guarded and acceptance.accepted == 0:
            alone, more = self._decide_alone()
            emitted, stop = self._scanned(alone)
            acceptance = replace(acceptance, emitted=emitted, stop=stop)
            close_up, forwards = alone.close_up, forwards + more
            verified += self._clock() - rolled_back
        timer = Timer(start, drafted, verified, self._clock())
        num_forwards = forwards + cost.forwards
        self._observe(draft, acceptance, len(block), timer.rolled_back - start, num_forwards)
        return Outcome(draft, choice, pending, acceptance, cost, forwards, timer, close_up)

    def _plain_step(
        self, draft: Draft, choice: LengthChoice | None, room: int, start: float, drafted: float
    ) -> Outcome:
        pending = (self._context.tokens[-1],)
        if draft.tokens:
            # What is queued is taken first; the draft is looked up again at the next step.
            draft, choice = NO_DRAFT, None
            self._num_idle = 0
        else:
            self._num_idle += 1
        verdict = self._plain.step(queue_next=room > 1 and self._may_pipeline)
        timer = Timer(start, drafted, verified := self._clock(), verified)
        emitted, stop = self._scanned(verdict)
        if self._pacing is not None:
            self._pacing.observe_plain(1, verified - start)
        acceptance = Acceptance(0, 0, 0, emitted, stop)
        rolled_back, close_up = NOTHING_ROLLED_BACK, verdict.close_up
        return Outcome(draft, choice, pending, acceptance, rolled_back, 1, timer, close_up)

    def _lone_step(self, choice: LengthChoice | None, start: float, drafted: float) -> Outcome:
        pending = tuple(self._context.pending)
        verdict, forwards = self._decide_alone()
        timer = Timer(start, drafted, verified := self._clock(), verified)
        emitted, stop = self._scanned(verdict)
        acceptance = Acceptance(0, 0, 0, emitted, stop)
        rolled_back, close_up = NOTHING_ROLLED_BACK, verdict.close_up
        return Outcome(
            NO_DRAFT, choice, pending, acceptance, rolled_back, forwards, timer, close_up
        )

    def _decide_alone(self) -> tuple[Verdict, int]:
        """The next token from a forward of one token, and how many forwards that took."""
        lead = self._context.pending[:-1]
        if lead:
            self._rerun(lead)
        verdict = verify(self._target, self._context, (), self._law, self._close_ups)
        return verdict, 2 if lead else 1

    def _scanned(self, verdict: Verdict) -> tuple[tuple[int, ...], StopReason | None]:
        num_emitted, stop = self._detokenizer.scan(verdict.choices)
        return tuple(verdict.choices[:num_emitted]), stop

    def _observe(
        self, draft: Draft, acceptance: Acceptance, width: int, seconds: float, forwards: int
    ) -> None:
        if draft.tokens:
            self._num_idle = 0
        else:
            self._num_idle += 1
        if self._pacing is None:
            return
        if draft.tokens:
            self._pacing.observe_draft(
                draft,
                acceptance.accepted,
                num_emitted=len(acceptance.emitted),
                width=width,
                seconds=seconds,
                forwards=forwards,
            )
        else:
            self._pacing.observe_plain(width, seconds)

    @property
    def _may_pipeline(self) -> bool:
        if self._drafter is None:
            return True
        if self._pacing is None:
            return False
        return not self._pacing.is_active or self._num_idle > IDLE_BEFORE_PIPELINE

    def _rerun(self, tokens: Sequence[int]) -> None:
        caches = self._context.caches
        forward(self._target, caches, mx.array(list(tokens)))
        caches.evaluate()
