"""The prompts that bench and verify run: five everyday tasks, and three that bound the speed-up.

Written so that a 26-million-parameter demonstration model and a small real one can both do them:
the text to copy from is always in the prompt.
"""

from dataclasses import dataclass

from engine import GenerationRequest, Message, RequestError, SamplingParams, SpeculationParams


@dataclass(frozen=True, slots=True)
class Task:
    """A prompt with the length of reply that shows what it is for."""

    name: str
    title: str
    prompt: str
    max_tokens: int
    system: str | None = None

    def request(
        self,
        speculation: SpeculationParams,
        sampling: SamplingParams | None = None,
        max_tokens: int | None = None,
        num_alternatives: int = 0,
    ) -> GenerationRequest:
        """The request for this task; `max_tokens` shortens the reply but never lengthens it."""
        limit = self.max_tokens if max_tokens is None else min(max_tokens, self.max_tokens)
        return GenerationRequest(
            messages=conversation(self.prompt, self.system),
            sampling=sampling or SamplingParams(),
            speculation=speculation,
            max_tokens=limit if max_tokens is None or max_tokens > 0 else max_tokens,
            num_alternatives=num_alternatives,
        )


def conversation(prompt: str, system: str | None) -> tuple[Message, ...]:
    """A one-turn conversation, with a system message where there is one."""
    head = () if system is None else (Message("system", system),)
    return (*head, Message("user", prompt))


def choose_tasks(names: str | None) -> tuple[Task, ...]:
    """The tasks named in a comma-separated list; the five everyday ones by default."""
    if names is None:
        return tuple(TASKS[name] for name in EVERYDAY)
    chosen = [name.strip() for name in names.split(",") if name.strip()]
    for name in chosen:
        if name not in TASKS:
            raise RequestError(f"There is no task named {name!r}; use {', '.join(TASKS)}.")
    if not chosen:
        raise RequestError(f"No task was named; use {', '.join(TASKS)}.")
    return tuple(TASKS[name] for name in dict.fromkeys(chosen))


_CODE = """\
class Inventory:
    def __init__(self):
        self.items = {}

    def add_item(self, name, count):
        if name in self.items:
            self.items[name] += count
        else:
            self.items[name] = count

    def remove_item(self, name, count):
        if name in self.items:
            self.items[name] -= count
            if self.items[name] <= 0:
                del self.items[name]

    def total_count(self):
        total = 0
        for name, count in self.items.items():
            total += count
        return total
"""

_RECORDS = """\
[
  {"id": 1, "name": "Alice", "city": "Paris", "age": 34},
  {"id": 2, "name": "Bob", "city": "London", "age": 28},
  {"id": 3, "name": "Carol", "city": "Madrid", "age": 45},
  {"id": 4, "name": "David", "city": "Berlin", "age": 39},
  {"id": 5, "name": "Emma", "city": "Vienna", "age": 23},
  {"id": 6, "name": "Frank", "city": "Rome", "age": 51},
  {"id": 7, "name": "Grace", "city": "Lisbon", "age": 31},
  {"id": 8, "name": "Henry", "city": "Oslo", "age": 62}
]"""

_ARTICLE = """\
The old lighthouse on the northern cape was built in 1871 by the harbour company. For more than \
eighty years its keepers lit the lamp every evening and wrote the weather into a large book. In \
1954 the lamp was replaced by an electric light, and the last keeper moved into the village. The \
book is now kept in the small museum next to the church. Every summer visitors climb the narrow \
stairs and look out over the sea, where grey seals rest on the flat rocks below the tower."""

_BEACH = """\
A stone wall runs from the tower down to a narrow beach. On quiet days the fishermen dry their \
nets there, and in the evening children collect shells and small pieces of blue glass. When the \
wind turns to the north, the boats stay in the harbour and the village waits behind closed \
shutters until the storm is over."""

_COLOURS = ("red", "blue", "green", "white", "yellow", "brown", "black", "grey")
_UNITS = "\n".join(
    f"The small cat sat on the warm mat by the {colour} door. It looked at the garden and waited."
    for colour in _COLOURS
)

_TASK_LIST = (
    Task(
        "code",
        "code completion",
        f"Here is a Python class:\n\n```python\n{_CODE}```\n\nWrite the whole class again and "
        "complete it with a method has_item and a method clear_items.",
        500,
    ),
    Task(
        "json",
        "JSON records",
        f'Add the field "active": true to each record and write all records again.\n\n{_RECORDS}',
        600,
    ),
    Task(
        "summary",
        "summary that quotes",
        f"Summarize the text below and quote its most important sentences word for word.\n\n"
        f"{_ARTICLE}",
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
        f"Replace every cat by dog in this text and write all of it again.\n\n{_UNITS}",
        400,
    ),
    Task(
        "copy",
        "pure copy",
        f"Repeat this text exactly, word for word.\n\n{_ARTICLE} {_BEACH}",
        300,
    ),
    Task(
        "edit",
        "code edit",
        f"```python\n{_CODE}```\n\nRewrite this code with the class renamed to Storage.",
        300,
    ),
    Task(
        "story",
        "open story",
        "Write a long story about a fox who leaves the forest to see the sea for the first time.",
        300,
    ),
)

TASKS = {task.name: task for task in _TASK_LIST}
EVERYDAY = ("code", "json", "summary", "reasoning", "partial")
