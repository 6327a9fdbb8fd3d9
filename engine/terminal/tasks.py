"""The prompts that bench and verify run: five everyday tasks, and edits, copies and bounds.

Written so that a 26-million-parameter demonstration model and a small real one make replies of the
kind meant: what there is to copy is always in the prompt. They do not always do as they are told.
"""

from dataclasses import dataclass

from engine import GenerationRequest, Message, RequestError, SamplingParams, SpeculationParams
from engine.terminal.texts import ARTICLE, BEACH, CODE, PEOPLE, PRICE, RECORDS, STACK, UNITS


@dataclass(frozen=True, slots=True)
class Task:
    """A prompt with the length of reply that shows what it is for.

    `earlier` turns come before it. `is_long` wants a text in front that fills the context.
    """

    name: str
    title: str
    prompt: str
    max_tokens: int
    system: str | None = None
    earlier: tuple[Message, ...] = ()
    is_long: bool = False

    def limit(self, max_tokens: int | None = None) -> int:
        """How many tokens a reply may have; what is asked for shortens it but never lengthens."""
        return self.max_tokens if max_tokens is None else min(max_tokens, self.max_tokens)

    def request(
        self,
        speculation: SpeculationParams,
        sampling: SamplingParams | None = None,
        max_tokens: int | None = None,
        num_alternatives: int = 0,
        *,
        reuse: bool = False,
    ) -> GenerationRequest:
        """The request for this task; `max_tokens` shortens the reply but never lengthens it.

        Without `reuse` nothing is taken over from earlier replies, and every run is alike.
        """
        return GenerationRequest(
            messages=conversation(self.prompt, self.system, self.earlier),
            sampling=sampling or SamplingParams(),
            speculation=speculation,
            max_tokens=self.limit(max_tokens),
            num_alternatives=num_alternatives,
            reuse=reuse,
        )


def conversation(
    prompt: str, system: str | None, earlier: tuple[Message, ...] = ()
) -> tuple[Message, ...]:
    """The prompt after earlier turns, with a system message where there is one."""
    head = () if system is None else (Message("system", system),)
    return (*head, *earlier, Message("user", prompt))


def choose_tasks(names: str | None) -> tuple[Task, ...]:
    """The tasks named in a comma-separated list, or all; the five everyday ones by default."""
    if names is None:
        return tuple(TASKS[name] for name in EVERYDAY)
    chosen = [name.strip() for name in names.split(",") if name.strip()]
    if chosen == ["all"]:
        return _TASK_LIST
    for name in chosen:
        if name not in TASKS:
            raise RequestError(f"There is no task named {name!r}; use all or {', '.join(TASKS)}.")
    if not chosen:
        raise RequestError(f"No task was named; use all or {', '.join(TASKS)}.")
    return tuple(TASKS[name] for name in dict.fromkeys(chosen))


_TASK_LIST = (
    Task(
        "code",
        "code completion",
        f"Here is a Python class:\n\n```python\n{CODE}```\n\nWrite the whole class again and "
        "complete it with a method has_item and a method clear_items.",
        500,
    ),
    Task(
        "json",
        "JSON records",
        f'Add the field "active": true to each record.\n\n{RECORDS}',
        600,
    ),
    Task(
        "summary",
        "summary that quotes",
        "Pick the three most important sentences of this text and quote them exactly.\n\n"
        f"{ARTICLE} {BEACH}",
        200,
    ),
    Task(
        "reasoning",
        "open reasoning",
        "A farmer has 12 cows and buys 5 more. Later he sells 3 of them. Explain step by step how "
        "many cows he has now, and why it matters to count carefully.",
        400,
    ),
    Task(
        "partial",
        "partial accepts",
        f"Replace every cat by dog in this text and write all of it again.\n\n{UNITS}",
        400,
    ),
    Task(
        "copy",
        "pure copy",
        f"Repeat this text exactly, word for word.\n\n{ARTICLE} {BEACH}",
        300,
    ),
    Task(
        "rename",
        "rename a class",
        f"Rename the class Stack to Pile.\n\n```python\n{STACK}```",
        300,
    ),
    Task(
        "docstring",
        "add a docstring",
        f"Add a docstring to this function.\n\n```python\n{PRICE}```",
        400,
    ),
    Task(
        "json-field",
        "add a JSON field",
        f'Add "active": true to every object in this JSON.\n\n{PEOPLE}',
        300,
    ),
    Task(
        "turns",
        "edit after an edit",
        "Rename the class Stack to Pile.",
        300,
        earlier=(
            Message("user", f"Rename items to values.\n\n```python\n{STACK}```"),
            Message("assistant", f"```python\n{STACK.replace('items', 'values')}```"),
        ),
    ),
    Task(
        "story",
        "open story",
        "Write a long story about a fox who leaves the forest to see the sea for the first time.",
        200,
    ),
    Task(
        "long",
        "copy behind a long text",
        f"Repeat this text exactly, word for word.\n\n{BEACH}",
        100,
        is_long=True,
    ),
)

TASKS = {task.name: task for task in _TASK_LIST}
EVERYDAY = ("code", "json", "summary", "reasoning", "partial")
