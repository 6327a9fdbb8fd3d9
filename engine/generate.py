"""A reply from request to last event: prefill, then steps until a stop.

    check   the request against the model          raises, nothing has run yet
    prefill all but the last prompt token in chunks, cancellable between them
    decode  steps (see `speculation.step`), cancellable between them
    finish  undo what ran ahead, let held-back text go, count

Text and caches are owned here for the length of one reply; what leaves are events.
"""

from collections.abc import Callable, Generator, Iterator
from time import perf_counter

import mlx.core as mx

from engine.errors import RequestError, RollbackError
from engine.events import (
    EffectiveConfig,
    Event,
    Finished,
    Notice,
    PrefillProgress,
    SpeculationChanged,
    Started,
    Stepped,
    StopReason,
)
from engine.model.cache import Caches, quantised
from engine.model.detokenize import Detokenizer
from engine.model.load import LoadedModel
from engine.model.sampling import TargetLaw
from engine.request import GenerationRequest
from engine.speculation.context import Context
from engine.speculation.draft import Drafter
from engine.speculation.pacing import CostTable, Pacing
from engine.speculation.plan import check_ids, checked_context_limit, effective_config
from engine.speculation.prompt_lookup import PromptLookupDrafter
from engine.speculation.stats import Tally
from engine.speculation.step import Stepper
from engine.speculation.verify import forward

# Freed buffers are handed back this often, as mlx-lm does.
CLEAR_CACHE_STEPS = 256


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
    prompt, notices = _prompt(model, request)
    check_ids(model, request, prompt)
    context_limit = checked_context_limit(model, request, len(prompt))
    entries = model.make_caches()
    if request.kv_bits is not None:
        entries = quantised(entries, request.kv_bits)
    config, fallbacks = effective_config(model, request, entries, context_limit)
    reply = Reply(model, request, config, prompt, Caches(entries), drafter, job)
    return reply, (*notices, *fallbacks)


def _prompt(model: LoadedModel, request: GenerationRequest) -> tuple[list[int], tuple[str, ...]]:
    if request.prompt_ids is not None:
        return list(request.prompt_ids), ()
    rendered = model.template.render(request.messages)
    if not rendered.ids:
        raise RequestError("The chat template turned this conversation into nothing to answer.")
    return list(rendered.ids), tuple(rendered.notices)


class Reply:
    """One reply in the making: the owner of its text, its caches and its tally."""

    def __init__(
        self,
        model: LoadedModel,
        request: GenerationRequest,
        config: EffectiveConfig,
        prompt: list[int],
        caches: Caches,
        drafter: Drafter | None,
        job: int,
    ) -> None:
        self._model = model
        self._request = request
        self._config = config
        self._job = job
        self._num_prompt = len(prompt)
        self.context = Context(prompt, caches)
        self._drafter = (
            drafter or PromptLookupDrafter(config.ngram_max, config.ngram_min)
            if config.enabled
            else None
        )
        self._pacing = (
            Pacing(request.speculation, config.base_draft_length, CostTable(model.width_seconds))
            if config.pacing
            else None
        )
        self._detokenizer = Detokenizer(model.tokenizer, model.stop_ids, request.stop)
        self._stepper = Stepper(
            model.model,
            self.context,
            TargetLaw(request.sampling),
            config,
            self._detokenizer,
            drafter=self._drafter,
            pacing=self._pacing,
            num_alternatives=request.num_alternatives,
        )
        self.tally = Tally(len(prompt))

    def run(self, is_cancelled: Callable[[], bool]) -> Iterator[Event]:
        """Prefill, decode, finish."""
        began = perf_counter()
        yield from self._prefill(is_cancelled)
        prefill_seconds = perf_counter() - began
        self.tally = Tally(self._num_prompt, 0, prefill_seconds)
        yield Started(
            self._job,
            self._config.model,
            self._config,
            tuple(self.context.tokens),
            0,
            self._request.sampling.seed,
            prefill_seconds,
        )
        reason: StopReason | None = None
        while reason is None:
            if is_cancelled():
                reason = "cancelled"
                break
            reason = yield from self._step()
        self._stepper.close()
        stats, health = self.tally.snapshot(), self.tally.health(self._config)
        yield Finished(self._job, reason, stats, health, self._detokenizer.finish())

    def _prefill(self, is_cancelled: Callable[[], bool]) -> Iterator[Event]:
        if self._drafter is not None:
            self._drafter.extend(self.context.tokens)
        yield from self._fill(self.context.tokens[:-1], is_cancelled)

    def _fill(self, tokens: list[int], is_cancelled: Callable[[], bool]) -> Iterator[Event]:
        """Run `tokens` into empty caches in chunks, with progress."""
        caches, chunk = self.context.caches, self._config.prefill_chunk
        yield PrefillProgress(self._job, 0, len(tokens))
        while caches.length < len(tokens) and not is_cancelled():
            block = tokens[caches.length : caches.length + chunk]
            forward(self._model.model, caches, mx.array(block))
            caches.evaluate()
            mx.clear_cache()
            yield PrefillProgress(self._job, caches.length, len(tokens))

    def _step(self) -> Generator[Event, None, StopReason | None]:
        """One step's events; returns why the reply ends, None while it does not."""
        was_active = self._pacing is None or self._pacing.is_active
        try:
            record, stop = self._stepper.step(self._room)
        except RollbackError as error:
            self._rebuild()
            reason = f"{error.sentence} The caches were rebuilt; this reply goes on without drafts."
            yield SpeculationChanged(self._job, active=False, reason=reason)
            return None
        self.tally.add(record)
        yield Stepped(self._job, record)
        if record.index % CLEAR_CACHE_STEPS == CLEAR_CACHE_STEPS - 1:
            mx.clear_cache()
        if self._pacing is not None and self._pacing.is_active != was_active:
            yield SpeculationChanged(self._job, self._pacing.is_active, self._pacing.reason)
        if stop is None and self._room < 1:
            return "max_tokens" if self._num_emitted == self._request.max_tokens else "context_full"
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
        self.tally.num_failures += 1
        self._stepper.stop_drafting()
        self.context.caches = Caches(self._model.make_caches())
        for _ in self._fill(self.context.tokens[:-1], lambda: False):
            pass
