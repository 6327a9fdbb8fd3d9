"""Where a flag's value comes from: default < settings file < environment < command line < chat.

Each layer gives values for some flags. A value that does not fit is left out, alone, with one
sentence. The highest layer that has a value wins; where two flags then do not go together, the
value from the lower layer gives way, and that is said too.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.models.flag import VARIABLE_PREFIX, Flag, FlagError, FlagValue
from app.models.flags import DEBUG_TRACE, FLAGS
from engine import RequestError, SpeculationParams

Source = Literal["default", "file", "environment", "command", "chat"]
# Lowest first.
SOURCES: tuple[Source, ...] = ("default", "file", "environment", "command", "chat")
MAX_NAME = 60

_PLACES: dict[Source, str] = {
    "default": "default",
    "file": "settings file",
    "environment": "environment",
    "command": "command line",
    "chat": "this chat",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """A value that is not used, in one sentence; `name` is empty where no flag is meant."""

    source: Source
    name: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Layer:
    """The values of one source, and what was wrong with others."""

    source: Source
    values: Mapping[str, FlagValue]
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolved:
    """A flag's value, where it comes from, and what lower layers would set, highest first."""

    flag: Flag
    value: FlagValue
    source: Source
    below: tuple[tuple[Source, FlagValue], ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The value as a person reads it."""
        return self.flag.text(self.value)

    @property
    def origin(self) -> str:
        """The source in words, the variable's name included."""
        words = _PLACES[self.source]
        return f"{words} {self.flag.variable}" if self.source == "environment" else words

    @property
    def shadow(self) -> str:
        """What lower layers set: "The environment sets 3, this chat 5."; empty if nothing."""
        if not self.below:
            return ""
        layers = [*reversed(self.below), (self.source, self.value)]
        (first, value), *others = [(_named(s), self._listed(v)) for s, v in layers]
        start = f"{first[:1].upper()}{first[1:]} sets {value}"
        return ", ".join((start, *(f"{place} {text}" for place, text in others))) + "."

    def _listed(self, value: FlagValue) -> str:
        text = self.flag.text(value)
        return f"({text})" if isinstance(value, tuple) and len(value) > 1 else text


def environment_layer(environment: Mapping[str, str]) -> Layer:
    """The variables DRAFTSCOPE_PLD_*; an empty one counts as not set."""
    by_variable = {flag.variable: flag for flag in FLAGS.values()}
    values: dict[str, FlagValue] = {}
    problems: list[Problem] = []
    for variable in sorted(environment):
        text = environment[variable]
        if not variable.startswith(VARIABLE_PREFIX) or not text.strip():
            continue
        flag = by_variable.get(variable)
        if flag is None:
            shown = ascii(variable[:MAX_NAME])[1:-1]
            sentence = f"The variable {shown} names no setting and is ignored."
            problems.append(Problem("environment", "", sentence))
            continue
        try:
            values[flag.name] = flag.parse(text)
        except FlagError as error:
            problems.append(_ignored("environment", flag, error))
    return Layer("environment", values, tuple(problems))


def plain_layer(source: Source, given: Mapping[str, object]) -> Layer:
    """A layer from plain values by name; names that are not flags are passed over."""
    values: dict[str, FlagValue] = {}
    problems: list[Problem] = []
    for name, flag in FLAGS.items():
        if name in given:
            try:
                values[name] = flag.fitted(given[name])
            except FlagError as error:
                problems.append(_ignored(source, flag, error))
    return Layer(source, values, tuple(problems))


def resolve(layers: Iterable[Layer]) -> dict[str, Resolved]:
    """Every flag's value over these layers, lowest first."""
    stacks: dict[str, list[tuple[Source, FlagValue]]] = {
        name: [("default", flag.default)] for name, flag in FLAGS.items()
    }
    sentences: dict[str, list[str]] = {name: [] for name in FLAGS}
    for layer in layers:
        for name, value in layer.values.items():
            stacks[name].append((layer.source, value))
        for problem in layer.problems:
            if problem.name:
                sentences[problem.name].append(problem.sentence)
    while (refused := objection(_tops(stacks))) is not None:
        name = _yielding(stacks)
        source, value = stacks[name].pop()
        flag = FLAGS[name]
        words = f"{_subject(source, flag)} is {flag.text(value)} and is ignored. {refused}"
        sentences[name].append(words)
    return {
        name: Resolved(
            flag=FLAGS[name],
            value=stack[-1][1],
            source=stack[-1][0],
            below=tuple(reversed(stack[1:-1])),
            problems=tuple(sentences[name]),
        )
        for name, stack in stacks.items()
    }


def params_of(values: Mapping[str, FlagValue]) -> SpeculationParams:
    """The engine's parameters; raises `RequestError` where two values do not go together."""
    known: dict[str, Any] = {name: value for name, value in values.items() if name != DEBUG_TRACE}
    return SpeculationParams(**known)


def objection(values: Mapping[str, FlagValue]) -> str | None:
    """The engine's sentence about values that do not go together; None if they do."""
    try:
        params_of(values)
    except RequestError as error:
        return error.sentence[:1].upper() + error.sentence[1:]
    return None


def _tops(stacks: Mapping[str, list[tuple[Source, FlagValue]]]) -> dict[str, FlagValue]:
    return {name: stack[-1][1] for name, stack in stacks.items()}


def _yielding(stacks: Mapping[str, list[tuple[Source, FlagValue]]]) -> str:
    """Whose value gives way: the lowest of those whose giving way can help."""
    given = [name for name, stack in stacks.items() if len(stack) > 1]
    given.sort(key=lambda name: SOURCES.index(stacks[name][-1][0]))
    tops = _tops(stacks)
    for name in given:
        below = stacks[name][:-1]
        if any(objection({**tops, name: value}) is None for _, value in below):
            return name
    return given[0]


def _named(source: Source) -> str:
    words = _PLACES[source]
    return words if source == "chat" else f"the {words}"


def _subject(source: Source, flag: Flag) -> str:
    if source == "environment":
        return flag.variable
    return f"{flag.label} {'on' if source == 'command' else 'in'} {_named(source)}"


def _ignored(source: Source, flag: Flag, error: FlagError) -> Problem:
    words = f"{_subject(source, flag)} is {error.shown} and is ignored; give {error.wanted}."
    return Problem(source, flag.name, words)
