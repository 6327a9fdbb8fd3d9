"""What the settings file says, read into settings and back, over all its versions.

    {"version": 2, "theme": ..., "width": ..., ..., "speculation": {flag: value}}

Version 1 had four flags flat beside the others; they are taken over. What this version does not
know, in the file or in its part for speculation, is kept as it is.
"""

import json
from dataclasses import asdict
from typing import Any

from app.settings.values import (
    LARGEST,
    LARGEST_TEXT,
    SMALLEST,
    SMALLEST_TEXT,
    THEMES,
    VERSION,
    Settings,
)
from engine import SpeculationParams

MAX_FILE_BYTES = 1_000_000
# Version 1's names of flags, and what they are called now.
_FLAT = {
    "speculation": "enabled",
    "replay": "replay",
    "exclude": "exclude",
    "draft_length": "draft_length",
}
_MAX_GEOMETRY = 4096
_MAX_MODEL = 4096
_MOST_IDLE_MINUTES = 24 * 60


def parsed(content: bytes) -> dict[str, Any]:
    """The file's JSON object; `ValueError` if it is anything else, or far too long."""
    if len(content) > MAX_FILE_BYTES:
        raise ValueError("too long")
    data = json.loads(content.decode("utf-8-sig"))
    if not isinstance(data, dict):
        raise ValueError("not an object")  # noqa: TRY004
    return data


def spelled(settings: Settings) -> str | None:
    """The file's text, as people like to read it where there is room; None where it is too long."""
    for indent in (2, None):
        text = json.dumps(_plain(settings), indent=indent) + "\n"
        if len(text) <= MAX_FILE_BYTES:
            return text
    return None


def version_of(data: dict[str, Any]) -> int:
    """The file's version; 1 where it has none that can be read."""
    version = data.get("version")
    return version if type(version) is int and version >= VERSION else 1


def damaged_parts(data: dict[str, Any]) -> list[str]:
    """Those of the file's larger parts that cannot be read, in words."""
    if version_of(data) < VERSION:
        return []
    kinds = {"speculation": dict, "defaults": dict, "presets": list}
    words = {"defaults": "new chats"}
    return [
        words.get(name, name)
        for name, kind in kinds.items()
        if not isinstance(data.get(name, kind()), kind)
    ]


def fitting(data: dict[str, Any]) -> Settings:
    """Known names whose values fit; one that does not is forgotten, the others stay.

    Of a newer version's file it is kept among the unknown.
    """
    version = version_of(data)
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
    chosen["idle_unload_minutes"] = min(max(idle, 0), _MOST_IDLE_MINUTES)
    unknown = {name: value for name, value in data.items() if name not in known}
    return Settings(**chosen, version=max(version, VERSION), unknown=unknown)


def _plain(settings: Settings) -> dict[str, Any]:
    """The file's content; what a newer version wrote in a known place stays until it is changed."""
    known = {name: getattr(settings, name) for name in _defaults()}
    for name, default in _defaults().items():
        if name in settings.unknown and known[name] == default:
            del known[name]
    return {"version": settings.version, **settings.unknown, **known}


def _defaults() -> dict[str, Any]:
    """All that the file has a place for, as it is where nothing was set."""
    values = asdict(Settings())
    del values["version"], values["unknown"]
    return values


def _migrated(data: dict[str, Any]) -> dict[str, Any]:
    """Version 1's flags: it wrote all of them every time, so what is the default says nothing."""
    defaults = asdict(SpeculationParams())
    return {
        name: data[old]
        for old, name in _FLAT.items()
        if old in data and data[old] != defaults[name]
    }
