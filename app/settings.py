"""What is remembered between runs: one small JSON file in the user's configuration folder."""

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

SMALLEST = (640, 480)
LARGEST = (16384, 16384)
MAX_DRAFT_LENGTH = 64
THEMES = ("light", "dark", "auto")
MAX_FILE_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """Values the window starts with; the command line may override them for one run.

    `unknown` holds what another version of the app wrote, so that saving keeps it.
    """

    theme: str = "auto"
    width: int = 1440
    height: int = 900
    show_inspector: bool = True
    show_tints: bool = True
    speculation: bool = True
    replay: bool = True
    exclude: bool = True
    draft_length: int | None = None
    unknown: dict[str, Any] = field(default_factory=dict)


def settings_path() -> Path:
    """Where the file lies."""
    return user_config_path("draftscope", appauthor=False) / "settings.json"


def is_draft_length(value: object) -> bool:
    """Whether this is a draft length that can be asked for; None is auto."""
    return value is None or (type(value) is int and 1 <= value <= MAX_DRAFT_LENGTH)


def read_settings(path: Path) -> tuple[Settings, str | None]:
    """The settings, and a sentence if the file was damaged and had to be set aside."""
    try:
        return _fitting(_parsed(path)), None
    except FileNotFoundError:
        return Settings(), None
    except OSError as error:
        return Settings(), f"The settings could not be read ({error.strerror}); using defaults."
    except (ValueError, RecursionError):
        aside = path.with_suffix(".broken.json")
        try:
            path.replace(aside)
        except OSError:
            return Settings(), f"The settings file {path} is damaged; using defaults."
        return Settings(), f"The settings file was damaged; it is now {aside.name}, and unused."


def write_settings(path: Path, settings: Settings) -> str | None:
    """Write the file whole or not at all; a sentence if it could not be written."""
    partial = path.with_suffix(f".{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(json.dumps(_plain(settings), indent=2) + "\n", encoding="utf-8")
        partial.replace(path)
    except (OSError, RecursionError) as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        reason = error.strerror if isinstance(error, OSError) else "it is nested too deeply"
        return f"The settings could not be saved: {reason}."
    return None


def _parsed(path: Path) -> dict[str, Any]:
    """The file's JSON object; `ValueError` if it is anything else, or far too long."""
    with path.open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise ValueError("too long")
    data = json.loads(content.decode("utf-8"))
    if not isinstance(data, dict):
        raise ValueError("not an object")  # noqa: TRY004
    return data


def _plain(settings: Settings) -> dict[str, Any]:
    known = {name: getattr(settings, name) for name in _defaults()}
    return {**settings.unknown, **known}


def _defaults() -> dict[str, Any]:
    return {item.name: item.default for item in fields(Settings) if item.name != "unknown"}


def _fitting(data: dict[str, Any]) -> Settings:
    """Known names whose values fit; one that does not is forgotten, the others stay."""
    defaults = _defaults()
    chosen: dict[str, Any] = {}
    for name, default in defaults.items():
        value = data.get(name, default)
        if name == "draft_length":
            fits = is_draft_length(value)
        elif name == "theme":
            fits = value in THEMES
        else:
            fits = type(value) is type(default)
        if fits:
            chosen[name] = value
    for number, name in enumerate(("width", "height")):
        if name in chosen:
            chosen[name] = min(max(chosen[name], SMALLEST[number]), LARGEST[number])
    unknown = {name: value for name, value in data.items() if name not in defaults}
    return Settings(**chosen, unknown=unknown)
