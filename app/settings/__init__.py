"""What is remembered between runs: one small JSON file in the user's configuration folder."""

from app.settings.file import read_settings, settings_path, update_settings, write_settings
from app.settings.values import (
    LARGEST,
    LARGEST_TEXT,
    MAX_DRAFT_LENGTH,
    SMALLEST,
    SMALLEST_TEXT,
    THEMES,
    VERSION,
    Settings,
    is_draft_length,
)

__all__ = [
    "LARGEST",
    "LARGEST_TEXT",
    "MAX_DRAFT_LENGTH",
    "SMALLEST",
    "SMALLEST_TEXT",
    "THEMES",
    "VERSION",
    "Settings",
    "is_draft_length",
    "read_settings",
    "settings_path",
    "update_settings",
    "write_settings",
]
