"""A reply beside its reruns: one row each, with numbers that follow from the records alone.

The first row is the reply as it was written; it is not run again. Ids compare with that row. Speeds
compare with the rerun without speculation where there is one, else with the first row too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Signal

from app.models.difference import IdsCheck
from app.models.reply import Reply
from engine import Statistics

Likeness = Literal["plain", "same"]
State = Literal["waiting", "running", "done", "failed", "cancelled", "not run"]


@dataclass(frozen=True, slots=True)
class RowNumbers:
    """What a row shows; None where there is nothing to divide by, or to compare with.

    `speed` is decode tokens per second, `ratio` that divided by the yardstick's.
    """

    speed: float | None
    ratio: float | None
    tokens_per_step: float | None
    forwards: int
    acceptance: float | None
    first_token_seconds: float | None
    num_tokens: int
    num_reused: int


class Row:
    """One run of the reply; `ids` compares it with the first row, which has none."""

    def __init__(self, label: str, reply: Reply, state: State, ids: IdsCheck | None) -> None:
        self.label, self.reply, self.state, self.ids = label, reply, state, ids

    @property
    def is_over(self) -> bool:
        """Whether nothing more will come of it."""
        return self.state not in ("waiting", "running")

    @property
    def is_plain(self) -> bool:
        """Whether it was asked to run without speculation."""
        return self.reply.asked is not None and not self.reply.asked.enabled

    @property
    def failure(self) -> str:
        """Why it failed, in a sentence; empty where it did not."""
        return self.reply.failure.sentence if self.reply.failure is not None else ""


class Comparison(QObject):
    """The rows; written by the compare controller. `changed` comes once per turn of the loop."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.reply: Reply | None = None
        self.rows: list[Row] = []
        self.refusal = ""

    @property
    def reruns(self) -> list[Row]:
        """Every row but the reply itself."""
        return self.rows[1:]

    @property
    def is_running(self) -> bool:
        """Whether rows are still to come."""
        return any(not row.is_over for row in self.rows)

    @property
    def num_over(self) -> int:
        """How many reruns are over."""
        return sum(row.is_over for row in self.reruns)

    @property
    def running(self) -> Row | None:
        """The row that is being written."""
        return next((row for row in self.rows if row.state == "running"), None)

    @property
    def yardstick(self) -> Row | None:
        """The row whose speed is 1."""
        plain = (row for row in self.reruns if row.is_plain)
        usable = (row for row in plain if row.state not in ("failed", "not run"))
        return next(usable, self.rows[0] if self.rows else None)

    def numbers(self, row: Row) -> RowNumbers | None:
        """A row's numbers; None where it has not begun."""
        stats = row.reply.statistics
        if stats is None:
            return None
        return RowNumbers(
            speed=stats.decode_tps,
            ratio=self._ratio(row, stats.decode_tps),
            tokens_per_step=stats.tokens_per_step,
            forwards=stats.forwards,
            acceptance=stats.acceptance,
            first_token_seconds=stats.first_token_seconds,
            num_tokens=stats.emitted,
            num_reused=stats.reused_tokens,
        )

    def likeness(self, row: Row) -> Likeness | None:
        """Why a row's speed differs from the yardstick's by chance alone; None where more does it.

        Either both decoded plainly, or the same settings came to the same steps.
        """
        other = self.yardstick
        mine = row.reply.statistics
        its = other.reply.statistics if other is not None else None
        if other is None or mine is None or its is None:
            return None
        if not (mine.verified or its.verified):
            return "plain"
        is_same = row.reply.asked is not None and row.reply.asked == other.reply.asked
        return "same" if is_same and _steps(mine) == _steps(its) else None

    def begin(self, reply: Reply, reruns: Sequence[tuple[str, Reply]]) -> None:
        """Compare another reply, or this one anew; `reruns` are labels and replies that wait."""
        self.reply, self.refusal = reply, ""
        first = Row(self.tr("this reply"), reply, "done", None)
        others = [Row(label, rerun, "waiting", IdsCheck(reply, rerun)) for label, rerun in reruns]
        self.rows = [first, *others]
        self.changed.emit()

    def refuse(self, sentence: str) -> None:
        """Say why nothing was begun; an empty sentence takes that back."""
        self.refusal = sentence
        self.changed.emit()

    def run(self, row: Row) -> None:
        """A row begins."""
        row.state = "running"
        self.changed.emit()

    def publish(self) -> None:
        """The running row has grown."""
        row = self.running
        if row is not None and row.ids is not None:
            row.ids.advance()
        self.changed.emit()

    def close(self, row: Row) -> None:
        """A row is over, however its reply says."""
        reply = row.reply
        if reply.phase == "failed":
            row.state = "failed"
        else:
            row.state = "cancelled" if reply.stop in ("cancelled", None) else "done"
        if row.ids is not None:
            row.ids.advance()
        self.changed.emit()

    def end(self) -> None:
        """Nothing more is run."""
        for row in self.rows:
            if row.state == "running":
                row.state = "cancelled"
            elif row.state == "waiting":
                row.state = "not run"
        self.changed.emit()

    def _ratio(self, row: Row, speed: float | None) -> float | None:
        yardstick = self.yardstick
        # A reply read from a trace ran at another time, perhaps on another machine.
        if row is not yardstick and row.reply.request is None:
            return None
        stats = yardstick.reply.statistics if yardstick is not None else None
        if speed is None or stats is None or not stats.decode_tps:
            return None
        return speed / stats.decode_tps


def _steps(stats: Statistics) -> tuple[object, ...]:
    """What was run, without how long it took."""
    return stats.emitted, stats.steps, stats.forwards, stats.verified, stats.histogram
