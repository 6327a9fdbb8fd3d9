"""What is remembered between runs: one small JSON file in the user's configuration folder.

    {"version": 2, "theme": ..., "width": ..., ..., "speculation": {flag: value}}

Version 1 had four flags flat beside the others; they are taken over. What this version does not
know, in the file or in its part for speculation, is kept as it is. Which values a flag may have is
not decided here (see `app.models.flags`).
"""

import json
import os
import shutil
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from engine import SpeculationParams

VERSION = 2
SMALLEST = (640, 480)
LARGEST = (16384, 16384)
SMALLEST_TEXT, LARGEST_TEXT = 11, 24
MAX_DRAFT_LENGTH = 64
THEMES = ("light", "dark", "auto")
MAX_FILE_BYTES = 1_000_000
# Version 1's names of flags, and what they are called now.
_FLAT = {
    "speculation": "enabled",
    "replay": "replay",
    "exclude": "exclude",
    "draft_length": "draft_length",
}
_WINDOW = (
    "theme",
    "width",
    "height",
    "geometry",
    "show_sidebar",
    "show_inspector",
    "show_tints",
    "text_size",
    "chat",
    "model",
    "idle_unload_minutes",
    "notify",
    "notify_words",
)
_MAX_GEOMETRY = 4096
_MAX_MODEL = 4096
MOST_IDLE_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True)
class Settings:
    """Values the window starts with; environment and command line may override them for one run.

    `geometry` is Qt's own account of the window's place and state, in base64; `chat` the number of
    the open chat, `model` what the last model was loaded by. After `idle_unload_minutes` without a
    reply the model is unloaded; 0 is never. `speculation` holds the flags set for all chats as the
    file has them, and `defaults` what a new chat is made with, `presets` the named ones, all
    unchecked. `unknown` holds what another version of the app wrote, so that saving keeps it;
    `version` never falls.
    """

    theme: str = "auto"
    width: int = 1440
    height: int = 900
    geometry: str = ""
    show_sidebar: bool = True
    show_inspector: bool = True
    show_tints: bool = True
    text_size: int = 15
    chat: int = 0
    model: str = ""
    idle_unload_minutes: int = 0
    notify: bool = True
    notify_words: bool = False
    speculation: dict[str, Any] = field(default_factory=dict)
    defaults: dict[str, Any] = field(default_factory=dict)
    presets: list[Any] = field(default_factory=list)
    version: int = VERSION
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
        data = _parsed(path)
    except FileNotFoundError:
        return Settings(), None
    except OSError as error:
        return Settings(), f"The settings could not be read ({error.strerror}); using defaults."
    except (ValueError, RecursionError):
        return Settings(), _set_aside(path)
    damaged = " and ".join(_damaged_parts(data))
    if damaged:
        sentence = f"The settings file's part for {damaged} is damaged; using defaults there."
        return _fitting(data), sentence
    return _fitting(data), None


def update_settings(path: Path, changes: dict[str, Any]) -> str | None:
    """Change these values and keep what else the file holds by now; a sentence if that failed.

    Another window may have written it since it was read, and a file that cannot be read now is
    left as it is.
    """
    try:
        data = _parsed(path)
        # What a newer version wrote is kept without one.
        if _damaged_parts(data) and _version(data) == VERSION:
            shutil.copy2(path, _aside(path))
        current = _fitting(data)
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
    target = Path(os.path.realpath(path))  # a link to the file stays a link
    partial = target.with_suffix(f".{os.getpid()}.partial")
    try:
        text = _spelled(settings)
        if text is None:
            return "The settings could not be saved: they are too long."
        target.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(target)
    except (OSError, RecursionError) as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        reason = error.strerror if isinstance(error, OSError) else "it is nested too deeply"
        return f"The settings could not be saved: {reason}."
    return None


def _spelled(settings: Settings) -> str | None:
    """The file's text, as people like to read it where there is room; None where it is too long."""
    for indent in (2, None):
        text = json.dumps(_plain(settings), indent=indent) + "\n"
        if len(text) <= MAX_FILE_BYTES:
            return text
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


def _damaged_parts(data: dict[str, Any]) -> list[str]:
    """Those of the file's larger parts that cannot be read, in words."""
    if _version(data) < VERSION:
        return []
    kinds = {"speculation": dict, "defaults": dict, "presets": list}
    words = {"defaults": "new chats"}
    return [
        words.get(name, name)
        for name, kind in kinds.items()
        if not isinstance(data.get(name, kind()), kind)
    ]


def _parsed(path: Path) -> dict[str, Any]:
    """The file's JSON object; `ValueError` if it is anything else, or far too long."""
    with path.open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise ValueError("too long")
    data = json.loads(content.decode("utf-8-sig"))
    if not isinstance(data, dict):
        raise ValueError("not an object")  # noqa: TRY004
    return data


def _plain(settings: Settings) -> dict[str, Any]:
    """The file's content; what a newer version wrote in a known place stays until it is changed."""
    known = {name: getattr(settings, name) for name in _defaults()}
    for name, default in _defaults().items():
        if name in settings.unknown and known[name] == default:
            del known[name]
    return {"version": settings.version, **settings.unknown, **known}


def _defaults() -> dict[str, Any]:
    window = {item.name: item.default for item in fields(Settings) if item.name in _WINDOW}
    return {**window, "speculation": {}, "defaults": {}, "presets": []}


def _version(data: dict[str, Any]) -> int:
    """The file's version; 1 where it has none that can be read."""
    version = data.get("version")
    return version if type(version) is int and version >= VERSION else 1


def _fitting(data: dict[str, Any]) -> Settings:
    """Known names whose values fit; one that does not is forgotten, the others stay.

    Of a newer version's file it is kept among the unknown.
    """
    version = _version(data)
    known = {"version", *_defaults()}
    if version == 1 and not isinstance(data.get("speculation"), dict):
        data = {**data, "speculation": _migrated(data)}
        known |= _FLAT.keys()
    chosen: dict[str, Any] = {}
    for name, default in _defaults().items():
        value = data.get(name, default)
        if value in THEMES if name == "theme" else type(value) is type(default):
            chosen[name] = value
        elif version > VERSION:
            known.remove(name)
    for number, name in enumerate(("width", "height")):
        if name in chosen:
            chosen[name] = min(max(chosen[name], SMALLEST[number]), LARGEST[number])
    if "text_size" in chosen:
        chosen["text_size"] = min(max(chosen["text_size"], SMALLEST_TEXT), LARGEST_TEXT)
    for name, most in (("geometry", _MAX_GEOMETRY), ("model", _MAX_MODEL)):
        if len(chosen.get(name, "")) > most:
            del chosen[name]
    idle = chosen.get("idle_unload_minutes", 0)
    chosen["idle_unload_minutes"] = min(max(idle, 0), MOST_IDLE_MINUTES)
    unknown = {name: value for name, value in data.items() if name not in known}
    return Settings(**chosen, version=max(version, VERSION), unknown=unknown)


def _migrated(data: dict[str, Any]) -> dict[str, Any]:
    """Version 1's flags: it wrote all of them every time, so what is the default says nothing."""
    defaults = asdict(SpeculationParams())
    return {
        name: data[old]
        for old, name in _FLAT.items()
        if old in data and data[old] != defaults[name]
    }
