"""Counting tokens: after a rest, when the worker is idle, and never in the way of a reply."""

import asyncio
from queue import SimpleQueue

import pytest
from PySide6.QtCore import QObject

from app import bridge as bridge_module
from app.bridge import Bridge
from app.controllers import counting
from app.controllers.counting import TokenCounter
from app.controllers.failures import FailureReporter
from app.models.model_state import ModelState
from engine import Counted, Event, Failed, Loaded
from tests.fakes.scripted_worker import INFO


class Counter:
    """A worker that counts words, at once or when it is told to."""

    def __init__(self) -> None:
        self.events: SimpleQueue[Event] = SimpleQueue()
        self.asked: list[tuple[str, ...]] = []
        self.cancelled: list[int | None] = []
        self.waits = False
        self.fails = False

    def count(self, texts: tuple[str, ...]) -> int:
        self.asked.append(texts)
        job = len(self.asked)
        if self.fails:
            self.events.put(Failed(job, "No model is loaded."))
        elif not self.waits:
            self.events.put(Counted(job, tuple(len(text.split()) for text in texts)))
        return job

    def cancel(self, job: int | None = None) -> None:
        self.cancelled.append(job)
        self.events.put(Failed(job or 0, "Cancelled."))


class Bench:
    """A counter, and what it says."""

    def __init__(self, loop) -> None:
        self.loop, self.root, self.worker = loop, QObject(), Counter()
        self.model = ModelState(self.root)
        self.model.apply(Loaded(0, INFO))
        self.bridge = Bridge(self.worker, self.root)
        self.counter = TokenCounter(
            self.worker, self.bridge, self.model, FailureReporter(self.root), self.root
        )
        self.counted: list[tuple] = []
        self.counter.counted.connect(lambda texts, counts: self.counted.append((texts, counts)))

    def settle(self, seconds: float = 0.15) -> None:
        self.loop.run_until_complete(asyncio.sleep(seconds))

    def do(self, act) -> None:
        async def acting() -> None:
            act()

        self.loop.run_until_complete(acting())


@pytest.fixture
def bench(loop, monkeypatch):
    monkeypatch.setattr(counting, "REST_MS", 20)
    last = bridge_module._LAST
    monkeypatch.setattr(bridge_module, "_LAST", (*last, Counted))
    bench = Bench(loop)
    yield bench
    bench.counter.close()
    bench.bridge.close()
    bench.root.deleteLater()


def test_only_the_last_text_is_counted_and_after_a_rest(bench):
    for texts in (("a",), ("a b",), ("a b c", "d")):
        bench.counter.ask(texts)
    assert bench.worker.asked == []
    bench.settle()
    assert bench.worker.asked == [("a b c", "d")]
    assert bench.counted == [(("a b c", "d"), (3, 1))]
    bench.counter.ask(())
    bench.settle()
    assert len(bench.worker.asked) == 1


def test_it_waits_for_a_reply_and_gives_way_to_one(bench):
    bench.counter.set_running(object())
    bench.counter.ask(("a b",))
    bench.settle()
    assert bench.worker.asked == []
    bench.worker.waits = True
    bench.counter.set_running(None)
    bench.settle()
    assert len(bench.worker.asked) == 1
    bench.do(lambda: bench.counter.set_running(object()))
    bench.settle()
    assert bench.worker.cancelled == [1]
    assert bench.counted == []
    bench.worker.waits = False
    bench.counter.set_running(None)
    bench.settle()
    assert bench.counted == [(("a b",), (2,))]


def test_a_count_that_fails_is_not_tried_for_ever(bench):
    bench.worker.fails = True
    bench.counter.ask(("a",))
    bench.settle(0.3)
    assert len(bench.worker.asked) == 1
    assert bench.counted == []


def test_it_waits_for_a_model_and_says_when_another_one_counts(bench):
    outdated = []
    bench.counter.outdated.connect(lambda: outdated.append(1))
    bench.model.begin("other")
    bench.counter.ask(("a",))
    bench.settle()
    assert bench.worker.asked == []
    bench.model.apply(Loaded(0, INFO))
    bench.settle()
    assert bench.worker.asked == [("a",)]
    assert outdated == []
