"""mlx-lm's own loop behind our events: the ids of plain decoding, and the same endings."""

from collections.abc import Callable

import pytest

from engine.errors import RequestError
from engine.events import Event, Finished, PrefillProgress, Started, Stepped
from engine.model.loaded_model import LoadedModel
from engine.reference import REASON, reference
from engine.request import GenerationRequest, Message, SamplingParams, SpeculationParams
from engine.speculation.stats import Tally
from engine.step_record import StepRecord
from engine.terminal.tasks import TASKS
from tests.fakes.counting_model import VOCABULARY as COUNTING_VOCABULARY
from tests.fakes.counting_model import counting_loaded
from tests.fakes.replies import run
from tests.fakes.tiny_configs import CONFIGS, VOCABULARY
from tests.fakes.tiny_models import tiny_loaded

PROMPT = tuple((7 * i + 3 * i * i) % VOCABULARY for i in range(40))
COUNTED = tuple((5 * i + i * i) % COUNTING_VOCABULARY for i in range(20))


def events_of(
    model: LoadedModel,
    request: GenerationRequest,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> list[Event]:
    return list(reference(model, request, job=3, is_cancelled=is_cancelled))


def records_of(events: list[Event]) -> list[StepRecord]:
    return [event.record for event in events if isinstance(event, Stepped)]


def ids_of(events: list[Event]) -> list[int]:
    return [token for record in records_of(events) for token in record.emitted]


def end_of(events: list[Event]) -> Finished:
    assert isinstance(events[-1], Finished)
    return events[-1]


def text_of(events: list[Event]) -> str:
    spans = [span for record in records_of(events) for span in record.spans]
    return "".join(span.text for span in (*spans, *end_of(events).tail))


@pytest.mark.tiny_model
@pytest.mark.parametrize("name", CONFIGS)
def test_its_ids_are_those_of_plain_decoding(name: str) -> None:
    model = tiny_loaded(name)
    plain = run(model, PROMPT, max_tokens=24)
    request = GenerationRequest(prompt_ids=PROMPT, max_tokens=24, prefill_chunk=7)
    assert ids_of(events_of(model, request)) == plain.ids


def test_on_the_demo_model_ids_text_and_counts_are_those_of_plain_decoding(
    demo: LoadedModel,
) -> None:
    prompt = demo.template.render([Message("user", TASKS["partial"].prompt)]).ids
    plain = run(demo, prompt, max_tokens=40)
    events = events_of(demo, GenerationRequest(prompt_ids=prompt, max_tokens=40, prefill_chunk=7))
    assert ids_of(events) == plain.ids
    assert text_of(events) == plain.text
    assert end_of(events).reason == plain.finished.reason
    stats = end_of(events).stats
    assert (stats.forwards, stats.generated) == (stats.emitted, len(plain.ids))
    assert stats.decode_tps is not None


def test_the_events_come_in_order_and_add_up() -> None:
    model = counting_loaded(recurrent=True)
    asked = SpeculationParams(draft_length=4)
    events = events_of(
        model, GenerationRequest(prompt_ids=COUNTED[:9], max_tokens=6, speculation=asked)
    )
    kinds = [type(event) for event in events]
    assert kinds == [PrefillProgress, PrefillProgress, Started, *[Stepped] * 6, Finished]
    assert {event.job for event in events} == {3}
    started, finished = events[2], end_of(events)
    assert isinstance(started, Started)
    assert started.prompt_ids == COUNTED[:9]
    assert (started.config.enabled, started.config.reason) == (False, REASON)
    assert finished.reason == "max_tokens"
    records = records_of(events)
    assert [record.position for record in records] == list(range(9, 15))
    assert [record.pending[0] for record in records[1:]] == ids_of(events)[:-1]
    assert all(record.origins == ("generated",) for record in records)
    tally = Tally(9, 0, started.prefill_seconds)
    for record in records:
        tally.add(record)
    assert finished.stats == tally.snapshot()
    times = [record.time for record in records]
    assert times == sorted(times)
    assert times[0] >= started.prefill_seconds > 0


def test_it_ends_at_a_stop_id_a_stop_string_and_the_end_of_the_context() -> None:
    whole = ids_of(
        events_of(
            counting_loaded(recurrent=False), GenerationRequest(prompt_ids=(1, 2), max_tokens=9)
        )
    )
    stop = next(token for token in whole[1:] if token != whole[0])
    stopping = counting_loaded(recurrent=False, stop_ids=frozenset({stop}))
    events = events_of(stopping, GenerationRequest(prompt_ids=(1, 2), max_tokens=9))
    assert end_of(events).reason == "eos"
    assert ids_of(events) == whole[: whole.index(stop) + 1]

    model = counting_loaded(recurrent=False)
    text = text_of(events_of(model, GenerationRequest(prompt_ids=(1, 2), max_tokens=9)))
    stopped = GenerationRequest(prompt_ids=(1, 2), max_tokens=9, stop=(text[3:5],))
    events = events_of(model, stopped)
    assert end_of(events).reason == "stop_string"
    assert text_of(events) == text[: text.index(text[3:5])]
    assert run(model, (1, 2), max_tokens=9, stop=(text[3:5],)).ids == ids_of(events)

    events = events_of(model, GenerationRequest(prompt_ids=(1, 2), context_limit=5))
    assert (end_of(events).reason, len(ids_of(events))) == ("context_full", 3)


def test_alternatives_and_margins_are_recorded_when_asked_for() -> None:
    model = tiny_loaded("llama")
    asked = GenerationRequest(prompt_ids=PROMPT, max_tokens=4, num_alternatives=3)
    for record in records_of(events_of(model, asked)):
        assert record.logprobs is not None
        assert record.alternatives is not None
        assert record.margins is not None
        ((best, second, _),) = record.alternatives
        assert best == pytest.approx((record.emitted[0], record.logprobs[0]))
        assert record.margins[0] == pytest.approx(best[1] - second[1], abs=1e-4)


def test_it_is_cancelled_within_a_prefill_chunk_and_within_a_token() -> None:
    model = counting_loaded(recurrent=True)
    asked = GenerationRequest(prompt_ids=COUNTED, max_tokens=9, prefill_chunk=4)
    looks = iter([False, False, True])
    events = events_of(model, asked, lambda: next(looks))
    assert model.model.num_forwards == 2
    assert [type(event) for event in events[-2:]] == [Started, Finished]
    assert (end_of(events).reason, end_of(events).stats.emitted) == ("cancelled", 0)

    seen: list[Event] = []
    for event in reference(model, asked, job=1, is_cancelled=lambda: len(seen) > 4):
        seen.append(event)
    assert end_of(seen).reason == "cancelled"
    assert 0 < len(ids_of(seen)) < 4


@pytest.mark.parametrize(
    "sampling", [SamplingParams(temperature=0.5), SamplingParams(repetition_penalty=1.1)]
)
def test_only_greedy_requests_can_be_compared(sampling: SamplingParams) -> None:
    request = GenerationRequest(prompt_ids=(1, 2), sampling=sampling)
    with pytest.raises(RequestError, match="greedy"):
        events_of(counting_loaded(recurrent=False), request)


def test_what_does_not_fit_the_model_is_refused_before_anything_runs() -> None:
    model = counting_loaded(recurrent=False)
    for request in (
        GenerationRequest(prompt_ids=(1, 9999)),
        GenerationRequest(prompt_ids=(1,) * 600),
    ):
        with pytest.raises(RequestError):
            events_of(model, request)
    assert model.model.num_forwards == 0
