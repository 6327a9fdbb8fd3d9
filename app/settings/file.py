"""The settings file: where it lies, read, written whole, set aside where it is damaged."""

import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from app.settings.content import (
    MAX_FILE_BYTES,
    damaged_parts,
    fitting,
    parsed,
    spelled,
    version_of,
)
from app.settings.values import VERSION, Settings
from engine import open_whole


def settings_path() -> Path:
    """Where the file lies."""
    return user_config_path("draftscope", appauthor=False) / "settings.json"


def read_settings(path: Path) -> tuple[Settings, str | None]:
    """The settings, and a sentence if the file was damaged and had to be set aside."""
    try:
        data = _content(path)
    except FileNotFoundError:
        return Settings(), None
    except OSError as error:
        return Settings(), f"The settings could not be read ({error.strerror}); using defaults."
    except (ValueError, RecursionError):
        return Settings(), _set_aside(path)
    damaged = " and ".join(damaged_parts(data))
    if damaged:
        sentence = f"The settings file's part for {damaged} is damaged; using defaults there."
        return fitting(data), sentence
    return fitting(data), None


def update_settings(path: Path, changes: dict[str, Any]) -> str | None:
    """Change these values and keep what else the file holds by now; a sentence if that failed.

    Another window may have written it since it was read, and a file that cannot be read now is
    left as it is.
    """
    try:
        data = _content(path)
        # What a newer version wrote is kept without one.
        if damaged_parts(data) and version_of(data) == VERSION:
            shutil.copy2(path, _aside(path))
        current = fitting(data)
    except FileNotFoundError:
        current = Settings()
    except OSError as error:
        return f"The settings could not be saved: the file cannot be read ({error.strerror})."
    except (ValueError, RecursionError):
        _set_aside(path)
        current = Settings()
    return write_settings(path, replace(current, **changes))


def write_settings(path: Path, settings: Settings) -> str | None:
    """Write the file whole or not at all; a sentence if it could not be written."""
    try:
        text = spelled(settings)
        if text is None:
            return "The settings could not be saved: they are too long."
        # A link to the file stays a link; the folder is that of what it leads to.
        Path(os.path.realpath(path)).parent.mkdir(parents=True, exist_ok=True)
        with open_whole(path) as file:
            file.write(text)
    except (OSError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is nested too deeply"
        return f"The settings could not be saved: {reason}."
    return None


def _set_aside(path: Path) -> str:
    """Move a damaged file out of the way, over no earlier one; what was done, in one sentence."""
    aside = _aside(path)
    try:
        path.replace(aside)
    except OSError:
        return f"The settings file {path} is damaged; using defaults."
    return f"The settings file was damaged; it is now {aside.name}, and unused."


def _aside(path: Path) -> Path:
    """A name beside the file that nothing has."""
    aside, number = path.with_suffix(".broken.json"), 1
    while os.path.lexists(aside):
        number += 1
        aside = path.with_suffix(f".broken-{number}.json")
    return aside


def _content(path: Path) -> dict[str, Any]:
    """The file's JSON object; `OSError` or `ValueError` where there is none."""
    with path.open("rb") as file:
        return parsed(file.read(MAX_FILE_BYTES + 1))
