"""The long-context task made to measure: as much logbook in front as the model's context holds."""

import dataclasses

from engine import ModelInfo, SpeculationParams
from engine.terminal import output
from engine.terminal.session import Session
from engine.terminal.tasks import Task
from engine.terminal.texts import logbook

# Under this the text is no longer than the other tasks' and shows nothing of its own.
FEWEST_TOKENS = 3_072
SAMPLE_ENTRIES = 8


def fitted(
    session: Session, info: ModelInfo, task: Task, target: int
) -> tuple[Task | None, str | None]:
    """`task` with its logbook, or None; and a sentence where it is not as long as it should be.

    With it the prompt has about `target` tokens, or as many as the model holds if that is enough to
    show something. A task that is not long comes back as it is.
    """
    if not task.is_long:
        return task, None
    room = min(target, info.context_length - task.max_tokens)
    if room < min(FEWEST_TOKENS, target):
        return None, (
            f"skipped, since {info.name} holds {info.context_length:,} tokens and this task needs "
            f"{min(FEWEST_TOKENS, target) + task.max_tokens:,}."
        )
    output.progress(f"{task.title}: measuring the text")
    without, sample = (
        _prompt_tokens(session, _behind(task, count)) for count in (0, SAMPLE_ENTRIES)
    )
    an_entry = (sample - without) / SAMPLE_ENTRIES
    # Later entries have longer numbers; a twentieth is kept back for them.
    num_entries = max(0, int(0.95 * (room - without) / an_entry))
    sentence = None
    if room < target:
        sentence = (
            f"the text is about {0.95 * room:,.0f} tokens instead of {target:,}, since "
            f"{info.name} holds no more than {info.context_length:,}."
        )
    return _behind(task, num_entries), sentence


def _behind(task: Task, num_entries: int) -> Task:
    return dataclasses.replace(task, prompt=f"{logbook(num_entries)}{task.prompt}")


def _prompt_tokens(session: Session, task: Task) -> int:
    request = task.request(SpeculationParams(enabled=False), max_tokens=1)
    return session.reply(request, is_quiet=True).finished.stats.prompt_tokens
