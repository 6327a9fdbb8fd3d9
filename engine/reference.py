"""mlx-lm's own decoding loop as the events `generate` gives: what every ratio is measured against.

`mlx_lm.generate.generate_step` runs as it is, prefill and queued forwards included. mlx-lm's
`stream_generate` is that loop with a detokenizer, and raises the wired limit on every call, which
is no business of a comparison; here the detokenizer is ours, as in the replies compared with it.
Only the prefill's chunks are ours: their edges move last bits.
"""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import chain
from time import perf_counter

import mlx.core as mx
from mlx_lm.generate import generate_step, generation_stream

from engine.account import EffectiveConfig
from engine.errors import RequestError
from engine.events import Event, Finished, Notice, PrefillProgress, Started, Stepped, StopReason
from engine.model.detokenize import Detokenizer
from engine.model.loaded_model import LoadedModel
from engine.model.sampling import TargetLaw
from engine.model.words import WordBook
from engine.request import GenerationRequest
from engine.speculation.accept import Acceptance
from engine.speculation.close_up import CloseUps
from engine.speculation.context import Context
from engine.speculation.draft import NO_DRAFT
from engine.speculation.emit import NOTHING_ROLLED_BACK, Emitter, Outcome, Timer
from engine.speculation.plan import opened, plan_reply
from engine.speculation.stats import Tally
from engine.step_record import StepRecord

REASON = "mlx-lm's own loop"


def reference(
    model: LoadedModel,
    request: GenerationRequest,
    *,
    job: int,
    is_cancelled: Callable[[], bool],
) -> Iterator[Event]:
    """One reply by `mlx_lm.generate_step`, as the events `generate` would give.

    Speculation and `reuse` are ignored: the prompt is always run whole. Raises RequestError for
    anything but a greedy request, since mlx-lm's sampler makes other random draws than ours.
    """
    law = TargetLaw(request.sampling)
    if request.sampling.temperature != 0.0 or law.window:
        raise RequestError(
            "mlx-lm's own loop draws other random numbers, so it is compared on greedy replies "
            "without penalties only; set the temperature to 0."
        )
    plain = replace(request, speculation=replace(request.speculation, enabled=False))
    plan = plan_reply(model, plain)
    for sentence in plan.notices:
        yield Notice(job, sentence)
    config = replace(plan.config, reason=REASON)
    reply = _Reply(model, request, config, Context(plan.prompt, plan.caches), job)
    yield from reply.run(is_cancelled)


class _CancelledError(Exception):
    """Carries a cancel through mlx-lm's prefill, which has no other way out."""


class _Reply:
    """One reply by mlx-lm's loop."""

    def __init__(
        self,
        model: LoadedModel,
        request: GenerationRequest,
        config: EffectiveConfig,
        context: Context,
        job: int,
    ) -> None:
        self._model = model
        self._config = config
        self._context = context
        self._job = job
        self._request = request
        self._words = WordBook(model.words)
        self._num_prompt = len(context.tokens)
        self._room = config.context_limit - self._num_prompt
        self._full: StopReason = "context_full"
        if request.max_tokens is not None and request.max_tokens <= self._room:
            self._room, self._full = request.max_tokens, "max_tokens"
        self._detokenizer = Detokenizer(model.tokenizer, model.stop_ids, request.stop)
        self._reply_text = self._detokenizer.resume(request.reply_ids)
        self._close_ups = CloseUps(TargetLaw(request.sampling), request.num_alternatives)
        self._emitter = Emitter(context, self._detokenizer, self._words, perf_counter)
        self._prefilled = perf_counter()

    def run(self, is_cancelled: Callable[[], bool]) -> Iterator[Event]:
        """Prefill, decode, finish."""
        began = self._prefilled = perf_counter()
        yield PrefillProgress(self._job, 0, self._num_prompt - 1)
        reason: StopReason = "cancelled"
        with closing(self._decode(is_cancelled)) as records:
            # The first token comes with the prompt: mlx-lm hands out nothing before it.
            first = next(records, None)
            yield PrefillProgress(self._job, self._num_prompt - 1, self._num_prompt - 1)
            prefill_seconds = self._prefilled - began
            yield self._started(prefill_seconds)
            tally = Tally(self._num_prompt, 0, prefill_seconds)
            for record, ending in chain([first] if first else [], records):
                tally.add(record)
                reason = ending or reason
                yield Stepped(self._job, record)
        stats, health = tally.snapshot(), tally.health(self._config)
        yield Finished(self._job, reason, stats, health, self._detokenizer.finish())

    def _decode(
        self, is_cancelled: Callable[[], bool]
    ) -> Generator[tuple[StepRecord, StopReason | None]]:
        """Each token's record, up to the first that ends the reply or to a cancel."""

        def on_prefill(processed: int, total: int) -> None:
            if processed < total:
                self._prefilled = perf_counter()
            if is_cancelled():
                raise _CancelledError

        loop = generate_step(
            mx.array(self._context.tokens),
            self._model.model,
            max_tokens=self._room,
            prompt_cache=self._context.caches.entries,
            prefill_step_size=self._config.prefill_chunk,
            prompt_progress_callback=on_prefill,
        )
        began = self._prefilled
        try:
            for token, logprobs in loop:
                record, reason = self._step(token, logprobs, max(began, self._prefilled))
                yield record, reason
                if reason is not None or is_cancelled():
                    return
                began = perf_counter()
        except _CancelledError:
            return
        finally:
            loop.close()
            # The forward it queued last must not run on into the next reply.
            mx.synchronize(generation_stream)

    def _step(
        self, token: int, logprobs: mx.array, began: float
    ) -> tuple[StepRecord, StopReason | None]:
        _, reason = self._detokenizer.scan([token])
        now, position = perf_counter(), self._context.position
        outcome = Outcome(
            draft=NO_DRAFT,
            choice=None,
            pending=(self._context.tokens[-1],),
            acceptance=Acceptance(0, 0, 0, (token,), reason),
            cost=NOTHING_ROLLED_BACK,
            forwards=1,
            timer=Timer(began, began, now, now),
            close_up=self._close_ups.of(logprobs[None], mx.array([token]), position),
        )
        record = self._emitter.emit(outcome)
        if reason is None and record.index + 1 == self._room:
            reason = self._full
        return record, reason

    def _started(self, prefill_seconds: float) -> Started:
        prompt = self._context.tokens[: self._num_prompt]
        opening = opened(
            self._model, self._request, self._config, prompt, self._words, self._reply_text
        )
        return replace(opening, job=self._job, prefill_seconds=prefill_seconds)
