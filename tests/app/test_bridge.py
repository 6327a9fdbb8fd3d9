"""Events cross from the worker's thread in order, cheaply, a bounded number per turn."""

import asyncio
import queue
import sys
import time
from dataclasses import replace

import pytest
from PySide6.QtCore import QObject, QTimer, Signal

from app.bridge import TICK_MS, Bridge
from app.pace import beat_ms
from engine import Failed, Loaded, Notice
from tests.fakes.scripted_worker import INFO, ScriptedWorker


class QueueOnly:
    """As much of a worker as the bridge looks at."""

    def __init__(self) -> None:
        self.events: queue.SimpleQueue = queue.SimpleQueue()


@pytest.fixture
def source(loop):
    source = QueueOnly()
    source.bridge = Bridge(source)
    source.loop = loop
    yield source
    source.bridge.close()


def test_events_of_two_jobs_come_in_order_to_their_own_listener(source):
    for number in range(500):
        source.events.put(Notice(1 + number % 2, str(number)))
    source.events.put(Failed(2, "end"))
    source.events.put(Failed(1, "end"))

    async def listen(events):
        return [event.sentence async for event in events]

    async def both():
        return await asyncio.gather(*[listen(source.bridge.run(job)) for job in (1, 2)])

    first, second = source.loop.run_until_complete(both())
    assert first == [str(n) for n in range(0, 500, 2)] + ["end"]
    assert second == [str(n) for n in range(1, 500, 2)] + ["end"]
    assert source.bridge.is_idle


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_the_beat_is_that_of_the_models_device(source, device):
    source.bridge.run(1)
    source.bridge.run(2)
    (timer,) = source.bridge.findChildren(QTimer)
    source.events.put(Loaded(1, replace(INFO, device=device)))
    source.bridge.drain()
    assert timer.interval() == beat_ms(device)
    source.bridge.drain()
    assert timer.interval() == TICK_MS  # nothing came: the next is not kept waiting
    source.events.put(Notice(2, "text"))
    source.bridge.drain()
    assert timer.interval() == beat_ms(device)


def test_a_turn_takes_some_and_leaves_the_rest(source):
    for _ in range(300_000):
        source.events.put(Notice(1, ""))
    events = source.bridge.run(1)
    source.bridge.drain()
    taken = 300_000 - source.events.qsize()
    assert 0 < taken < 300_000
    assert not events._is_over


def test_the_listener_gives_the_loop_a_turn_while_much_waits(source):
    for _ in range(50_000):
        source.events.put(Notice(1, ""))
    source.events.put(Failed(1, "end"))
    turns = []

    async def listen():
        async for _ in source.bridge.run(1):
            time.sleep(1e-5)

    async def count():
        listening = asyncio.ensure_future(listen())
        while not listening.done():
            turns.append(time.perf_counter())
            await asyncio.sleep(0)

    source.loop.run_until_complete(count())
    assert len(turns) > 20


def test_200_000_events_arrive_in_order(source, capsys):
    num_events = 200_000
    for number in range(num_events - 1):
        source.events.put(Notice(1, str(number)))
    source.events.put(Failed(1, "end"))

    async def listen():
        return [event async for event in source.bridge.run(1)]

    begin = time.perf_counter()
    events = source.loop.run_until_complete(listen())
    micros = (time.perf_counter() - begin) / num_events * 1e6
    with capsys.disabled():
        sys.stdout.write(f"\n  bridge: {micros:.2f} us an event over {num_events:,} events\n")
    assert len(events) == num_events
    assert all(event.sentence == str(number) for number, event in enumerate(events[:-1]))


def test_a_job_without_a_listener_does_not_hold_up_the_others(source):
    source.events.put(Notice(7, "nobody"))
    source.events.put(Failed(1, "end"))

    async def listen():
        return [event async for event in source.bridge.run(1)]

    assert source.loop.run_until_complete(listen()) == [Failed(1, "end")]


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="True lives for ever")
def test_5000_emits_leave_the_references_to_true_alone(qapp):
    class Emitter(QObject):
        fired = Signal(bool)

    emitter, seen = Emitter(), []
    emitter.fired.connect(lambda value: seen.append(1))
    emitter.fired.emit(True)  # what the first emit sets up is kept, once
    seen.clear()
    before = sys.getrefcount(True)
    for _ in range(5_000):
        emitter.fired.emit(True)
    assert len(seen) == 5_000
    # Not one lost for each emit; anything else that comes to hold True counts as well.
    assert abs(sys.getrefcount(True) - before) < 10


def test_the_scripted_worker_has_the_real_workers_surface():
    from engine import EngineWorker

    def public(kind):
        return {name for name in vars(kind) if not name.startswith("_")}

    assert public(EngineWorker) <= public(ScriptedWorker)
