"""The settings of a chat as fields to fill in: their words, how they are read and written."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from app.models.chat_settings import ChatSettings
from engine import RequestError


class FieldError(Exception):
    """One sentence on why a value cannot be used."""


@dataclass(frozen=True, slots=True)
class ChatField:
    """A number among the settings; an empty field is the usual value.

    `usual` says in words what that is, `does` what the number changes.
    """

    name: str
    label: str
    does: str
    usual: str
    read: Callable[[str], Any]
    is_sampling: bool = True

    def value_in(self, settings: ChatSettings) -> Any:
        """What the settings have."""
        return getattr(settings.sampling if self.is_sampling else settings, self.name)

    def text_in(self, settings: ChatSettings) -> str:
        """What the field shows: nothing for the usual value."""
        value = self.value_in(settings)
        if value == self.value_in(ChatSettings()):
            return ""
        return f"{value:g}" if isinstance(value, float) else str(value)

    def changed(self, settings: ChatSettings, text: str) -> ChatSettings:
        """The settings with what was typed; FieldError where that cannot be."""
        text = text.strip()
        value = self.value_in(ChatSettings()) if not text else self._read(text)
        try:
            if self.is_sampling:
                sampling = replace(settings.sampling, **{self.name: value})
                return replace(settings, sampling=sampling)
        except RequestError as error:
            raise FieldError(_capital(error.sentence)) from None
        if value is not None and value < 1:
            raise FieldError(f"{self.label} is {value}; it must be at least 1.")
        return replace(settings, **{self.name: value})

    def _read(self, text: str) -> Any:
        try:
            return self.read(text)
        except (ValueError, OverflowError):
            example = "a whole number" if self.read is _whole else "a number such as 0.7"
            raise FieldError(
                f"{self.label} must be {example}; an empty field is {self.usual}."
            ) from None


def _decimal(text: str) -> float:
    return float(text.replace(",", "."))


def _whole(text: str) -> int:
    return int(text.replace(" ", ""))


FIELDS = (
    ChatField(
        "temperature",
        "Temperature",
        "0 always takes the likeliest token; higher is more varied.",
        "0",
        _decimal,
    ),
    ChatField(
        "top_p",
        "Top-p",
        "Draws only from the likeliest tokens that add up to this share.",
        "1, which is off",
        _decimal,
    ),
    ChatField(
        "min_p",
        "Min-p",
        "Drops tokens less likely than this share of the likeliest.",
        "0, which is off",
        _decimal,
    ),
    ChatField(
        "top_k",
        "Top-k",
        "Draws only from this many of the likeliest tokens.",
        "0, which is off",
        _whole,
    ),
    ChatField(
        "repetition_penalty",
        "Repetition penalty",
        "Above 1, tokens used a moment ago become less likely.",
        "1, which is off",
        _decimal,
    ),
    ChatField(
        "seed",
        "Seed",
        "The same seed gives the same reply again.",
        "0",
        _whole,
    ),
    ChatField(
        "max_tokens",
        "Longest reply",
        "Stops a reply after this many tokens.",
        "no limit but the context",
        _whole,
        is_sampling=False,
    ),
)


def settings_words(settings: ChatSettings, preset: str = "") -> str:
    """The settings in a few words: the preset's name, and how tokens are chosen."""
    temperature = settings.sampling.temperature
    law = f"T {temperature:g}" if temperature else "Greedy"
    return law if preset in ("", law) else f"{preset} · {law}"


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
