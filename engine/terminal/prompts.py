"""The prompts of `verify`: its own, or a file's."""

import json
import sys
from pathlib import Path
from typing import Any

from engine import RequestError
from engine.terminal.tasks import Task

# The command decides how long replies are; a line of a file sets no bound of its own.
MAX_TOKENS = sys.maxsize
MAX_FILE_BYTES = 20_000_000

# Short, since every rollback, draft length and temperature runs them again.
BUILT_IN = (
    Task(
        "partial",
        "partial accepts",
        "Replace every cat by dog.\n\nThe cat saw a red door. It sat. The cat saw a blue door. "
        "It sat. The cat saw a green door. It sat.",
        MAX_TOKENS,
    ),
    Task(
        "rename",
        "rename a variable",
        "Rename total to amount.\n\n```python\ndef add(total, step):\n"
        "    total = total + step\n    print(total)\n    return total\n```",
        MAX_TOKENS,
    ),
)


def read_prompts(path: Path | None) -> tuple[Task, ...]:
    """One task a line: plain text, or JSON: a string, or {"prompt", and "system", "name"}."""
    if path is None:
        return BUILT_IN
    try:
        lines = _read(path).decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise RequestError(f"The prompts in {path} are not UTF-8 text; save them so.") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise RequestError(f"The prompts in {path} cannot be read: {reason}.") from error
    numbered = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not numbered:
        raise RequestError(f"There is no prompt in {path}; write one a line.")
    is_json = _json_prompt(numbered[0][1]) is not None
    return tuple(_task(path, number, line.rstrip("\r"), is_json) for number, line in numbered)


def _read(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        raise ValueError("it is not a file")
    with path.open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise ValueError(f"it is longer than {MAX_FILE_BYTES // 1_000_000} MB")
    return content


def _task(path: Path, number: int, line: str, is_json: bool) -> Task:
    if not is_json:
        return Task(f"line {number}", line[:40], line, MAX_TOKENS)
    parsed = _json_prompt(line)
    if parsed is None:
        raise RequestError(
            f'Line {number} of {path} is not JSON with a "prompt", as the first line is.'
        )
    prompt, system, name = parsed
    return Task(name or f"line {number}", prompt[:40], prompt, MAX_TOKENS, system)


def _json_prompt(line: str) -> tuple[str, str | None, str | None] | None:
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, str):
        return value, None, None
    if not isinstance(value, dict):
        return None
    prompt, system, name = value.get("prompt"), value.get("system"), value.get("name")
    if isinstance(prompt, str) and isinstance(system, str | None) and isinstance(name, str | None):
        return prompt, system, name
    return None
