"""The numbers of one reply while it runs: statistics, speed over time, one column a step."""

from collections import Counter, deque
from dataclasses import dataclass

from engine import Origin, ReplayHealth, Started, Statistics, StepRecord, Tally

SPEED_WINDOW_SECONDS = 1.0
MAX_SPEED_POINTS = 200
MAX_COLUMNS = 400


@dataclass(frozen=True, slots=True)
class StepColumn:
    """One step as the strip draws it: emitted tokens by origin, rejected drafts above."""

    index: int
    origins: tuple[tuple[Origin, int], ...]
    rejected: int

    @property
    def height(self) -> int:
        """Cells in the column."""
        return sum(count for _, count in self.origins) + self.rejected


class RunStatistics:
    """Fed the same records as the trace, so the numbers are the trace's numbers."""

    def __init__(self, started: Started) -> None:
        self._tally = Tally(len(started.prompt_ids), started.reused, started.prefill_seconds)
        self._replays = started.config.rollback in ("replay", "carry", "local")
        self._recent: deque[tuple[float, int]] = deque()
        self._recent_tokens = 0
        self._next_point = 0.0
        self._point_seconds = 0.1
        self.origins: Counter[Origin] = Counter()
        # Accepted length to steps that kept their whole draft; a subset of the histogram.
        self.whole_drafts: Counter[int] = Counter()
        self.speed: float | None = None
        self.speeds: list[float] = []
        self.columns: deque[StepColumn] = deque(maxlen=MAX_COLUMNS)

    def add(self, record: StepRecord) -> None:
        """Count one step."""
        self._tally.add(record)
        self.origins.update(record.origins)
        if record.draft and record.accepted == len(record.draft):
            self.whole_drafts[record.accepted] += 1
        runs: list[tuple[Origin, int]] = []
        for origin in record.origins:
            if runs and runs[-1][0] == origin:
                runs[-1] = (origin, runs[-1][1] + 1)
            else:
                runs.append((origin, 1))
        rejected = len(record.draft) - record.accepted
        self.columns.append(StepColumn(record.index, tuple(runs), rejected))
        self._measure(record.time, len(record.emitted))

    @property
    def statistics(self) -> Statistics:
        """The engine's own statistics of the steps so far."""
        return self._tally.snapshot()

    @property
    def replay(self) -> ReplayHealth:
        """Partial accepts whose recurrent state was rebuilt."""
        return self._tally.replay_health(self._replays)

    def _measure(self, time: float, tokens: int) -> None:
        recent = self._recent
        recent.append((time, tokens))
        self._recent_tokens += tokens
        while len(recent) > 2 and time - recent[0][0] > SPEED_WINDOW_SECONDS:
            self._recent_tokens -= recent.popleft()[1]
        span = time - recent[0][0]
        if span <= 0:
            return
        # Tokens of the first record in the window were made before the span began.
        self.speed = (self._recent_tokens - recent[0][1]) / span
        if time >= self._next_point and len(recent) > 3:
            self.speeds.append(self.speed)
            self._next_point = time + self._point_seconds
        if len(self.speeds) > MAX_SPEED_POINTS:
            self.speeds = self.speeds[::2]
            self._point_seconds *= 2
