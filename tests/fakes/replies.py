"""Running the shipped engine in a test: one request, everything it emitted, and its caches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import mlx.core as mx
import numpy as np

from engine.events import Event, Finished, Started, Stepped
from engine.generate import prepare
from engine.model.loaded_model import LoadedModel
from engine.request import GenerationRequest, SamplingParams, SpeculationParams
from engine.speculation.context import Context
from engine.speculation.draft import Drafter
from engine.step_record import StepRecord

PLAIN = SpeculationParams(enabled=False)


@dataclass(slots=True)
class Run:
    """One reply as it went."""

    started: Started
    finished: Finished
    context: Context
    events: list[Event] = field(default_factory=list)

    @property
    def steps(self) -> list[StepRecord]:
        return [event.record for event in self.events if isinstance(event, Stepped)]

    @property
    def ids(self) -> list[int]:
        return [token for step in self.steps for token in step.emitted]

    @property
    def text(self) -> str:
        spans = [span for step in self.steps for span in step.spans]
        return "".join(span.text for span in (*spans, *self.finished.tail))


def run(
    model: LoadedModel,
    prompt: Sequence[int],
    speculation: SpeculationParams = PLAIN,
    *,
    drafter: Drafter | None = None,
    sampling: SamplingParams | None = None,
    max_tokens: int = 32,
    stop: tuple[str, ...] = (),
    is_cancelled: Callable[[], bool] = lambda: False,
    reuse: bool = False,
    prefill_chunk: int = 7,
) -> Run:
    """One reply of the shipped engine to a prompt of ids; from scratch, unless `reuse` is asked."""
    request = GenerationRequest(
        prompt_ids=tuple(prompt),
        speculation=speculation,
        sampling=sampling or SamplingParams(),
        max_tokens=max_tokens,
        stop=stop,
        prefill_chunk=prefill_chunk,
        reuse=reuse,
    )
    reply, _ = prepare(model, request, job=1, drafter=drafter)
    events = list(reply.run(is_cancelled))
    started = next(event for event in events if isinstance(event, Started))
    finished = events[-1]
    assert isinstance(finished, Finished)
    return Run(started, finished, reply.context, events)


def next_logits(model: LoadedModel, context: Context) -> np.ndarray:
    """Logits after the whole text, from the caches a reply left behind."""
    pending = context.pending
    assert pending
    logits = model.model(mx.array(pending)[None], cache=context.caches.entries)
    return np.array(logits[0, -1].astype(mx.float32))


def sequential_logits(model: LoadedModel, tokens: Sequence[int]) -> np.ndarray:
    """Logits after `tokens`, run one at a time through fresh caches."""
    caches = model.make_caches()
    for token in tokens:
        logits = model.model(mx.array([[token]]), cache=caches)
        mx.eval(logits)
    return np.array(logits[0, -1].astype(mx.float32))
