"""A reply that was stopped and went on is the reply that was never stopped, to the last number."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from app.models.branching import branched
from app.models.continuation import Continuation
from app.models.reply import Reply
from app.models.trace_chat import trace_of
from engine import (
    EngineWorker,
    Event,
    Failed,
    Finished,
    GenerationRequest,
    Loaded,
    Message,
    SamplingParams,
    SpeculationChanged,
    SpeculationParams,
    Started,
    Tally,
    parse_trace,
    replay_trace,
    trace_lines,
)
from tests.fakes.scripted_worker import reply_events, steps_of, tokens_of

PROMPT = 'Replace every "cat" by "дог 🐕" in this text:\n\nThe cat sat. A cat came. Every cat ate.'
LAST = (Finished, Failed, Loaded)


@pytest.fixture(scope="module")
def worker() -> Iterator[EngineWorker]:
    worker = EngineWorker()
    worker.load("demo")
    assert isinstance(_events(worker)[-1], Loaded)
    yield worker
    worker.close()


def _events(worker: EngineWorker) -> list[Event]:
    found: list[Event] = []
    while not found or not isinstance(found[-1], LAST):
        found.append(worker.events.get(timeout=60))
    return found


def _run(
    worker: EngineWorker,
    reply: Reply,
    request: GenerationRequest,
    told: Callable[[Event], Event | None] = lambda event: event,
) -> None:
    worker.generate(request)
    for event in _events(worker):
        heard = told(event)
        if heard is not None:
            reply.apply(heard)


def _ids(reply: Reply) -> list[int]:
    return [token for record in reply.log for token in record.emitted]


@pytest.mark.parametrize("temperature", [0.0, 0.9])
@pytest.mark.parametrize("stops", [(1,), (7,), (5, 6, 3)])
def test_a_stopped_reply_goes_on_as_if_it_had_never_stopped(
    worker: EngineWorker, stops: tuple[int, ...], temperature: float
) -> None:
    request = GenerationRequest(
        messages=(Message("user", PROMPT),),
        sampling=SamplingParams(temperature=temperature, seed=3),
        speculation=SpeculationParams(draft_length=4),
        max_tokens=40,
    )
    plain = Reply()
    _run(worker, plain, replace(request, speculation=SpeculationParams(enabled=False), reuse=False))
    reply = Reply(replace(request, max_tokens=stops[0]))
    _run(worker, reply, replace(request, max_tokens=stops[0]))
    for limit in (*stops[1:], 40 - sum(stops)):
        again = replace(request, reply_ids=tuple(_ids(reply)), max_tokens=limit)
        continuation = Continuation(reply)
        _run(worker, reply, again, continuation.told)
    assert _ids(reply) == _ids(plain)
    assert reply.text == plain.text
    stats = reply.statistics
    assert stats is not None
    assert stats.drafted > 0
    assert temperature or stats.accepted > 0
    _check_trace(reply)


def test_what_failed_before_its_first_token_leaves_the_reply_as_it_was(
    worker: EngineWorker,
) -> None:
    request = GenerationRequest(messages=(Message("user", PROMPT),), max_tokens=9)
    reply = Reply(request)
    _run(worker, reply, request)
    before = branched(reply)
    continuation = Continuation(reply)
    assert not reply.is_over
    refused = Failed(7, "No.")
    assert continuation.told(refused) is None
    assert continuation.failure is refused
    assert (reply.pieces, reply.statistics) == (before.pieces, before.statistics)
    assert (reply.phase, reply.stop, reply.finished) == ("finished", "max_tokens", before.finished)
    # Nothing of it is lost for another try.
    assert reply.reopen() == before.reopen()


def test_a_reply_that_went_on_drafts_again_where_it_had_been_paused() -> None:
    request = GenerationRequest(messages=(Message("user", PROMPT),))
    events = list(reply_events(1, request, steps_of(tokens_of("word " * 30))))
    *begin, last, finished = events
    reply = Reply(request)
    for event in (*begin, SpeculationChanged(1, False, "it lost time"), last, finished):
        reply.apply(event)
    assert reply.speculation == (False, "it lost time")
    before, num_steps = branched(reply), len(reply.log)
    started = next(event for event in events if isinstance(event, Started))
    continuation = Continuation(reply)
    told = continuation.told(started)
    assert told is not None
    reply.apply(told)
    assert reply.speculation == (started.config.enabled, started.config.reason)
    assert continuation.told(Failed(1, "No.")) is None
    assert reply.speculation == before.speculation
    assert reply.run is not None
    assert before.run is not None
    assert reply.run.bands == before.run.bands
    again = Continuation(reply)
    for event in events:
        heard = again.told(event)
        if heard is not None:
            reply.apply(heard)
    assert reply.speculation == (True, started.config.reason)
    assert reply.run.bands[-1].first == num_steps


def test_a_reply_that_went_on_as_it_was_has_no_change_to_tell() -> None:
    request = GenerationRequest(messages=(Message("user", PROMPT),))
    events = list(reply_events(1, request, steps_of(tokens_of("word " * 9))))
    reply = Reply(request)
    for event in events:
        reply.apply(event)
    started = next(event for event in events if isinstance(event, Started))
    assert Continuation(reply).told(started) is None


def _check_trace(reply: Reply) -> None:
    """Its trace is one sound run, from which every number follows."""
    trace = trace_of(reply)
    assert trace is not None
    back = parse_trace(trace_lines(replay_trace(trace)))
    assert back.warning is None
    assert back.steps == tuple(reply.log)
    tally = Tally(len(back.started.prompt_ids), back.started.reused, back.started.prefill_seconds)
    for record in back.steps:
        tally.add(record)
    assert back.finished is not None
    assert tally.snapshot() == back.finished.stats == reply.final
    assert [record.index for record in back.steps] == list(range(len(back.steps)))
    times = [record.time for record in back.steps]
    assert times == sorted(times)
