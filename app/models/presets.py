"""Named settings to choose from: plain (name, values) pairs, as they are stored."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.models.chat_settings import ChatSettings, plain_settings, settings_from

Preset = tuple[str, dict[str, Any]]

NAME_LENGTH = 40
# What there is until a person saves or deletes one.
FIRST_PRESETS: tuple[Preset, ...] = (
    ("Greedy", {}),
    ("Balanced", {"sampling": {"temperature": 0.7, "top_p": 0.9}}),
    ("Creative", {"sampling": {"temperature": 1.0, "min_p": 0.05}}),
)


def preset_of(name: str, settings: ChatSettings) -> Preset:
    """The settings under a name; where the prompt of this chat begins is no part of them."""
    return " ".join(name.split())[:NAME_LENGTH], plain_settings(replace(settings, first=None))


def applied(preset: Preset, settings: ChatSettings) -> ChatSettings:
    """A chat's settings after a preset was chosen; without a system prompt it leaves the chat's."""
    chosen = settings_from(preset[1])
    return replace(chosen, first=settings.first, system=chosen.system or settings.system)


def matching(presets: Sequence[Preset], settings: ChatSettings) -> str:
    """The name of the preset that the settings are; empty where they are none."""
    return next((each[0] for each in presets if applied(each, settings) == settings), "")


def with_preset(presets: Sequence[Preset], preset: Preset) -> tuple[Preset, ...]:
    """The presets with one more, in place of one of the same name."""
    others = [each for each in presets if each[0].casefold() != preset[0].casefold()]
    return (*others, preset)


def without_preset(presets: Sequence[Preset], name: str) -> tuple[Preset, ...]:
    """The presets but one."""
    return tuple(each for each in presets if each[0] != name)


def presets_from(values: Any) -> tuple[Preset, ...]:
    """As they were stored; the first ones where nothing was, and no entry that means nothing."""
    if not isinstance(values, list | tuple):
        return FIRST_PRESETS
    found: list[Preset] = []
    for each in values:
        match each:
            case [str(name), dict(settings)] if name.strip():
                found.append((name, settings))
    return tuple(found)
