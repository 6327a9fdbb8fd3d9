"""Whether a conversation that goes on from kept caches gives the ids of one begun from scratch."""

import dataclasses
from dataclasses import dataclass

from engine import Message, SpeculationParams
from engine.terminal.differences import Case, Difference, Explainer
from engine.terminal.headway import Headway
from engine.terminal.session import Reply, Session

PLAIN = SpeculationParams(enabled=False)
# Those that `check_reuse` makes where it finds no difference.
REUSE_REPLIES = 4
SECOND_PROMPT = "Write it once more, and change nothing."


@dataclass(frozen=True, slots=True)
class ReuseRow:
    """One reply that began from kept caches."""

    name: str
    prompt_tokens: int
    reused_tokens: int
    num_differences: int

    def sentence(self) -> str:
        """The row for a person."""
        return (
            f"reuse, {self.name}: {self.reused_tokens} of {self.prompt_tokens} prompt tokens were "
            f"kept, differences: {self.num_differences}."
        )


def check_reuse(
    session: Session, case: Case, explainer: Explainer, headway: Headway
) -> tuple[list[ReuseRow], list[Difference]]:
    """A second turn and that turn again, both from kept caches, against plain ids from scratch."""
    speculation = SpeculationParams()
    headway.begin("the turn before it")
    first = session.reply(case.request(speculation, reuse=True), is_quiet=True)
    second = _second_turn(case, first)
    headway.begin("the second turn: plain")
    truth = session.reply(second.request(PLAIN), is_quiet=True)
    rows: list[ReuseRow] = []
    differences: list[Difference] = []
    for name in ("the second turn", "the same turn again"):
        headway.begin(f"{name}: from kept caches")
        kept = session.reply(second.request(speculation, reuse=True), is_quiet=True)
        differs = kept.ids != truth.ids
        stats = kept.finished.stats
        rows.append(ReuseRow(name, stats.prompt_tokens, kept.started.reused, int(differs)))
        if differs:
            differences.append(explainer.explain(second, f"reuse, {name}", truth, kept))
    return rows, differences


def _second_turn(case: Case, first: Reply) -> Case:
    task = case.task
    earlier = (*task.earlier, Message("user", task.prompt), Message("assistant", first.text))
    return dataclasses.replace(
        case, task=dataclasses.replace(task, prompt=SECOND_PROMPT, earlier=earlier)
    )
