"""One speculation flag: what its value may be, and how it is read from text and from a file.

A value comes as text (a field, an environment variable) or as plain JSON (the settings file). Both
ways end in the same Python value, or in a `FlagError` that says in one sentence what would fit.
None is a value too: it stands for auto.
"""

import re
from dataclasses import dataclass
from typing import Literal

FlagValue = bool | int | float | str | tuple[int, ...] | None
Kind = Literal["bool", "choice", "count", "number", "auto_count", "auto_bool", "ids"]

AUTO, NO_IDS = "auto", "none"
MAX_ID = 2**31 - 1
MOST_IDS = 1_000
MAX_ECHO = 60
NUMBER_STEP = 0.05
_WORDS = {
    **dict.fromkeys(("on", "true", "yes", "1"), True),
    **dict.fromkeys(("off", "false", "no", "0"), False),
}
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_DECIMAL = re.compile(r"[+-]?([0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})([eE][+-]?[0-9]{1,3})?")


class FlagError(ValueError):
    """A value that the flag cannot have; `str()` is one sentence for beside the field."""

    def __init__(self, shown: str, wanted: str) -> None:
        super().__init__(f"{shown} does not fit; give {wanted}.")
        self.shown, self.wanted = shown, wanted


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag as a person meets it; `default` is the engine's own.

    `does` says what it is for and `when` when to change it, one sentence each. `low` and `high` are
    the limits of a number, or of each id.
    """

    name: str
    label: str
    kind: Kind
    does: str
    when: str
    default: FlagValue
    choices: tuple[str, ...] = ()
    low: float = 0
    high: float = 0

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return VARIABLE_PREFIX + self.name.upper()

    @property
    def is_auto(self) -> bool:
        """Whether auto is one of its values."""
        return self.kind in ("auto_count", "auto_bool")

    @property
    def wanted(self) -> str:
        """What fits, in words that can follow "give"."""
        span = f"from {self.low:,.0f} to {self.high:,.0f}"
        match self.kind:
            case "bool":
                return "on or off"
            case "auto_bool":
                return "auto, on or off"
            case "choice":
                return " or ".join((", ".join(self.choices[:-1]), self.choices[-1]))
            case "count":
                return f"a whole number {span}"
            case "auto_count":
                return f"auto or a whole number {span}"
            case "number":
                return f"a number {span}"
            case "ids":
                return "token ids such as 5, 17 or none"

    def parse(self, text: str) -> FlagValue:
        """The value that a text means; raises `FlagError`."""
        word = text.strip().lower()
        value: object = None
        match self.kind:
            case "bool" | "auto_bool":
                value = AUTO if word == AUTO else _WORDS.get(word, text)
            case "choice":
                value = word
            case "count" | "auto_count":
                value = int(word) if _WHOLE.fullmatch(word) else word
            case "number":
                value = float(word) if _DECIMAL.fullmatch(word) else word
            case "ids":
                value = _ids(word)
        if not self._fits(value):
            raise FlagError(_shown(text.strip()), self.wanted)
        return self._settled(value)

    def fitted(self, value: object) -> FlagValue:
        """The value that plain JSON, or a Python value, means; raises `FlagError`."""
        if not self._fits(value):
            raise FlagError(_shown(value), self.wanted)
        return self._settled(value)

    def text(self, value: FlagValue) -> str:
        """A value as a person reads and types it; `parse` takes it back."""
        if value is None:
            return AUTO
        if isinstance(value, bool):
            return "on" if value else "off"
        if isinstance(value, tuple):
            return ", ".join(map(str, value)) or NO_IDS
        if isinstance(value, float):
            return repr(value).removesuffix(".0")
        return str(value)

    def plain(self, value: FlagValue) -> object:
        """A value as the settings file holds it; `fitted` takes it back."""
        if value is None:
            return AUTO
        return list(value) if isinstance(value, tuple) else value

    def stepped(self, value: FlagValue, direction: int) -> FlagValue:
        """The next value up (1) or down (-1) of a number; auto lies below the lowest."""
        if self.kind == "number":
            number = value if isinstance(value, (int, float)) else self.low
            return min(max(round(number + direction * NUMBER_STEP, 2), self.low), self.high)
        if value is None:
            return int(self.low) if direction > 0 else None
        if not isinstance(value, int):
            return value
        if self.is_auto and value + direction < self.low:
            return None
        return int(min(max(value + direction, self.low), self.high))

    def _fits(self, value: object) -> bool:
        if self.is_auto and (value is None or value == AUTO):
            return True
        match self.kind:
            case "bool" | "auto_bool":
                return isinstance(value, bool)
            case "choice":
                return isinstance(value, str) and value in self.choices
            case "count" | "auto_count":
                return type(value) is int and self.low <= value <= self.high
            case "number":
                if isinstance(value, bool) or not isinstance(value, (int, float)):
                    return False
                return self.low <= value <= self.high  # which no NaN is
            case "ids":
                if not isinstance(value, (list, tuple)) or len(value) > MOST_IDS:
                    return False
                return all(type(token) is int and self.low <= token <= self.high for token in value)

    def _settled(self, value: object) -> FlagValue:
        """One form for each value that fits: no repeated ids, no whole number for a decimal."""
        if self.is_auto and value == AUTO:
            return None
        if isinstance(value, (list, tuple)):
            return tuple(dict.fromkeys(value))
        if self.kind == "number" and isinstance(value, (int, float)):
            return value + 0.0
        assert value is None or isinstance(value, (bool, int, float, str))
        return value


VARIABLE_PREFIX = "DRAFTSCOPE_PLD_"


def _ids(word: str) -> object:
    parts = [part for part in re.split(r"[\s,;]+", word) if part]
    if parts == [NO_IDS]:
        return []
    return [int(part) if _WHOLE.fullmatch(part) else part for part in parts]


def _shown(value: object) -> str:
    """What was given, as much of it as a sentence can carry."""
    if isinstance(value, str):
        return repr(value if len(value) <= MAX_ECHO else value[: MAX_ECHO - 1] + "…")
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = str(value)
    return text if len(text) <= MAX_ECHO else text[: MAX_ECHO - 1] + "…"
