"""The settings themselves, as plain values, and their limits.

Which values a speculation flag may have is not decided here (see `app.models.flags`).
"""

from dataclasses import dataclass, field
from typing import Any

VERSION = 2
SMALLEST = (640, 480)
LARGEST = (16384, 16384)
SMALLEST_TEXT, LARGEST_TEXT = 11, 24
MAX_DRAFT_LENGTH = 64
THEMES = ("light", "dark", "auto")


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


def is_draft_length(value: object) -> bool:
    """Whether this is a draft length that can be asked for; None is auto."""
    return value is None or (type(value) is int and 1 <= value <= MAX_DRAFT_LENGTH)
