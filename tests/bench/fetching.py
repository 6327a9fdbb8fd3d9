"""What fetching costs, and how soon it stops: `python -m tests.bench.fetching [MEGABYTES]`.

Prints, and judges nothing: the speed over loopback and how long another thread was kept waiting,
a pause and a close in the flow, in silence and while checking, a cancel, and a search.
"""

import queue
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from app.fetching.events import FetchChecking, FetchDone, FetchEvent, FetchProgress, FetchStopped
from app.fetching.fetcher import Fetcher
from app.fetching.hub import Hub
from tests.fakes.hub_server import HubServer, Trick

REPO, WEIGHTS = "owner/model", "model.safetensors"
ROUNDS = 5


class Bench:
    """A fake hub, and a fetcher with its events."""

    def __init__(self, megabytes: int, cache: Path) -> None:
        self.server = HubServer()
        self.server.files = {
            "config.json": b'{"model_type": "qwen3"}',
            WEIGHTS: bytes(1 << 20) * megabytes,
        }
        self.server.large = {WEIGHTS}
        self.server.rows = [{"id": f"owner/model-{n}", "tags": ["mlx"]} for n in range(40)]
        self.events: queue.SimpleQueue[FetchEvent] = queue.SimpleQueue()
        self.hub = Hub(self.server.url, token=lambda: None)
        self.fetcher = Fetcher(self.hub, cache, self.events.put)

    def until(self, kind: type, is_true: Callable[[FetchEvent], bool] = lambda _: True) -> None:
        """Wait for an event."""
        while not (isinstance(event := self.events.get(timeout=60), kind) and is_true(event)):
            continue

    def close(self) -> None:
        """End everything."""
        self.fetcher.close()
        self.server.close()


def say(what: str, seconds: list[float]) -> None:
    """One line of figures."""
    shown = ", ".join(f"{each * 1000:.0f}" for each in sorted(seconds))
    sys.stdout.write(f"{what}: {shown} ms\n")


def timed(work: Callable[[], object]) -> float:
    """How long it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def longest_gap(work: Callable[[], object]) -> str:
    """The longest that a thread which wants a turn every millisecond was kept waiting.

    The processor time that the process had in it tells waiting for Python's lock from waiting for
    a processor.
    """
    gaps, is_over = [(0.0, 0.0)], threading.Event()

    def tick() -> None:
        last, spent = time.perf_counter(), time.process_time()
        while not is_over.wait(0.001):
            now, now_spent = time.perf_counter(), time.process_time()
            gaps.append((now_spent - spent, now - last))
            last, spent = now, now_spent

    thread = threading.Thread(target=tick)
    thread.start()
    work()
    is_over.set()
    thread.join()
    wall = max(gaps, key=lambda gap: gap[1])
    return f"{wall[1] * 1000:.0f} ms ({max(gaps)[0] * 1000:.0f} ms of processor time)"


def measure_speed(megabytes: int) -> None:
    """The whole model, with its check."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(megabytes, Path(folder))

        def fetch() -> None:
            bench.fetcher.start(1, REPO)
            bench.until(FetchDone)

        idle = longest_gap(lambda: time.sleep(3))
        seconds: list[float] = []
        gap = longest_gap(lambda: seconds.append(timed(fetch)))
        sys.stdout.write(
            f"{megabytes} MB fetched and checked in {seconds[0]:.2f} s, "
            f"{megabytes / seconds[0]:.0f} MB/s\n"
            f"another thread waited at most: {gap}; while nothing was done: {idle}\n"
        )
        say("search", [timed(lambda: bench.hub.search("model")) for _ in range(ROUNDS)])
        bench.close()


def measure_stop(what: str, trick: Trick, kind: type, megabytes: int) -> None:
    """A pause, a cancel and a close at a moment of one kind."""
    pauses, cancels, closes = [], [], []
    for _ in range(ROUNDS):
        for times in (pauses, cancels, closes):
            with tempfile.TemporaryDirectory() as folder:
                bench = Bench(megabytes, Path(folder))
                bench.server.tricks[WEIGHTS] = [trick]
                bench.fetcher.start(1, REPO)
                bench.until(kind, lambda event: event.file == WEIGHTS)

                def stop(times: list[float] = times, bench: Bench = bench) -> None:
                    if times is closes:
                        bench.fetcher.close()
                        return
                    (bench.fetcher.pause if times is pauses else bench.fetcher.cancel)(1)
                    bench.until(FetchStopped)

                times.append(timed(stop))
                bench.close()
    for name, times in (("pause", pauses), ("cancel", cancels), ("close", closes)):
        say(f"{name}, {what}", times)


def main() -> None:
    """All figures."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 512
    measure_speed(megabytes)
    measure_stop("in the flow", Trick(pause=0.001), FetchProgress, 64)
    measure_stop("in silence", Trick(after=1 << 20, is_silent=True), FetchProgress, 4)
    measure_stop("without an answer", Trick(is_mute=True), FetchProgress, 4)
    measure_stop("while checking", Trick(), FetchChecking, 128)


if __name__ == "__main__":
    main()
