"""`bench`: plain against speculative decoding, interleaved in one process, task by task.

A pair is the two runs back to back, and every other pair begins with the speculative one, so that
drift of the machine falls on both. Medians with their spread; the ratio is taken within pairs.
"""

import dataclasses
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

from engine import ModelInfo, SpeculationParams, Statistics
from engine.terminal import output
from engine.terminal.arguments import Arguments
from engine.terminal.session import Reply, Session
from engine.terminal.tasks import Task, choose_tasks

WARMUP_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some figures with the smallest and largest; all None where there were none."""

    median: float | None
    low: float | None
    high: float | None

    @classmethod
    def of(cls, values: list[float]) -> "Spread":
        """The spread of these figures."""
        return cls(median(values), min(values), max(values)) if values else cls(None, None, None)

    def show(self, digits: int = 1) -> str:
        """For the table: median (low-high)."""
        middle, low, high = (output.number(v, digits) for v in (self.median, self.low, self.high))
        return f"{middle} ({low}-{high})"


@dataclass(frozen=True, slots=True)
class Run:
    """One timed reply."""

    reply: Reply
    wall_seconds: float

    @property
    def stats(self) -> Statistics:
        """The reply's statistics."""
        return self.reply.finished.stats


@dataclass(frozen=True, slots=True)
class Pair:
    """The same reply plain and speculative, one right after the other."""

    plain: Run
    speculative: Run

    @property
    def ratio(self) -> float | None:
        """How many times faster decoding was with speculation."""
        plain, speculative = self.plain.stats.decode_tps, self.speculative.stats.decode_tps
        return speculative / plain if plain and speculative else None


@dataclass(frozen=True, slots=True)
class TaskResult:
    """Every pair of one task, and the figures people ask for."""

    task: Task
    pairs: tuple[Pair, ...]

    def as_json(self) -> dict[str, object]:
        """The figures as plain values."""
        stats = self.pairs[-1].speculative.stats
        runs = {
            "plain": [pair.plain for pair in self.pairs],
            "speculative": [pair.speculative for pair in self.pairs],
        }
        tps = {f"{kind}_tps": dataclasses.asdict(decode_spread(runs[kind])) for kind in runs}
        wall = {
            f"{kind}_seconds": dataclasses.asdict(
                Spread.of([run.wall_seconds for run in runs[kind]])
            )
            for kind in runs
        }
        return {
            "task": self.task.name,
            **tps,
            **wall,
            "ratio": dataclasses.asdict(self.ratio),
            "tokens": stats.emitted,
            "forwards": stats.forwards,
            "acceptance": stats.acceptance,
            "histogram": stats.histogram,
            "draft_microseconds": self.draft_microseconds,
            "ids_equal": self.ids_equal,
        }

    @property
    def ratio(self) -> Spread:
        """Speculative over plain decoding speed, within pairs."""
        return Spread.of([pair.ratio for pair in self.pairs if pair.ratio is not None])

    @property
    def ids_equal(self) -> bool:
        """Whether every reply of the task was the same, token by token."""
        replies = {run.reply.ids for pair in self.pairs for run in (pair.plain, pair.speculative)}
        return len(replies) == 1

    @property
    def draft_microseconds(self) -> float:
        """Median time a step spent on finding its draft."""
        steps = (record for pair in self.pairs for record in pair.speculative.reply.records)
        return median([record.seconds.draft for record in steps] or [0.0]) * 1e6

    def row(self) -> tuple[str, ...]:
        """The figures as a row of the table."""
        stats = self.pairs[-1].speculative.stats
        plain = [pair.plain for pair in self.pairs]
        speculative = [pair.speculative for pair in self.pairs]
        return (
            self.task.name,
            decode_spread(plain).show(),
            decode_spread(speculative).show(),
            self.ratio.show(2),
            output.number(Spread.of([run.wall_seconds for run in plain]).median, 2),
            output.number(Spread.of([run.wall_seconds for run in speculative]).median, 2),
            f"{stats.forwards}/{stats.emitted}",
            output.number(stats.acceptance, 2),
            output.number(self.draft_microseconds, 0),
            "equal" if self.ids_equal else "DIFFER",
            " ".join(f"{length}:{steps}" for length, steps in stats.histogram.items()) or "-",
        )


HEAD = (
    "task",
    "plain tok/s",
    "speculative tok/s",
    "ratio",
    "plain s",
    "spec. s",
    "forwards/tokens",
    "acceptance",
    "draft us",
    "ids",
    "accepted length:steps",
)


def run(arguments: Arguments) -> int:
    """Run the tasks and print their figures; returns the exit code."""
    tasks = choose_tasks(arguments.tasks)
    speculation = arguments.speculation()
    for task in tasks:
        task.request(speculation, max_tokens=arguments.max_tokens)
    with Session() as session:
        info = session.load(arguments.model)
        warn_of_slow_library(info)
        _time(session, tasks[0], speculation, WARMUP_TOKENS)
        results = [
            TaskResult(task, tuple(_pairs(session, task, speculation, arguments))) for task in tasks
        ]
    output.end_progress()
    if arguments.json:
        tasks_json = [result.as_json() for result in results]
        output.json_object(
            {
                "model": info.name,
                "device": info.device,
                "pairs": arguments.pairs,
                "tasks": tasks_json,
            }
        )
    else:
        output.lines(output.table(HEAD, [result.row() for result in results]))
    return 0


def warn_of_slow_library(info: ModelInfo) -> None:
    """MLX's own linear algebra on a Linux CPU gains nothing from blocks; say so once."""
    is_preloaded = "openblas" in os.environ.get("LD_PRELOAD", "")
    if sys.platform == "linux" and "cpu" in info.device.lower() and not is_preloaded:
        output.note(
            "note: OpenBLAS is not preloaded, so these figures mean little; install "
            "libopenblas0-pthread and set LD_PRELOAD to its libblas.so.3."
        )


def decode_spread(runs: list[Run]) -> Spread:
    """Decoding speed over these runs."""
    return Spread.of([run.stats.decode_tps for run in runs if run.stats.decode_tps is not None])


def _pairs(
    session: Session, task: Task, speculation: SpeculationParams, arguments: Arguments
) -> Iterator[Pair]:
    plain = dataclasses.replace(speculation, enabled=False)
    for index in range(arguments.pairs):
        output.progress(f"{task.title}: pair {index + 1} of {arguments.pairs}")
        order = (plain, speculation) if index % 2 == 0 else (speculation, plain)
        runs = [_time(session, task, params, arguments.max_tokens) for params in order]
        yield Pair(*(runs if index % 2 == 0 else reversed(runs)))


def _time(
    session: Session, task: Task, speculation: SpeculationParams, max_tokens: int | None
) -> Run:
    request = task.request(speculation, max_tokens=max_tokens)
    began = time.perf_counter()
    reply = session.reply(request, is_quiet=True)
    return Run(reply, time.perf_counter() - began)
