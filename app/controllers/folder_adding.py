"""Whether a folder can be added to those that are looked through, and why not."""

import os
from collections.abc import Iterable
from pathlib import Path

from app.controllers.folder_access import is_text, shown


def refusal(folder: Path, others: Iterable[str], cache: Path) -> str:
    """Why not, in a sentence; empty where it can. Touches the disk."""
    if why := _unusable(folder):
        return why
    if _lies_in(folder, cache):
        return f"{folder} is in the hub's cache, which is looked through already."
    for other in map(Path, others):
        if _is_same(folder, other):
            return f"{folder} is in the list already."
        if _lies_in(folder, other):
            return f"{folder} lies in {other}, which is in the list already; remove that first."
        if _lies_in(other, folder):
            return f"{other}, which is in the list already, lies in {folder}; remove that first."
    return ""


def _unusable(folder: Path) -> str:
    if not is_text(str(folder)):
        return f"{shown(folder)} cannot be added: its name is not UTF-8 text; rename it."
    try:
        if not folder.exists():
            return f"There is no folder at {folder}."
        if not folder.is_dir():
            return f"{folder} is a file; choose the folder that holds the models."
        if not os.access(folder, os.R_OK | os.X_OK):
            return f"{folder} cannot be read; allow yourself to, or choose another folder."
    except OSError as error:
        return f"{folder} cannot be reached: {error.strerror or 'it does not answer'}."
    return ""


def _lies_in(folder: Path, other: Path) -> bool:
    resolved = Path(os.path.realpath(folder))
    return any(_is_same(each, other) for each in (resolved, *resolved.parents))


def _is_same(one: Path, other: Path) -> bool:
    """By what the disk says: some take names in capitals for the same."""
    try:
        return one.samefile(other)
    except OSError:
        return one == other
