"""A trace played into a reply, as it happened: at any speed, from any place, forwards and back.

The reply grows by the trace's own events, so whatever shows a live reply shows this one. Going back
makes a new reply, grown from a copy kept on the way, and handed out once it has got there; a long
way is gone in slices, a few milliseconds a turn of the event loop.
"""

from bisect import bisect_left, bisect_right
from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.models.branching import branched
from app.models.reply import Reply
from engine import (
    EffectiveConfig,
    Event,
    Notice,
    PrefillProgress,
    Stepped,
    Trace,
    replay_trace,
)

# None is as fast as possible.
SPEEDS: tuple[float | None, ...] = (0.1, 0.25, 0.5, 1.0, 2.0, 5.0, None)
TICK_MS = 16
SLICE_SECONDS = 0.008
_EVENTS_BETWEEN_COPIES = 2_048
_EVENTS_BETWEEN_LOOKS = 16


class PlayedReply(Reply):
    """A reply that comes from a trace; what it ran with is known before it begins."""

    def __init__(self, recorded: EffectiveConfig) -> None:
        super().__init__()
        self.recorded = recorded


class Playback(QObject):
    """Where in a trace we are. It begins at the end, with the whole reply there.

    `grown`: the reply has more; `reply_changed`: it is another one; `changed`: time, speed or
    whether it plays. `notices` are said by every reply that it makes, in front of all else.
    """

    reply_changed = Signal(object)
    grown = Signal()
    changed = Signal()

    def __init__(
        self, trace: Trace, notices: tuple[str, ...] = (), parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.trace = trace
        self.speed: float | None = 1.0
        self.is_playing = False
        self._events, self._moments = _schedule(trace, notices)
        # Where the steps stand among the events, and where the next one would.
        self._starts = [n for n, event in enumerate(self._events) if isinstance(event, Stepped)]
        self.step_times = tuple(step.time for step in trace.steps)
        self._reply: Reply = PlayedReply(trace.started.config)
        self._growing: Reply = self._reply
        self._copies: list[tuple[int, Reply]] = []
        self._applied, self._target = 0, len(self._events)
        # From where on a reply that took the place of another is handed out.
        self._shown_from = 0
        self._time = self.duration
        self._last_tick = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_tick)
        self._advance()

    @property
    def reply(self) -> Reply:
        """The reply as far as it has been played."""
        return self._reply

    @property
    def duration(self) -> float:
        """Seconds from the start of the request to the last step."""
        return self._moments[-1]

    @property
    def time(self) -> float:
        """Seconds into the request."""
        return self._time

    @property
    def num_steps(self) -> int:
        """Steps in the trace."""
        return len(self.step_times)

    @property
    def step(self) -> int:
        """How many steps have been played, or are about to be on the way to a place."""
        return bisect_left(self._starts, self._target)

    @property
    def is_at_end(self) -> bool:
        """Whether there is nothing left to play."""
        return self._target == len(self._events)

    @property
    def is_settled(self) -> bool:
        """Whether the reply has got to where we are; a long way takes a few turns of the loop."""
        return self._applied == self._target

    def play(self) -> None:
        """Go on from here; from the start, where all has been played."""
        if self.is_at_end:
            self.seek_time(0.0)
        self.is_playing = True
        self._last_tick = perf_counter()
        self._timer.start(TICK_MS)
        self.changed.emit()

    def pause(self) -> None:
        """Stay here."""
        if self.is_playing:
            self.is_playing = False
            self._rest()
            self.changed.emit()

    def toggle(self) -> None:
        """Play, or pause."""
        if self.is_playing:
            self.pause()
        else:
            self.play()

    def set_speed(self, speed: float | None) -> None:
        """So many times as fast as it happened; None for as fast as possible."""
        self.speed = speed
        self.changed.emit()

    def seek_step(self, step: int) -> None:
        """Go to where so many steps have been made, and what was said after them."""
        step = min(max(step, 0), self.num_steps)
        target = self._starts[step] if step < self.num_steps else len(self._events)
        self._go(target, self._moments[target - 1])

    def seek_time(self, time: float) -> None:
        """Go to so many seconds into the request."""
        time = min(max(time, 0.0), self.duration)
        self._go(bisect_right(self._moments, time), time)

    def move_step(self, by: int) -> None:
        """Go back or on by steps, and stay there; before the first step lies only the start."""
        self.pause()
        if self.step + by < 0:
            self.seek_time(0.0)
        else:
            self.seek_step(self.step + by)

    def close(self) -> None:
        """Stop for good."""
        self.is_playing = False
        self._timer.stop()

    def advance(self, seconds: float) -> None:
        """Play so many seconds of the clock on the wall."""
        if not self.is_settled:
            self._advance()
        elif self.is_playing:
            if self.speed is None:
                self._hurry()
            else:
                self.seek_time(self._time + seconds * self.speed)
        if self.is_at_end and self.is_settled:
            self.pause()
        self._rest()

    def _go(self, target: int, time: float) -> None:
        self._target, self._time = target, time
        if target < self._applied:
            self._applied, self._growing = self._nearest(target)
            self._shown_from = target
        self._shown_from = min(self._shown_from, target)
        self._advance()
        self.changed.emit()

    def _hurry(self) -> None:
        """Play as much as goes into one slice."""
        self._target = len(self._events)
        self._advance()
        self._target, self._time = self._applied, self._moments[self._applied - 1]
        self.changed.emit()

    def _nearest(self, target: int) -> tuple[int, Reply]:
        """The last kept copy before a place, to grow from."""
        number = bisect_right(self._copies, target, key=lambda copy: copy[0])
        if number == 0:
            return 0, PlayedReply(self.trace.started.config)
        applied, reply = self._copies[number - 1]
        return applied, branched(reply)

    def _advance(self) -> None:
        """Apply what lies before the target, for at most one slice, and say so."""
        begin, ends = self._applied, perf_counter() + SLICE_SECONDS
        while self._applied < self._target:
            self._growing.apply(self._events[self._applied])
            self._applied += 1
            self._keep_copy()
            if self._applied % _EVENTS_BETWEEN_LOOKS == 0 and perf_counter() > ends:
                break
        if not self.is_settled:
            self._timer.start(0)
        if self._growing is self._reply:
            if self._applied > begin:
                self.grown.emit()
        elif self._applied >= self._shown_from:
            self._reply = self._growing
            self.reply_changed.emit(self._reply)

    def _keep_copy(self) -> None:
        last = self._copies[-1][0] if self._copies else 0
        if self._applied - last >= _EVENTS_BETWEEN_COPIES:
            self._copies.append((self._applied, branched(self._growing)))

    def _rest(self) -> None:
        """Turn as fast as there is use for it: not at all, with the clock, or all the time."""
        if not self.is_settled:
            self._timer.start(0)
        elif self.is_playing:
            self._timer.start(TICK_MS)
        else:
            self._timer.stop()

    def _on_tick(self) -> None:
        now = perf_counter()
        elapsed, self._last_tick = now - self._last_tick, now
        self.advance(elapsed)


def _schedule(trace: Trace, notices: tuple[str, ...]) -> tuple[list[Event], list[float]]:
    """Every event with the second it comes at; what is said after a step comes with it."""
    started = trace.started
    to_read = len(started.prompt_ids) - 1
    events: list[Event] = [Notice(started.job, sentence) for sentence in notices]
    events.append(PrefillProgress(started.job, min(started.reused, to_read), to_read))
    moments, now = [0.0] * len(events), started.prefill_seconds
    for event in replay_trace(trace):
        if isinstance(event, Stepped):
            now = max(now, event.record.time)
        events.append(event)
        moments.append(now)
    return events, moments
