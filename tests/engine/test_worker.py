"""The worker with the demo model: every job ends once, cancels at once, leaves nothing behind."""

import gc
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest

from engine import (
    EngineWorker,
    Event,
    Failed,
    Finished,
    GenerationRequest,
    Loaded,
    LoadProgress,
    Message,
    Notice,
    PrefillProgress,
    Started,
    Stepped,
    Unloaded,
    WorkerClosedError,
    read_trace,
    replay_trace,
)

PATIENCE_SECONDS = 60
LAST = (Loaded, Unloaded, Finished, Failed)
QUESTION = GenerationRequest(messages=(Message("user", "Say hello."),), max_tokens=12)
ENDLESS = GenerationRequest(prompt_ids=tuple(range(100, 130)))
LONG = GenerationRequest(prompt_ids=tuple(range(100, 1100)) * 3)


@pytest.fixture
def worker() -> Iterator[EngineWorker]:
    """A worker with no model."""
    worker = EngineWorker()
    yield worker
    worker.close(PATIENCE_SECONDS)


@pytest.fixture(scope="module")
def ready() -> Iterator[EngineWorker]:
    """A worker with the demo model, for tests that leave it loaded."""
    worker = EngineWorker()
    assert isinstance(until_end(worker, worker.load("demo"))[-1], Loaded)
    yield worker
    worker.close(PATIENCE_SECONDS)


def until(worker: EngineWorker, job: int, is_it: Callable[[Event], bool]) -> list[Event]:
    """The job's events up to one that is it; events of other jobs must not come between."""
    events: list[Event] = []
    while not events or not is_it(events[-1]):
        event = worker.events.get(timeout=PATIENCE_SECONDS)
        assert event.job == job, event
        assert not events or not isinstance(events[-1], LAST), events[-1]
        events.append(event)
    return events


def until_end(worker: EngineWorker, job: int) -> list[Event]:
    return until(worker, job, lambda event: isinstance(event, LAST))


def until_first(worker: EngineWorker, job: int, kind: type[Event]) -> list[Event]:
    return until(worker, job, lambda event: isinstance(event, kind))


