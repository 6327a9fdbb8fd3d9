"""Counting and spelling tokens through the worker, and what a failed job says of its kind."""

from collections.abc import Iterator
from typing import Any

import pytest

from engine import (
    Counted,
    EngineWorker,
    Event,
    Failed,
    Finished,
    GenerationRequest,
    Loaded,
    LoadProgress,
    Spelled,
)
from tests.fakes.tokenizers import byte_level

PATIENCE_SECONDS = 60
LAST = (Counted, Failed, Finished, Loaded, Spelled)


def end_of(worker: EngineWorker, job: int) -> Event:
    """The job's last event; a count and a refusal have no other."""
    event = worker.events.get(timeout=PATIENCE_SECONDS)
    while isinstance(event, LoadProgress):
        event = worker.events.get(timeout=PATIENCE_SECONDS)
    assert event.job == job
    assert isinstance(event, LAST)
    return event


@pytest.fixture(scope="module")
def ready() -> Iterator[EngineWorker]:
    """A worker with the demo model."""
    worker = EngineWorker()
    assert isinstance(end_of(worker, worker.load("demo")), Loaded)
    yield worker
    worker.close(PATIENCE_SECONDS)


def test_each_text_is_counted_without_special_tokens(ready: EngineWorker) -> None:
    texts = ("", "Hello there.", "😀" * 7, "def f(x):\n    return x\n" * 8_000)
    job = ready.count(texts)
    expected = tuple(len(byte_level().encode(text, add_special_tokens=False)) for text in texts)
    assert end_of(ready, job) == Counted(job, expected)
    job = ready.count(())
    assert end_of(ready, job) == Counted(job, ())


def test_a_long_count_is_cancelled_on_the_way(
    ready: EngineWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.model import token_count

    seam, pieces = token_count._seam, []

    def cancelling(*arguments: Any) -> tuple[int, int] | None:
        pieces.append(arguments)
        if len(pieces) == 3:
            ready.cancel()
        return seam(*arguments)

    monkeypatch.setattr(token_count, "_seam", cancelling)
    job = ready.count(("one two three\n" * 60_000,))
    assert end_of(ready, job) == Failed(job, "Counting was cancelled.")
    assert len(pieces) == 3
    monkeypatch.undo()
    job = ready.count(("a",))
    assert end_of(ready, job) == Counted(job, (1,))


def test_counting_without_a_model_says_so() -> None:
    worker = EngineWorker()
    job = worker.count(("a",))
    assert end_of(worker, job) == Failed(job, "No model is loaded; load one first.")
    worker.close(PATIENCE_SECONDS)


def test_a_text_is_spelled_as_one_token_or_as_those_it_is_cut_into(ready: EngineWorker) -> None:
    cat = byte_level().encode(" cat", add_special_tokens=False)
    job = ready.spell(" cat")
    assert end_of(ready, job) == Spelled(job, ((cat[0], " cat"),))
    job = ready.spell("zq zq")
    spelled = end_of(ready, job)
    assert isinstance(spelled, Spelled)
    assert len(spelled.tokens) > 2
    assert "".join(word for _, word in spelled.tokens) == "zq zq"
    job = ready.spell("")
    assert end_of(ready, job) == Spelled(job, ())


def test_ids_are_spelled_and_those_that_the_model_lacks_left_out(ready: EngineWorker) -> None:
    cat = byte_level().encode(" cat", add_special_tokens=False)[0]
    job = ready.spell((cat, -1, 10**9, 0))
    spelled = end_of(ready, job)
    assert isinstance(spelled, Spelled)
    assert [token for token, _ in spelled.tokens] == [cat, 0]
    assert spelled.tokens[0] == (cat, " cat")


def test_spelling_without_a_model_says_so() -> None:
    worker = EngineWorker()
    job = worker.spell("a")
    assert end_of(worker, job) == Failed(job, "No model is loaded; load one first.")
    worker.close(PATIENCE_SECONDS)


def test_a_full_context_is_a_kind_of_its_own(ready: EngineWorker) -> None:
    job = ready.generate(GenerationRequest(prompt_ids=(1,) * 5000))
    failed = end_of(ready, job)
    assert isinstance(failed, Failed)
    assert (failed.kind, failed.details) == ("context_full", "")
    assert failed.sentence.startswith("The prompt is 5,000 tokens long and the context holds")
    job = ready.generate(GenerationRequest(prompt_ids=(10**9,)))
    other = end_of(ready, job)
    assert isinstance(other, Failed)
    assert other.kind == ""
