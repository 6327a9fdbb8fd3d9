"""A reply from request to last event: prefill, then steps until a stop.

    check   the request against the model          raises, nothing has run yet
    take    the caches of an earlier reply, as far as they hold this prompt
    prefill what they lack of it, but the last token, in chunks, cancellable between them
    decode  steps (see `speculation.step`), cancellable between them
    finish  undo what ran ahead, keep the caches, let held-back text go, count

Text and caches are owned here for the length of one reply; what leaves are events, and the caches,
for the next one (`model.prefix`). An exception leaves with the caches: they are in no known state.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from time import perf_counter

import mlx.core as mx

from engine.account import Kept
from engine.errors import RollbackError
from engine.events import (
    Event,
    Finished,
    Notice,
    PrefillProgress,
    SpeculationChanged,
    Stepped,
    StopReason,
)
from engine.model.boundaries import find_boundaries
from engine.model.cache import Caches
from engine.model.detokenize import Detokenizer
from engine.model.loaded_model import LoadedModel
from engine.model.sampling import TargetLaw
from engine.model.timeline import Timeline
from engine.model.words import WordBook
from engine.request import GenerationRequest
from engine.speculation.context import Context
from engine.speculation.draft import Drafter
from engine.speculation.drafters import make_drafter
from engine.speculation.guard import Guard
from engine.speculation.pacing import Pacing
from engine.speculation.plan import Plan, opened, plan_reply
from engine.speculation.prefill import fill
from engine.speculation.stats import Tally
from engine.speculation.step import Speculation, Stepper
from engine.speculation.verify import forward

# Freed buffers are handed back this often, as mlx-lm does.
CLEAR_CACHE_STEPS = 256
# Prompt tokens indexed between two looks at the cancel flag.
LEARN_AT_ONCE = 8192
# Emitted tokens that the kept caches may lack; the next turn runs them again.
MAX_LAG = 16


def generate(
    model: LoadedModel,
    request: GenerationRequest,
    *,
    job: int,
    is_cancelled: Callable[[], bool],
    drafter: Drafter | None = None,
) -> Iterator[Event]:
    """One reply as events, in the order `engine.events` gives; runs on the calling thread.

    `drafter` replaces the one the request names. Raises RequestError or ModelError before the first
    event where the request cannot be run; what MLX raises passes through.
    """
    reply, notices = prepare(model, request, job=job, drafter=drafter)
    for sentence in notices:
        yield Notice(job, sentence)
    yield from reply.run(is_cancelled)


def prepare(
    model: LoadedModel, request: GenerationRequest, *, job: int, drafter: Drafter | None = None
) -> tuple["Reply", tuple[str, ...]]:
    """A reply ready to run, checked against the model, and what differs from what was asked."""
    plan = plan_reply(model, request)
    return Reply(model, request, plan, drafter, job), plan.notices


class Reply:
    """One reply in the making: the owner of its text, its caches and its tally."""

    def __init__(
        self,
        model: LoadedModel,
        request: GenerationRequest,
        plan: Plan,
        drafter: Drafter | None,
        job: int,
    ) -> None:
        self._model = model
        self._request = request
        self._config = config = plan.config
        self._job = job
        self._num_prompt = len(plan.prompt)
        self._num_asked = len(plan.prompt) - len(request.reply_ids)
        self.context = Context(plan.prompt, plan.caches)
        self._timeline = Timeline(plan.caches)
        # Chunk boundaries alone move the logits of quantised caches, so those are not reused.
        self._is_reusing = request.reuse and request.kv_bits is None
        self._can_keep = self._is_reusing
        self._drafter = drafter or make_drafter(config) if config.enabled else None
        self._pacing = (
            Pacing(request.speculation, config.base_draft_length, model.costs)
            if config.pacing
            else None
        )
        self._detokenizer = Detokenizer(model.tokenizer, model.stop_ids, request.stop)
        self._reply_text = self._detokenizer.resume(request.reply_ids)
        self._words = WordBook(model.words)
        guard = Guard(model.probe) if config.guard else None
        self._stepper = Stepper(
            model.model,
            self.context,
            TargetLaw(request.sampling),
            config,
            self._detokenizer,
            Speculation(self._drafter, self._pacing, guard, model.local),
            self._words,
            request.num_alternatives,
        )

    def run(self, is_cancelled: Callable[[], bool]) -> Iterator[Event]:
        """Prefill, decode, finish."""
        model, began = self._model, perf_counter()
        num_reused = yield from self._prefill(is_cancelled)
        prefill_seconds = perf_counter() - began
        tally = Tally(self._num_prompt, num_reused, prefill_seconds)
        prompt = self.context.tokens
        opening = opened(model, self._request, self._config, prompt, self._words, self._reply_text)
        yield replace(opening, job=self._job, reused=num_reused, prefill_seconds=prefill_seconds)
        reason: StopReason | None = None
        while reason is None:
            if is_cancelled():
                reason = "cancelled"
                break
            reason = yield from self._step(tally)
            self._timeline.mark_on_the_way()
        self._stepper.close()
        kept = (yield from self._keep()) if self._is_reusing else None
        stats, health = tally.snapshot(), tally.health(self._config)
        yield Finished(self._job, reason, stats, health, self._detokenizer.finish(), kept)

    def _prefill(self, is_cancelled: Callable[[], bool]) -> Generator[Event, None, int]:
        """Caches that hold the prompt but for its last token; how much of it they held before."""
        tokens = self.context.tokens
        self._learn(tokens, is_cancelled)
        if self._is_reusing:
            self._timeline = self._model.prefixes.take(tokens, self._model.make_caches)
            self.context.caches = self._timeline.caches
        num_reused = self.context.caches.length
        yield from self._fill(is_cancelled)
        return num_reused

    def _learn(self, tokens: list[int], is_cancelled: Callable[[], bool]) -> None:
        """Let the drafter index the prompt; a long one takes a second or two."""
        for start in range(0, len(tokens), LEARN_AT_ONCE):
            if self._drafter is None or is_cancelled():
                break
            self._drafter.extend(tokens[start : start + LEARN_AT_ONCE])

    def _fill(self, is_cancelled: Callable[[], bool]) -> Iterator[Event]:
        """Run what the caches lack of the text but its last token, with progress."""
        tokens, request = self.context.tokens, self._request

        def boundaries() -> Sequence[int]:
            # Where a continued reply began, another one to the same prompt can begin.
            begin = (self._num_asked - 1,) if request.reply_ids else ()
            if request.prompt_ids is not None:
                return begin
            template, messages = self._model.template, request.messages
            return (*find_boundaries(template, messages, tokens, request.thinking), *begin)

        chunk, timeline = self._config.prefill_chunk, self._timeline
        target, wanted = self._model.model, tokens[:-1]
        for num_held in fill(target, timeline, wanted, chunk, boundaries, is_cancelled):
            yield PrefillProgress(self._job, num_held, len(wanted))

    def _keep(self) -> Generator[Event, None, Kept]:
        """Hand the caches over for later replies."""
        pending = self.context.pending
        if self._num_emitted and MAX_LAG < len(pending) <= self._config.prefill_chunk:
            forward(self._model.model, self.context.caches, mx.array(pending[:-1]))
        self.context.caches.evaluate()
        store = self._model.prefixes
        if self._can_keep:
            sentence = store.put(self._timeline, self.context.tokens, self._num_asked)
            if sentence is not None:
                yield Notice(self._job, sentence)
        return store.report()

    def _step(self, tally: Tally) -> Generator[Event, None, StopReason | None]:
        """One step's events; returns why the reply ends, None while it does not."""
        was_active = self._pacing is None or self._pacing.is_active
        try:
            record, stop = self._stepper.step(self._room)
        except RollbackError as error:
            tally.num_failures += 1
            self._rebuild()
            reason = f"{error.sentence} The caches were rebuilt; this reply goes on without drafts."
            yield SpeculationChanged(self._job, active=False, reason=reason)
            return None
        tally.add(record)
        yield Stepped(self._job, record)
        if record.index % CLEAR_CACHE_STEPS == CLEAR_CACHE_STEPS - 1:
            mx.clear_cache()
        if stop is None and self._room < 1:
            stop = "max_tokens" if self._num_emitted == self._request.max_tokens else "context_full"
        # What would hold from the next step on is told only if there is one.
        pacing = self._pacing if stop is None else None
        if pacing is not None and pacing.is_active != was_active:
            yield SpeculationChanged(self._job, pacing.is_active, pacing.reason)
        return stop

    @property
    def _num_emitted(self) -> int:
        return self.context.position - self._num_prompt

    @property
    def _room(self) -> int:
        """How many more tokens may be emitted."""
        room = self._config.context_limit - self.context.position
        if self._request.max_tokens is None:
            return room
        return min(room, self._request.max_tokens - self._num_emitted)

    def _rebuild(self) -> None:
        """Caches in an unknown state are given up for new ones, and drafting with them."""
        self._stepper.stop_drafting()
        self._can_keep = False
        self._timeline = Timeline(Caches(self._model.make_caches()))
        self.context.caches = self._timeline.caches
        for _ in self._fill(lambda: False):
            pass
