"""A file's name after a chat's title: words and hyphens, of a usual length."""

_LENGTH = 60


def stem_of(title: str, usual: str) -> str:
    """The name without its suffix; `usual` where the title has nothing that a name can have."""
    words = "".join(letter if letter.isalnum() else " " for letter in title).split()
    return "-".join(words)[:_LENGTH].strip("-") or usual
