"""What a model is called for people: the last part of its repository, or its folder's name."""

import os
import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import PurePath

from PySide6.QtCore import QCoreApplication

from app.fetching.cache_layout import PREFIX, SNAPSHOTS
from engine import DEMO

_MOST_DIGITS = 18


def model_title(name: str) -> str:
    """The title of what is named `owner/name`, by its folder, a snapshot of a cache, or `demo`."""
    return _parts(name)[1]


def hub_name(target: str) -> str:
    """`owner/name` of a snapshot in the hub's cache; any other target as it is."""
    repository = PurePath(target).parent.parent
    if PurePath(target).parent.name != SNAPSHOTS or not repository.name.startswith(PREFIX):
        return target
    return repository.name.removeprefix(PREFIX).replace("--", "/", 1)


@lru_cache(8192)
def natural_order(title: str) -> tuple[tuple[str, int], ...]:
    """What titles are sorted by: letters without their case, numbers by their worth."""
    parts = re.findall(r"([^0-9]*)([0-9]*)", title.casefold())
    return tuple((letters, int(digits[:_MOST_DIGITS] or -1)) for letters, digits in parts)


def titles(names: Iterable[str]) -> dict[str, str]:
    """A title for each; where two have the same, whose each is stands before it."""
    parts = {name: _parts(name) for name in names}
    counts = Counter(title for _, title in parts.values())
    return {
        name: f"{owner}/{title}" if owner and counts[title] > 1 else title
        for name, (owner, title) in parts.items()
    }


def _parts(name: str) -> tuple[str, str]:
    """Whose it is, as far as the name says, and the title."""
    if name == DEMO:
        return "", QCoreApplication.translate("ModelTitle", "Demo model")
    return _path_parts(_spelled_out(name))


@lru_cache(8192)
def _path_parts(name: str) -> tuple[str, str]:
    path = PurePath(name)
    # A snapshot's own name is a hash.
    repository = path.parent.parent if path.parent.name == SNAPSHOTS else path
    if repository.name.startswith(PREFIX):
        owner, dashes, title = repository.name.removeprefix(PREFIX).partition("--")
        return (owner, title) if dashes else ("", owner)
    return path.parent.name, path.name or name


def _spelled_out(name: str) -> str:
    """A name that means a folder only from here, such as `.`, as the whole path of it."""
    if name.startswith((".", "~")):
        with suppress(OSError):
            return os.path.abspath(os.path.expanduser(name))
    return name
