"""What a benchmark measured: runs in rounds, and the figures that may be taken from them.

A round holds one run of every column, so a ratio is taken between two runs of one round. Figures
are medians with the smallest and largest value and, from six rounds on, a 95 % interval of the
median from order statistics (no assumption about how the noise is distributed).
"""

from dataclasses import asdict, dataclass
from math import comb
from statistics import median

from engine import Statistics, StepRecord
from engine.terminal.columns import Column
from engine.terminal.session import Reply
from engine.terminal.tasks import Task

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of some figures, the smallest and largest, and the median's 95 % interval.

    All None where there were no figures; no interval where they are too few for one.
    """

    median: float | None
    low: float | None
    high: float | None
    interval: tuple[float, float] | None

    @classmethod
    def of(cls, values: list[float]) -> "Spread":
        """The spread of these figures."""
        if not values:
            return cls(None, None, None, None)
        return cls(median(values), min(values), max(values), median_interval(values))


def median_interval(values: list[float]) -> tuple[float, float] | None:
    """The narrowest pair of order statistics around the median that holds it with 95 %.

    The number of values under the true median is binomial (n, 1/2); six values are the fewest.
    """
    count, ordered = len(values), sorted(values)
    rank, outside = 0, 0.0
    for below in range(count // 2):
        outside += 2 * comb(count, below) / 2**count
        if 1 - outside < CONFIDENCE:
            break
        rank = below + 1
    return (ordered[rank - 1], ordered[count - rank]) if rank else None


@dataclass(frozen=True, slots=True)
class Run:
    """One timed reply; `wall_seconds` are those of the whole reply, prefill included."""

    reply: Reply
    wall_seconds: float

    @property
    def stats(self) -> Statistics:
        """The reply's statistics."""
        return self.reply.finished.stats

    @property
    def stood_down(self) -> str | None:
        """Why speculation stood down the first time, if it did."""
        return next((change.reason for change in self.reply.changes if not change.active), None)


@dataclass(frozen=True, slots=True)
class ColumnResult:
    """One column's runs of one task, a run a round, beside those it is measured against."""

    column: Column
    runs: tuple[Run, ...]
    base: tuple[Run, ...]

    @property
    def speed(self) -> Spread:
        """Decoding speed, in tokens a second."""
        return Spread.of([run.stats.decode_tps for run in self.runs if run.stats.decode_tps])

    @property
    def ratio(self) -> Spread:
        """How many times as fast as the first column, round by round; none where ids differ."""
        if not self.is_equal:
            return Spread.of([])
        pairs = zip(self.runs, self.base, strict=True)
        speeds = [(run.stats.decode_tps, base.stats.decode_tps) for run, base in pairs]
        return Spread.of([ours / theirs for ours, theirs in speeds if ours and theirs])

    @property
    def wall_seconds(self) -> Spread:
        """Seconds from request to end."""
        return Spread.of([run.wall_seconds for run in self.runs])

    @property
    def is_equal(self) -> bool:
        """Whether every reply has the ids of the first column's."""
        return self.parting is None

    @property
    def parting(self) -> int | None:
        """The first token at which a reply differs from the first column's; None where none does.

        Every reply of the first column is compared too, with its own first.
        """
        truth = self.base[0].reply.ids
        others = {run.reply.ids for run in self.runs} - {truth}
        return min((first_difference(truth, ids) for ids in others), default=None)

    @property
    def tokens(self) -> int:
        """How long the reply is."""
        return self.runs[0].stats.emitted

    @property
    def forwards(self) -> float:
        """Forwards a reply took; pacing watches the clock, so rounds may differ."""
        return median(run.stats.forwards for run in self.runs)

    @property
    def forwards_per_token(self) -> float:
        """Forwards over tokens: what a machine that only reads weights would gain."""
        emitted = sum(run.stats.emitted for run in self.runs)
        return sum(run.stats.forwards for run in self.runs) / emitted

    @property
    def acceptance(self) -> float | None:
        """Accepted over verified, all rounds together."""
        verified = sum(run.stats.verified for run in self.runs)
        return sum(run.stats.accepted for run in self.runs) / verified if verified else None

    @property
    def guarded(self) -> float:
        """Near-ties a reply left to a forward of one token."""
        return median(run.stats.guarded for run in self.runs)

    @property
    def draft_microseconds(self) -> float | None:
        """Median time a step spent on finding its draft; None where none is looked for."""
        seconds = [record.seconds.draft for record in self._records]
        return median(seconds) * 1e6 if self.column.speculation.enabled and seconds else None

    @property
    def rollback_share(self) -> float | None:
        """The part of all step time that went into rolling back."""
        phases = [record.seconds for record in self._records]
        total = sum(phase.draft + phase.verify + phase.rollback for phase in phases)
        is_asked = self.column.speculation.enabled and total > 0
        return sum(phase.rollback for phase in phases) / total if is_asked else None

    @property
    def stood_down(self) -> tuple[str, ...]:
        """Why speculation stood down, a sentence for each round in which it did."""
        return tuple(run.stood_down for run in self.runs if run.stood_down is not None)

    @property
    def _records(self) -> list[StepRecord]:
        return [record for run in self.runs for record in run.reply.records]

    def as_json(self) -> dict[str, object]:
        """The figures as plain values, and the speed of every round."""
        last = self.runs[-1].stats
        return {
            "column": self.column.name,
            "tps": asdict(self.speed),
            "ratio": asdict(self.ratio),
            "wall_seconds": asdict(self.wall_seconds),
            "rounds": [run.stats.decode_tps for run in self.runs],
            "tokens": self.tokens,
            "forwards": self.forwards,
            "forwards_per_token": self.forwards_per_token,
            "acceptance": self.acceptance,
            "guarded": self.guarded,
            "histogram": last.histogram,
            "draft_microseconds": self.draft_microseconds,
            "rollback_share": self.rollback_share,
            "rollback": self.runs[-1].reply.started.config.rollback,
            "ids_equal": self.is_equal,
            "differs_at": self.parting,
            "stood_down": self.stood_down,
        }


@dataclass(frozen=True, slots=True)
class TaskResult:
    """Every column of one task; ratios and ids are against the first."""

    task: Task
    columns: tuple[ColumnResult, ...]

    @classmethod
    def of(
        cls, task: Task, columns: tuple[Column, ...], rounds: list[dict[str, Run]]
    ) -> "TaskResult":
        """The result of these rounds, each a run by column name."""
        base = tuple(each[columns[0].name] for each in rounds)
        return cls(
            task,
            tuple(
                ColumnResult(column, tuple(each[column.name] for each in rounds), base)
                for column in columns
            ),
        )

    def as_json(self) -> dict[str, object]:
        """The task's figures as plain values."""
        stats = self.columns[0].base[0].stats
        return {
            "task": self.task.name,
            "title": self.task.title,
            "prompt_tokens": stats.prompt_tokens,
            "tokens": stats.emitted,
            "columns": [column.as_json() for column in self.columns],
        }


def first_difference(first: tuple[int, ...], second: tuple[int, ...]) -> int:
    """The first index at which they differ; the shorter's length where it begins the longer."""
    pairs = zip(first, second, strict=False)
    shorter = min(len(first), len(second))
    return next((index for index, (one, other) in enumerate(pairs) if one != other), shorter)
