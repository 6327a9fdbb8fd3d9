"""What loading and leaving a model costs: `python -m tests.bench.loading [MODEL] [ROUNDS]`.

Prints, and judges nothing: for each round the seconds of a load, a short reply and an unload, how
long after a cancel among the weights a load ends, and the memory of MLX and of the process then.
"""

import sys
import time

import mlx.core as mx
import psutil

from engine import (
    EngineWorker,
    Event,
    Failed,
    Finished,
    GenerationRequest,
    Loaded,
    LoadProgress,
    Message,
    Unloaded,
)

QUESTION = GenerationRequest(messages=(Message("user", "Say hello."),), max_tokens=8)


def ended(worker: EngineWorker) -> tuple[Event, float]:
    """The last event of the job that runs, and the seconds until it came."""
    began = time.perf_counter()
    while True:
        event = worker.events.get()
        if isinstance(event, Loaded | Finished | Unloaded | Failed):
            return event, time.perf_counter() - began


def cancelled(worker: EngineWorker, name: str) -> float:
    """Seconds from a cancel, when the first weights are read, to the end of the load."""
    job = worker.load(name)
    event: Event | None = None
    while not (isinstance(event, LoadProgress) and event.done_bytes):
        event = worker.events.get()
    worker.cancel(job)
    return ended(worker)[1]


def main() -> None:
    """Twenty rounds with the demo model, unless others were asked for."""
    name = sys.argv[1] if len(sys.argv) > 1 else "demo"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    worker, process = EngineWorker(), psutil.Process()
    for number in range(1, rounds + 1):
        seconds: list[float] = []
        for begin in (
            lambda: worker.load(name),
            lambda: worker.generate(QUESTION),
            worker.unload,
        ):
            begin()
            event, spent = ended(worker)
            assert not isinstance(event, Failed), event.sentence
            seconds.append(spent)
        wait = cancelled(worker, name)
        load, reply, unload = seconds
        sys.stdout.write(
            f"{number:2}: load {load:.2f} s, reply {reply:.2f} s, unload {unload * 1000:.0f} ms, "
            f"cancel {wait * 1000:.0f} ms; MLX {mx.get_active_memory() / 2**20:.2f} MB and "
            f"{mx.get_cache_memory() / 2**20:.2f} MB kept, process "
            f"{process.memory_info().rss / 2**20:.0f} MB\n"
        )
    worker.close()


if __name__ == "__main__":
    main()
