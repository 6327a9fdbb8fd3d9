"""The grid of `verify`: which drafters, rollbacks and draft lengths run, and what each one did."""

from dataclasses import asdict, dataclass
from itertools import product

from engine import DrafterChoice, RollbackName, SpeculationParams, Strategy
from engine.terminal import output
from engine.terminal.arguments import Arguments
from engine.terminal.session import Reply

DRAFTERS: tuple[DrafterChoice, ...] = ("lookup", "suffix")
DRAFT_LENGTHS: tuple[int | None, ...] = (2, 5, None)
REPLAYING = ("replay", "carry", "local")


@dataclass(frozen=True, slots=True)
class Setting:
    """How one row of the grid speculates. `draft_length` None is auto: with pacing, as it ships."""

    drafter: DrafterChoice
    rollback: RollbackName
    draft_length: int | None
    guard: bool | None = None

    @property
    def params(self) -> SpeculationParams:
        """The speculation to ask for."""
        return SpeculationParams(
            drafter=self.drafter,
            rollback=self.rollback,
            draft_length=self.draft_length,
            guard=self.guard,
        )

    def __str__(self) -> str:
        length = "auto" if self.draft_length is None else str(self.draft_length)
        guard = {None: "", True: " guarded", False: " unguarded"}[self.guard]
        return f"{self.drafter} {self.rollback} {length}{guard}"


# Everything as the app and `chat` have it when nothing is asked for.
SHIPPED = Setting("auto", "auto", None)


def settings(arguments: Arguments, rollbacks: tuple[Strategy, ...]) -> tuple[Setting, ...]:
    """The rows to run with these rollbacks: all that was asked for, or a thin grid.

    With `--guard` a fixed length runs without and with it, so that its cost can be seen.
    """
    asked = (arguments.drafters, arguments.draft_lengths, arguments.rollbacks)
    if not rollbacks:
        return ()
    if all(each is None for each in asked):
        chosen = _thin(rollbacks)
    else:
        lengths = arguments.draft_lengths or DRAFT_LENGTHS
        rows = product(arguments.drafters or DRAFTERS, rollbacks, lengths)
        chosen = tuple(Setting(*row) for row in dict.fromkeys(rows))
    return tuple(twin for row in chosen for twin in _guarded(row, arguments.guard))


def _thin(rollbacks: tuple[Strategy, ...]) -> tuple[Setting, ...]:
    """Every rollback once with each drafter and each fixed length, and what ships."""
    rows: list[Setting] = []
    for index, rollback in enumerate(rollbacks):
        first, second = DRAFTERS if index % 2 == 0 else DRAFTERS[::-1]
        rows += [Setting(first, rollback, 5), Setting(second, rollback, 2)]
    return (SHIPPED, *rows)


def _guarded(row: Setting, guard: bool | None) -> tuple[Setting, ...]:
    if guard is None:
        return (row,)
    on, off = (
        Setting(row.drafter, row.rollback, row.draft_length, guard=state) for state in (True, False)
    )
    return (off, on) if guard else (off,)


@dataclass(slots=True)
class Row:
    """What one setting did, over all prompts and temperatures."""

    setting: Setting
    replies: int = 0
    tokens: int = 0
    forwards: int = 0
    drafted: int = 0
    verified: int = 0
    accepted: int = 0
    guarded: int = 0
    has_guard: bool = False
    attempts: int = 0
    replay_emitted: int = 0
    failures: int = 0
    differences: int = 0

    def add(self, reply: Reply, differs: bool) -> None:
        """Count one speculative reply."""
        stats, replay = reply.finished.stats, reply.finished.health.pld_ssm_replay
        self.replies += 1
        self.tokens += stats.emitted
        self.forwards += stats.forwards
        self.drafted += stats.drafted
        self.verified += stats.verified
        self.accepted += stats.accepted
        self.guarded += stats.guarded
        self.has_guard = self.has_guard or reply.started.config.guard
        self.attempts += replay.attempts
        self.replay_emitted += replay.emitted
        self.failures += replay.failures
        self.differences += differs

    @property
    def acceptance(self) -> float | None:
        """Accepted over verified tokens."""
        return self.accepted / self.verified if self.verified else None

    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        return (
            str(self.setting),
            str(self.replies),
            f"{self.forwards}/{self.tokens}",
            f"{self.accepted}/{self.drafted}",
            output.number(self.acceptance, 2),
            str(self.guarded) if self.has_guard else "off",
            f"{self.attempts}/{self.replay_emitted}/{self.failures}",
            str(self.differences),
        )

    def as_json(self) -> dict[str, object]:
        """The row as plain values."""
        figures = asdict(self)
        return {**figures.pop("setting"), **figures, "acceptance": self.acceptance}


HEAD = (
    "drafter rollback K",
    "replies",
    "forwards/tokens",
    "accepted/drafted",
    "acceptance",
    "guarded",
    "replays tried/emitted/failed",
    "differences",
)
