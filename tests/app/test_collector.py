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
