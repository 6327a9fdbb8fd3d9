"""Garbage with Qt in it dies on the UI thread, whoever allocates."""

import gc
import threading

from PySide6.QtCore import QObject

from app.collector import Collector


class Cycle(QObject):
    """Reachable from itself alone once forgotten."""

    def __init__(self, died_on: list[str]) -> None:
        super().__init__()
        self.me = self
        self.died_on = died_on

    def __del__(self) -> None:
        self.died_on.append(threading.current_thread().name)


def test_cycles_die_here_while_another_thread_allocates(qapp) -> None:
    collector = Collector()
    gc.enable()
    collector.start()
    died_on: list[str] = []
    try:
        for _ in range(50):
            Cycle(died_on)
        worker = threading.Thread(
            target=lambda: [[{} for _ in range(10)] for _ in range(50_000)], name="worker"
        )
        worker.start()
        worker.join()
        assert not died_on
        for _ in range(60):
            collector.collect()
    finally:
        collector.stop()
    assert died_on == [threading.current_thread().name] * 50
    assert gc.isenabled()
    gc.disable()
    assert gc.get_freeze_count() == 0


def test_what_comes_by_the_hundred_thousand_is_not_looked_through(qapp, monkeypatch) -> None:
    rounds: list[int] = []
    monkeypatch.setattr("app.collector.MOST_AT_ONCE", 2_000)
    collector = Collector()
    collector.start()
    try:
        monkeypatch.setattr("app.collector.gc.collect", rounds.append)
        few = [[] for _ in range(100)]
        collector.collect()
        assert rounds == [0]
        frozen = gc.get_freeze_count()
        many = [[] for _ in range(3_000)]
        collector.collect()
        assert rounds == [0]
        assert gc.get_freeze_count() > frozen + len(few) + len(many) - 100
        collector.collect()
        assert rounds == [0, 0]
    finally:
        monkeypatch.undo()
        collector.stop()


def test_many_short_lives_are_not_many(qapp, monkeypatch) -> None:
    monkeypatch.setattr("app.collector.MOST_AT_ONCE", 2_000)
    collector = Collector()
    collector.start()
    try:
        frozen = gc.get_freeze_count()
        for _ in range(180):
            brief = [[] for _ in range(30)]
            collector.collect()
            del brief
        assert gc.get_freeze_count() == frozen
    finally:
        collector.stop()