def break_generate(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def broken(*_: Any, **__: Any) -> Iterator[Event]:
        raise error
        yield

    monkeypatch.setattr("engine.generate.generate", broken)


def test_a_reply_comes_in_order_and_its_health_is_kept(ready: EngineWorker) -> None:
    events = until_end(ready, ready.generate(QUESTION))
    kinds = [type(event) for event in events if not isinstance(event, Notice)]
    began = kinds.index(Started)
    assert set(kinds[:began]) == {PrefillProgress}
    assert kinds[-1] is Finished
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert ready.health() == finished.health
    assert 1 <= finished.stats.emitted <= 12


def test_a_trace_holds_the_same_events(ready: EngineWorker, tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    events = until_end(ready, ready.generate(QUESTION, path))
    told = [event for event in events if isinstance(event, Started | Stepped | Finished)]
    trace = read_trace(path)
    assert trace.warning is None
    assert list(replay_trace(trace)) == told


def test_a_trace_that_cannot_be_written_fails_before_anything_runs(
    ready: EngineWorker, tmp_path: Path
) -> None:
    (event,) = until_end(ready, ready.generate(QUESTION, tmp_path / "none" / "run.jsonl"))
    assert isinstance(event, Failed)
    assert event.sentence.startswith("The trace cannot be written to")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_costs_the_trace_and_not_the_reply(ready: EngineWorker) -> None:
    events = until_end(ready, ready.generate(QUESTION, Path("/dev/full")))
    notices = [event.sentence for event in events if isinstance(event, Notice)]
    assert [text for text in notices if text.startswith("The rest of the trace is lost")] == notices
    assert len(notices) == 1
    assert isinstance(events[-1], Finished)


def test_an_unforeseen_error_is_one_failed_event_and_the_next_job_works(
    ready: EngineWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        break_generate(patched, RuntimeError("[metal] out of\nmemory"))
        (failed,) = until_end(ready, ready.generate(QUESTION))
    assert isinstance(failed, Failed)
    assert failed.sentence == (
        "Something went wrong inside the engine: RuntimeError, [metal] out of memory"
    )
    assert "Traceback" in failed.details
    assert isinstance(until_end(ready, ready.generate(QUESTION))[-1], Finished)


def test_a_request_that_does_not_fit_the_model_fails_in_one_sentence(ready: EngineWorker) -> None:
    (failed,) = until_end(ready, ready.generate(GenerationRequest(prompt_ids=(1,) * 5000)))
    assert isinstance(failed, Failed)
    assert "shorten it" in failed.sentence
    assert failed.details == ""


def test_cancel_while_decoding_ends_the_reply_within_a_step(ready: EngineWorker) -> None:
    job = ready.generate(ENDLESS)
    until_first(ready, job, Stepped)
    ready.cancel(job)
    finished = until_end(ready, job)[-1]
    assert isinstance(finished, Finished)
    assert finished.reason == "cancelled"


def test_cancel_during_prefill_ends_between_chunks(ready: EngineWorker) -> None:
    job = ready.generate(GenerationRequest(prompt_ids=LONG.prompt_ids, prefill_chunk=16))
    until_first(ready, job, PrefillProgress)
    ready.cancel()
    events = until_end(ready, job)
    assert isinstance(events[-1], Finished)
    assert events[-1].reason == "cancelled"
    assert not [event for event in events if isinstance(event, Stepped)]


def test_a_waiting_job_that_is_cancelled_never_begins(ready: EngineWorker) -> None:
    running, waiting = ready.generate(ENDLESS), ready.generate(QUESTION)
    ready.cancel(waiting)
    until_first(ready, running, Stepped)
    ready.cancel(running)
    until_end(ready, running)
    assert until_end(ready, waiting) == [Failed(waiting, "Cancelled before it began.")]


def test_cancelling_a_job_that_is_over_touches_no_later_one(ready: EngineWorker) -> None:
    over = ready.generate(QUESTION)
    until_end(ready, over)
    ready.cancel(over)
    ready.cancel()
    finished = until_end(ready, ready.generate(QUESTION))[-1]
    assert isinstance(finished, Finished)
    assert finished.reason != "cancelled"


def test_generating_with_no_model_says_so(worker: EngineWorker) -> None:
    job = worker.generate(QUESTION)
    assert until_end(worker, job) == [Failed(job, "No model is loaded; load one first.")]
    assert worker.health() is None


def test_unloading_gives_the_memory_back_and_a_failed_load_leaves_none(
    worker: EngineWorker,
) -> None:
    before = mx.get_active_memory()
    assert isinstance(until_end(worker, worker.load("demo"))[-1], Loaded)
    until_end(worker, worker.generate(QUESTION))
    assert mx.get_active_memory() > before + 2**24
    job = worker.unload()
    assert until_end(worker, job) == [Unloaded(job)]
    assert mx.get_active_memory() <= before + 2**16
    assert mx.get_cache_memory() <= 2**16

    assert isinstance(until_end(worker, worker.load("demo"))[-1], Loaded)
    assert isinstance(until_end(worker, worker.load("/no/such/folder"))[-1], Failed)
    assert mx.get_active_memory() <= before + 2**16
    assert isinstance(until_end(worker, worker.generate(QUESTION))[-1], Failed)


def test_cancel_during_load_leaves_no_model(worker: EngineWorker) -> None:
    before = mx.get_active_memory()
    job = worker.load("demo")
    until_first(worker, job, LoadProgress)
    worker.cancel(job)
    failed = until_end(worker, job)[-1]
    assert isinstance(failed, Failed)
    assert failed.sentence == "Loading was cancelled; no model is loaded."
    assert mx.get_active_memory() <= before + 2**16


@pytest.mark.parametrize(
    ("request_", "phase"),
    [(None, LoadProgress), (LONG, PrefillProgress), (ENDLESS, Stepped)],
    ids=["load", "prefill", "decode"],
)
def test_close_ends_what_runs_and_leaves_no_thread(
    worker: EngineWorker, request_: GenerationRequest | None, phase: type[Event]
) -> None:
    job = worker.load("demo")
    if request_ is not None:
        until_end(worker, job)
        job = worker.generate(request_)
    waiting = worker.generate(QUESTION)
    until_first(worker, job, phase)
    worker.close(timeout=30.0)
    assert not worker.is_alive
    assert isinstance(until_end(worker, job)[-1], Finished | Failed)
    assert until_end(worker, waiting) == [Failed(waiting, "Cancelled before it began.")]


def test_closing_is_repeatable_from_any_thread_and_ends_the_taking_of_jobs(
    worker: EngineWorker,
) -> None:
    assert worker.is_alive
    closers = [threading.Thread(target=worker.close) for _ in range(4)]
    for closer in closers:
        closer.start()
    for closer in closers:
        closer.join()
    worker.close()
    assert not worker.is_alive
    with pytest.raises(WorkerClosedError, match="closed"):
        worker.generate(QUESTION)
    worker.cancel()


def test_a_thread_that_cannot_end_does_not_abort_the_process() -> None:
    """A worker stuck where Python cannot stop it: the status asked for, nothing on stderr."""
    program = (
        "import sys, time\n"
        "from engine import EngineWorker, exit_process\n"
        "worker = EngineWorker()\n"
        "worker._bench.clear = lambda: time.sleep(60)\n"
        "worker.close(timeout=0.2)\n"
        "print('said')\n"
        "exit_process(7)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, done.stdout, done.stderr) == (7, "said\n", "")


class Panic(BaseException):
    """As Rust's panics arrive: no Exception at all."""


def test_a_panic_is_a_failed_job_and_the_worker_lives_on(worker: EngineWorker) -> None:
    worker._bench._run = _panicking  # type: ignore[method-assign]
    job = worker.unload()
    failed = worker.events.get(timeout=10)
    assert isinstance(failed, Failed)
    assert (failed.job, "Panic, gone" in failed.sentence) == (job, True)
    del worker._bench._run
    worker.unload()
    assert isinstance(worker.events.get(timeout=10), Unloaded)


def _panicking(_: object) -> Event:
    raise Panic("gone")


def test_cancelling_what_never_was_leaves_nothing_behind(worker: EngineWorker) -> None:
    for job in (0, -3, 10**9):
        worker.cancel(job)
    assert not worker._cancelled


def test_a_signal_that_comes_while_a_job_is_handed_in_may_cancel(worker: EngineWorker) -> None:
    with worker._lock:  # where the handler's own thread is then
        worker.cancel()
    worker.unload()
    assert isinstance(worker.events.get(timeout=10), Unloaded)


def test_an_unloaded_model_is_freed_without_a_collection(worker: EngineWorker) -> None:
    assert not gc.isenabled(), "tests collect between themselves only"
    before = mx.get_active_memory()
    until_end(worker, worker.load("demo"))
    model = worker._bench.model
    assert model is not None
    alive = weakref.ref(model.model)
    del model
    assert isinstance(until_end(worker, worker.generate(QUESTION))[-1], Finished)
    assert mx.get_active_memory() > before + 10_000_000
    until_end(worker, worker.unload())
    assert alive() is None
    assert mx.get_active_memory() < before + 1_000_000
