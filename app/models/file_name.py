"""Names of files: one made after a chat's title, and how one that is there is shown."""

from pathlib import Path

from app.models.markdown.clean import on_one_line

_LENGTH = 60


def stem_of(title: str, usual: str) -> str:
    """The name without its suffix; `usual` where the title has nothing that a name can have."""
    words = "".join(letter if letter.isalnum() else " " for letter in title).split()
    name = "-".join(words)
    if len(name) > _LENGTH:
        # One more than it may have: a word may end just there. Some scripts know no spaces.
        whole = name[: _LENGTH + 1].rpartition("-")[0]
        name = whole if len(whole) > _LENGTH // 2 else name[:_LENGTH]
    return name or usual


def shown_name(path: Path) -> str:
    """The last part of a path on one line, its letters in the order in which they are written."""
    return on_one_line(path.name)
