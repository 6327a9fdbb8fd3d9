"""What is remembered between runs: one small JSON file in the user's configuration folder."""

import json
import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from platformdirs import user_config_path


@dataclass(frozen=True, slots=True)
class Settings:
    """Values the window starts with; the command line may override them for one run."""

    theme: str = "auto"
    width: int = 1440
    height: int = 900
    show_inspector: bool = True
    show_tints: bool = True
    speculation: bool = True
    replay: bool = True
    exclude: bool = True
    draft_length: int | None = None


def settings_path() -> Path:
    """Where the file lies."""
    return user_config_path("draftscope", appauthor=False) / "settings.json"


def read_settings(path: Path) -> tuple[Settings, str | None]:
    """The settings, and a sentence if the file was damaged and had to be set aside."""
    try:
        return _checked(json.loads(path.read_text(encoding="utf-8"))), None
    except FileNotFoundError:
        return Settings(), None
    except OSError as error:
        return Settings(), f"The settings could not be read ({error.strerror}); using defaults."
    except ValueError:
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
        partial.write_text(json.dumps(asdict(settings), indent=2) + "\n", encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        return f"The settings could not be saved: {error.strerror}."
    return None


def _checked(data: Any) -> Settings:
    """Known names with values of the right kind; anything else is a damaged file."""
    if not isinstance(data, dict):
        raise ValueError("not an object")  # noqa: TRY004
    known = {field.name: field.default for field in fields(Settings)}
    chosen = {name: value for name, value in data.items() if name in known}
    for name, value in chosen.items():
        if name == "draft_length":
            fits = value is None or (type(value) is int and 1 <= value <= 64)
        else:
            fits = type(value) is type(known[name])
        if not fits:
            raise ValueError(name)
    settings = Settings(**chosen)
    if settings.theme not in ("auto", "light", "dark"):
        raise ValueError("theme")
    return settings
