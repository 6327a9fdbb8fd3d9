"""`verify`: the same text with speculation on and off, for every rollback, length and temperature.

Plain decoding is the truth; each speculative reply must have its very ids. A model on which
speculation never engaged has shown nothing, and that counts as a failure too.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field

from engine import SamplingParams, SpeculationParams, Strategy
from engine.terminal import output
from engine.terminal.arguments import Arguments
from engine.terminal.differences import Case, Difference, explain
from engine.terminal.prompts import read_prompts
from engine.terminal.session import Reply, Session
from engine.terminal.tasks import Task

REPLAYING = ("replay", "carry", "local")
PLAIN = SpeculationParams(enabled=False)
SEED = 7
DEFAULT_TOKENS = 64


@dataclass(slots=True)
class Row:
    """What one rollback with one draft length did, over all prompts and temperatures."""

    rollback: Strategy
    draft_length: int
    replies: int = 0
    tokens: int = 0
    forwards: int = 0
    drafted: int = 0
    accepted: int = 0
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
        self.accepted += stats.accepted
        self.attempts += replay.attempts
        self.replay_emitted += replay.emitted
        self.failures += replay.failures
        self.differences += differs

    def cells(self) -> tuple[str, ...]:
        """The row of the table."""
        return (
            f"{self.rollback} {self.draft_length}",
            str(self.replies),
            f"{self.forwards}/{self.tokens}",
            f"{self.accepted}/{self.drafted}",
            f"{self.attempts}/{self.replay_emitted}/{self.failures}",
            str(self.differences),
        )


HEAD = (
    "rollback K",
    "replies",
    "forwards/tokens",
    "accepted/drafted",
    "replays tried/emitted/failed",
    "differences",
)


@dataclass(slots=True)
class Report:
    """Everything one verification found."""

    model: str
    rows: list[Row] = field(default_factory=list)
    unsupported: dict[str, str] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)

    def faults(self) -> list[str]:
        """Why this is not a pass, a sentence each; nothing where it is one."""
        faults = [difference.sentence() for difference in self.differences]
        if not any(row.accepted for row in self.rows):
            faults.append("No draft was ever accepted, so nothing was shown.")
        replaying = [row for row in self.rows if row.rollback in REPLAYING]
        if replaying and not any(row.attempts for row in replaying):
            faults.append("No partial accept came, so no replay was shown.")
        if failures := sum(row.failures for row in self.rows):
            faults.append(f"The caches could not be rolled back {failures} times.")
        return faults

    def summary(self) -> str:
        """The result in a sentence, claiming no more than was run."""
        replies, tokens = (
            sum(row.replies for row in self.rows),
            sum(row.tokens for row in self.rows),
        )
        ran = f"{replies} speculative replies, {tokens} tokens"
        if self.faults():
            return f"FAILED: {len(self.differences)} differences in {ran}."
        return f"Token-exact on these prompts: {ran}, no difference."

    def as_json(self) -> dict[str, object]:
        """The report as plain values."""
        return {
            "model": self.model,
            "passed": not self.faults(),
            "faults": self.faults(),
            "rows": [asdict(row) for row in self.rows],
            "unsupported": self.unsupported,
            "differences": [difference.as_json() for difference in self.differences],
        }


def run(arguments: Arguments) -> int:
    """Verify and print what was found; returns the exit code."""
    tasks = read_prompts(arguments.prompts)
    cases = list(_cases(arguments, tasks))
    for case in cases:
        case.request(PLAIN)
    with Session() as session:
        report = Report(session.load(arguments.model).name)
        rollbacks = _supported(session, arguments, tasks[0], report)
        for case in cases if rollbacks else ():
            _verify_case(session, case, report)
    output.end_progress()
    if arguments.json:
        output.json_object(report.as_json())
    else:
        _print(report)
    return 1 if report.faults() else 0


def _cases(arguments: Arguments, tasks: tuple[Task, ...]) -> Iterator[Case]:
    limit = DEFAULT_TOKENS if arguments.max_tokens is None else arguments.max_tokens
    for task in tasks:
        # Greedy decoding of the second built-in prompt is enough, and keeps this near two minutes.
        is_brief = arguments.prompts is None and task is not tasks[0]
        for temperature in arguments.temperatures[: 1 if is_brief else None]:
            yield Case(task, SamplingParams(temperature=temperature, seed=SEED), limit)


def _supported(
    session: Session, arguments: Arguments, task: Task, report: Report
) -> list[Strategy]:
    """The rollbacks this model really runs; the report says why not the others."""
    rollbacks: list[Strategy] = []
    for rollback in dict.fromkeys(arguments.rollbacks):
        params = SpeculationParams(rollback=rollback)
        reply = session.reply(task.request(params, max_tokens=1), is_quiet=True)
        config = reply.started.config
        if config.enabled and config.rollback == rollback:
            rollbacks.append(rollback)
        else:
            report.unsupported[rollback] = " ".join(reply.notices) or config.reason
    report.rows = [Row(name, length) for name in rollbacks for length in arguments.draft_lengths]
    return rollbacks


def _verify_case(session: Session, case: Case, report: Report) -> None:
    plain = session.reply(case.request(PLAIN), is_quiet=True)
    for row in report.rows:
        output.progress(f"{case}: {row.rollback}, draft length {row.draft_length}")
        params = SpeculationParams(rollback=row.rollback, draft_length=row.draft_length)
        reply = session.reply(case.request(params), is_quiet=True)
        differs = reply.ids != plain.ids
        row.add(reply, differs)
        if differs:
            report.differences.append(explain(session, case, params, plain, reply))


def _print(report: Report) -> None:
    output.lines(output.table(HEAD, [row.cells() for row in report.rows]))
    output.lines(f"{name}: not run. {reason}" for name, reason in report.unsupported.items())
    output.lines(report.faults())
    output.lines([report.summary()])
