"""What a chat asks with: its system prompt, its sampling, thinking, and where the prompt begins."""

from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from typing import Any, get_args, get_type_hints

from engine import RequestError, SamplingParams


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """Settings of one chat, speculation aside.

    `max_tokens` None is up to the end of the context; `thinking` None is as the model's template
    has it; `first` is the exchange that the prompt begins with, where earlier ones were left out
    because the context was full.
    """

    system: str = ""
    sampling: SamplingParams = field(default_factory=SamplingParams)
    max_tokens: int | None = None
    thinking: bool | None = None
    first: int | None = None


_NAMES = {each.name for each in fields(ChatSettings)}


def plain_settings(settings: ChatSettings) -> dict[str, Any]:
    """As it is stored: what differs from the usual."""
    usual, values = asdict(ChatSettings()), asdict(settings)
    values["sampling"] = {
        name: value
        for name, value in values["sampling"].items()
        if value != usual["sampling"][name]
    }
    return {name: value for name, value in values.items() if value not in (usual[name], {})}


def settings_from(values: dict[str, Any]) -> ChatSettings:
    """As it was stored; a value that means nothing here is the usual one."""
    usual = ChatSettings()
    if not values.keys() & _NAMES:
        return usual
    known = _fitting(ChatSettings, values)
    sampling = usual.sampling
    given = values.get("sampling")
    for name, value in _fitting(SamplingParams, given if isinstance(given, dict) else {}).items():
        try:
            sampling = replace(sampling, **{name: value})
        except RequestError:
            continue
    max_tokens = known.get("max_tokens")
    if max_tokens is not None and max_tokens < 1:
        known["max_tokens"] = None
    known.pop("sampling", None)
    return replace(usual, sampling=sampling, **known)


# Larger ones have no float, and fit no setting.
_LARGEST = 2**53


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _fitting(kind: type, values: dict[str, Any]) -> dict[str, Any]:
    """The values that have a field of their name and the type of it."""
    hints = _hints(kind)
    found: dict[str, Any] = {}
    for each in fields(kind):
        allowed = get_args(hints[each.name]) or (hints[each.name],)
        value = values.get(each.name)
        if each.name in values and (
            type(value) in allowed or (value is None and type(None) in allowed)
        ):
            found[each.name] = value
        elif type(value) is int and float in allowed and abs(value) <= _LARGEST:
            found[each.name] = float(value)
    return found
