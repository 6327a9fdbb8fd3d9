"""What the last self-test found, kept beside the chats: which version, when, and every line."""

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from app.selftest.check import FAILED

State = Literal["ok", "failed", "unfinished"]

NAME = "self-test.json"
_MAX_BYTES = 100_000
_MAX_LINES, _MAX_LINE = 40, 300
# The year 3000: what is later is damage.
_LATEST = 32_503_680_000
_STATES = ("ok", "failed", "unfinished")


@dataclass(frozen=True, slots=True)
class Outcome:
    """`unfinished` is what is kept while it runs, so that one that hangs is not begun again."""

    version: str
    when: float
    state: State
    lines: tuple[str, ...] = ()

    @property
    def failures(self) -> tuple[str, ...]:
        """The lines of checks that failed."""
        return tuple(line for line in self.lines if line.startswith(FAILED))


def outcome_of(version: str, when: float, status: int, text: str) -> Outcome:
    """What a finished run says, from its exit status and what it wrote."""
    lines = [line.strip()[:_MAX_LINE] for line in text.splitlines() if line.strip()]
    return Outcome(version, when, "failed" if status else "ok", tuple(lines[:_MAX_LINES]))


def outcome_lines(outcome: Outcome | None) -> tuple[str, ...]:
    """It in lines: how it went and when, then what each check said."""
    if outcome is None:
        return ("not run yet",)
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(outcome.when))
    how = {"ok": "all is well", "failed": "something failed", "unfinished": "not finished"}
    return (f"version {outcome.version}, {when}: {how[outcome.state]}", *outcome.lines)


def failure_sentence(outcome: Outcome) -> str:
    """What is said in the window; empty where all was well."""
    if outcome.state != "failed":
        return ""
    count = len(outcome.failures)
    what = "a check" if count < 2 else f"{count} checks"
    return (
        f"The self-test of version {outcome.version} found {what} that failed; Help > Diagnostics "
        "says which."
    )


def is_due(outcome: Outcome | None, version: str) -> bool:
    """Whether this version has not been tried yet."""
    return outcome is None or outcome.version != version


def keep_outcome(folder: Path, outcome: Outcome) -> bool:
    """Write it whole or not at all; whether it is there. A loss costs one more run."""
    path = folder / NAME
    partial = path.with_suffix(".partial")
    try:
        partial.write_text(json.dumps(asdict(outcome), indent=1), encoding="utf-8")
        partial.replace(path)
    except OSError:
        return False
    return True


def read_outcome(folder: Path) -> Outcome | None:
    """What was kept; None where nothing is, or it cannot be read."""
    try:
        with (folder / NAME).open("rb") as file:
            data = json.loads(file.read(_MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    return _outcome(data) if isinstance(data, dict) else None


def _outcome(data: dict[str, Any]) -> Outcome | None:
    version, when, lines = data.get("version"), data.get("when"), data.get("lines")
    state = data.get("state")
    if not isinstance(version, str) or not isinstance(when, int | float) or state not in _STATES:
        return None
    if not 0 <= when <= _LATEST:
        return None
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        return None
    shown = tuple(line[:_MAX_LINE] for line in lines[:_MAX_LINES])
    return Outcome(version[:40], float(when), state, shown)
