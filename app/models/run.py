"""The numbers of one reply while it runs: statistics, speed over time, drafts by position.

Fed the same records as the trace, in the same order, so that every number here can be computed
again from the trace alone.
"""

from collections import Counter, deque
from dataclasses import dataclass, replace

from engine import Origin, ReplayHealth, Started, Statistics, StepRecord, Tally

SPEED_WINDOW_SECONDS = 1.0
# A shorter window, at the beginning of a reply, has to hold so many steps to say something.
LEAST_STEPS = 3
MAX_SPEED_POINTS = 400
# No forward takes less; a trace that says so is taken to say nothing.
SHORTEST_SECONDS = 1e-7


@dataclass(frozen=True, slots=True)
class SpeedPoint:
    """Tokens per second at `time`, in seconds into the request.

    Counted from the newest step that had come at least a second earlier (from the first one, where
    none had), so that a step which takes longer than a second counts with all of its time.
    """

    time: float
    speed: float


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of steps, `first` to before `end` (None: still open), in which drafting was `on`.

    `since` is the time of the step before it, in seconds into the request.
    """

    first: int
    end: int | None
    is_on: bool
    reason: str
    since: float
    until: float | None


class RunStatistics:
    """Counts one step after the other."""

    def __init__(self, started: Started) -> None:
        self._tally = Tally(len(started.prompt_ids), started.reused, started.prefill_seconds)
        self._snapshot: Statistics | None = None
        self._replays = started.config.rollback in ("replay", "carry", "local")
        self._recent: deque[tuple[float, int]] = deque()
        self._recent_tokens = 0
        self._next_point = 0.0
        self._point_seconds = 0.1
        self._points: list[SpeedPoint] = []
        self._newest_point: SpeedPoint | None = None
        self._last_time = started.prefill_seconds
        self.origins: Counter[Origin] = Counter()
        # Accepted length to steps that kept their whole draft; a subset of the histogram.
        self.whole_drafts: Counter[int] = Counter()
        # By place in the draft, from 0: drafts that reached so far, and tokens accepted there.
        self.drafted_at: Counter[int] = Counter()
        self.accepted_at: Counter[int] = Counter()
        self.num_with_draft = 0
        # What the steps with a draft took, from one emission to the next, and emitted.
        self.seconds_with_draft = 0.0
        self.emitted_with_draft = 0
        self.phase_seconds: dict[str, float] = {}
        self.speed: float | None = None
        # What a plain step takes, by the newest word on it: measured at load, refreshed by steps.
        self.plain_seconds = started.plain_seconds
        self.bands = [
            Band(0, None, started.config.enabled, started.config.reason, self._last_time, None)
        ]

    def add(self, record: StepRecord) -> None:
        """Count one step."""
        self._snapshot = None
        self._tally.add(record)
        self.origins.update(record.origins)
        if record.draft:
            self.num_with_draft += 1
            self.seconds_with_draft += (
                record.interface_seconds(self._last_time) + record.seconds.total
            )
            self.emitted_with_draft += len(record.emitted)
            self.drafted_at.update(range(len(record.draft)))
            self.accepted_at.update(range(record.accepted))
            if record.accepted == len(record.draft):
                self.whole_drafts[record.accepted] += 1
        self._time_phases(record)
        if record.choice is not None and record.choice.plain_seconds is not None:
            self.plain_seconds = record.choice.plain_seconds
        self._last_time = record.time
        self._measure(record.time, len(record.emitted))

    def change(self, is_on: bool, reason: str) -> None:
        """Speculation stood down, or took up again, behind the last step."""
        last, step = self.bands[-1], self.statistics.steps
        self.bands[-1] = Band(
            last.first, step, last.is_on, last.reason, last.since, self._last_time
        )
        self.bands.append(Band(step, None, is_on, reason, self._last_time, None))

    def end(self) -> None:
        """No step follows: what was decided behind the last one never came to be."""
        bands, num_steps = self.bands, self.statistics.steps
        while len(bands) > 1 and bands[-1].first >= num_steps:
            bands.pop()
        bands[-1] = replace(bands[-1], end=None, until=None)

    @property
    def speculation(self) -> tuple[bool, str]:
        """Whether drafts are being made, and why."""
        return self.bands[-1].is_on, self.bands[-1].reason

    @property
    def plain_speed(self) -> float | None:
        """Tokens per second of plain steps, as measured; None where they never were."""
        seconds = self.plain_seconds
        return 1 / seconds if seconds is not None and seconds > SHORTEST_SECONDS else None

    @property
    def speeds(self) -> tuple[SpeedPoint, ...]:
        """The speed over time, thinned out; the newest step is always among it."""
        newest = self._newest_point
        if newest is None or newest in self._points[-1:]:
            return tuple(self._points)
        return (*self._points, newest)

    @property
    def statistics(self) -> Statistics:
        """The engine's own statistics of the steps so far."""
        if self._snapshot is None:
            self._snapshot = self._tally.snapshot()
        return self._snapshot

    @property
    def replay(self) -> ReplayHealth:
        """Partial accepts whose recurrent state was rebuilt."""
        return self._tally.replay_health(self._replays)

    def _time_phases(self, record: StepRecord) -> None:
        seconds, total = record.seconds, self.phase_seconds
        for name, spent in (
            ("draft", seconds.draft),
            ("verify", seconds.verify),
            ("rollback", seconds.rollback),
            ("emit", seconds.emit),
            ("interface", record.interface_seconds(self._last_time)),
        ):
            total[name] = total.get(name, 0.0) + spent

    def _measure(self, time: float, tokens: int) -> None:
        recent = self._recent
        recent.append((time, tokens))
        self._recent_tokens += tokens
        while len(recent) > 2 and time - recent[1][0] >= SPEED_WINDOW_SECONDS:
            self._recent_tokens -= recent.popleft()[1]
        span = time - recent[0][0]
        if span <= 0:
            return
        # Tokens of the first record in the window were made before the span began.
        self.speed = (self._recent_tokens - recent[0][1]) / span
        if span < SPEED_WINDOW_SECONDS and len(recent) <= LEAST_STEPS:
            return
        self._newest_point = SpeedPoint(time, self.speed)
        if time >= self._next_point:
            self._points.append(self._newest_point)
            self._next_point = time + self._point_seconds
        if len(self._points) > MAX_SPEED_POINTS:
            self._points = self._points[::2]
            self._point_seconds *= 2
