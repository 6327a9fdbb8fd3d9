"""`verify`: the same text with speculation on and off, over a grid of ways to speculate.

Plain decoding is the truth; each speculative reply must have its very ids, and so must a turn that
goes on from kept caches. A model on which speculation never engaged has shown nothing, and that
counts as a failure too.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import get_args

from engine import SamplingParams, SpeculationParams, Strategy
from engine.terminal import output
from engine.terminal.arguments import Arguments
from engine.terminal.differences import Case, Difference, Explainer
from engine.terminal.grid import HEAD, REPLAYING, Row, settings
from engine.terminal.headway import Headway
from engine.terminal.prompts import read_prompts
from engine.terminal.reuse_check import PLAIN, REUSE_REPLIES, ReuseRow, check_reuse
from engine.terminal.session import Session
from engine.terminal.tasks import Task

SEED = 7
DEFAULT_TOKENS = 64
TEMPERATURES = (0.0, 0.7)


@dataclass(slots=True)
class Report:
    """Everything one verification found."""

    model: str
    rows: list[Row] = field(default_factory=list)
    unsupported: dict[str, str] = field(default_factory=dict)
    reuse: list[ReuseRow] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)

    def faults(self) -> list[str]:
        """Why this is not a pass, a sentence each; nothing where it is one."""
        faults = [difference.sentence() for difference in self.differences]
        if not any(row.accepted for row in self.rows):
            faults.append("No draft was ever accepted, so nothing was shown.")
        replaying = [row for row in self.rows if row.setting.rollback in REPLAYING]
        if replaying and not any(row.attempts for row in replaying):
            faults.append("No partial accept came, so no replay was shown.")
        if failures := sum(row.failures for row in self.rows):
            faults.append(f"The caches could not be rolled back {failures} times.")
        if self.reuse and not any(row.reused_tokens for row in self.reuse):
            faults.append("No token was kept from turn to turn, so no reuse was shown.")
        return faults

    def summary(self) -> str:
        """The result in a sentence, claiming no more than was run."""
        replies = sum(row.replies for row in self.rows)
        tokens = sum(row.tokens for row in self.rows)
        ran = f"{replies} speculative replies, {tokens} tokens"
        if self.reuse:
            ran += f", and {len(self.reuse)} from kept caches"
        if not self.faults():
            return f"Token-exact on these prompts: {ran}, no difference."
        if not self.differences:
            return f"FAILED: no difference in {ran}, but not all was shown."
        guarded = sum(row.differences for row in self.rows if row.has_guard)
        ties = sum(difference.verdict == "near-tie" for difference in self.differences)
        return (
            f"FAILED: {len(self.differences)} differences in {ran}; {ties} of them near-ties, "
            f"{guarded} with the guard on."
        )

    def as_json(self) -> dict[str, object]:
        """The report as plain values."""
        return {
            "model": self.model,
            "passed": not self.faults(),
            "faults": self.faults(),
            "rows": [row.as_json() for row in self.rows],
            "unsupported": self.unsupported,
            "reuse": [asdict(row) for row in self.reuse],
            "differences": [difference.as_json() for difference in self.differences],
        }


def run(arguments: Arguments) -> int:
    """Verify and print what was found; returns the exit code."""
    cases = _cases(arguments, read_prompts(arguments.prompts))
    for case in cases:
        case.request(PLAIN)
    with Session() as session:
        report = Report(session.load(arguments.model).name)
        rollbacks = _supported(session, arguments, cases[0].task, report)
        report.rows = [Row(setting) for setting in settings(arguments, rollbacks)]
        if report.rows:
            _verify(session, arguments, cases, report)
    output.end_progress()
    if arguments.json:
        output.json_object(report.as_json())
    else:
        output.lines(_lines(report))
    return 1 if report.faults() else 0


def _cases(arguments: Arguments, tasks: tuple[Task, ...]) -> tuple[Case, ...]:
    limit = DEFAULT_TOKENS if arguments.max_tokens is None else arguments.max_tokens
    temperatures = arguments.temperatures or TEMPERATURES
    # Of the built-in prompts the first is sampled too; more would not keep near two minutes.
    is_brief = arguments.prompts is None and arguments.temperatures is None
    return tuple(
        Case(task, SamplingParams(temperature=temperature, seed=SEED), limit)
        for index, task in enumerate(tasks)
        for temperature in temperatures[: 1 if is_brief and index else None]
    )


def _supported(
    session: Session, arguments: Arguments, task: Task, report: Report
) -> tuple[Strategy, ...]:
    """The rollbacks this model really runs; the report says why not the others."""
    rollbacks: list[Strategy] = []
    for rollback in dict.fromkeys(arguments.rollbacks or get_args(Strategy)):
        params = SpeculationParams(rollback=rollback)
        reply = session.reply(task.request(params, max_tokens=1), is_quiet=True)
        config = reply.started.config
        if config.enabled and config.rollback == rollback:
            rollbacks.append(rollback)
        else:
            report.unsupported[rollback] = " ".join(reply.notices) or f"{config.reason}."
    return tuple(rollbacks)


def _rows_for(arguments: Arguments, report: Report, index: int) -> list[Row]:
    """The rows that case `index` runs: all, or of the thin grid every other one at the last."""
    asked = (arguments.drafters, arguments.draft_lengths, arguments.rollbacks)
    is_brief = index > 1 and arguments.prompts is None and all(each is None for each in asked)
    return report.rows[::2] if is_brief else report.rows


def _verify(
    session: Session, arguments: Arguments, cases: tuple[Case, ...], report: Report
) -> None:
    """Every case with its rows, then a second turn; what is found goes into the report."""
    grid = [(case, _rows_for(arguments, report, at)) for at, case in enumerate(cases)]
    num = sum(1 + len(rows) for _, rows in grid) + REUSE_REPLIES
    longest = max(case.max_tokens for case in cases)
    headway = Headway(
        num,
        f"without speculation and in every way to speculate, up to {longest} tokens each.",
    )
    explainer = Explainer(session)
    for case, rows in grid:
        _verify_case(session, case, rows, report, explainer, headway)
    report.reuse, differences = check_reuse(session, cases[0], explainer, headway)
    report.differences += differences


def _verify_case(
    session: Session,
    case: Case,
    rows: list[Row],
    report: Report,
    explainer: Explainer,
    headway: Headway,
) -> None:
    headway.begin(f"{case}: plain")
    plain = session.reply(case.request(PLAIN), is_quiet=True)
    for row in rows:
        headway.begin(f"{case}: {row.setting}")
        reply = session.reply(case.request(row.setting.params), is_quiet=True)
        differs = reply.ids != plain.ids
        row.add(reply, differs)
        if differs:
            report.differences.append(explainer.explain(case, str(row.setting), plain, reply))


def _lines(report: Report) -> Iterator[str]:
    yield from output.table(HEAD, [row.cells() for row in report.rows])
    yield from (row.sentence() for row in report.reuse)
    yield from (f"{name}: not run. {reason}" for name, reason in report.unsupported.items())
    yield from report.faults()
    yield report.summary()
