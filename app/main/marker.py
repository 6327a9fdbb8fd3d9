"""A mark on disk while a model is in use: one that is found at the start tells of a bad end.

It is there before the model is loaded, so that a model which takes the machine down is not loaded
again by itself at the next start.
"""

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from app.models.model_title import model_title
from engine import DEMO

FILE_NAME = "model-in-use.json"
_MAX_BYTES = 20_000


@dataclass(frozen=True, slots=True)
class Left:
    """What was in use at a bad end; `target` is empty where the mark cannot be read."""

    target: str

    @property
    def name(self) -> str:
        """What to call it."""
        return model_title(self.target) if self.target else ""


class Marker:
    """The mark in a file of its own; each sentence says why it could not be written or removed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Left | None:
        """What an earlier run left; None where it ended well."""
        try:
            with self.path.open("rb") as file:
                raw = file.read(_MAX_BYTES)
        except FileNotFoundError:
            return None
        except OSError:
            return Left("")
        try:
            content = json.loads(raw)
        except (ValueError, RecursionError):
            return Left("")
        target = content.get("model") if isinstance(content, dict) else None
        return Left(target if isinstance(target, str) else "")

    def put(self, target: str) -> str | None:
        """Say that this model is about to be in use; on disk when this returns."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("w", encoding="utf-8") as file:
                json.dump({"model": target}, file)
                file.flush()
                os.fsync(file.fileno())
            _sync(self.path.parent)
        except (OSError, UnicodeEncodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "its name is not text"
            return _tr(
                "That a model is in use cannot be noted in {0} ({1}), so after a crash it would be"
                " loaded again."
            ).format(self.path.parent, reason)
        return None

    def remove(self) -> str | None:
        """None is in use any more."""
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            return _tr(
                "The note that a model is in use cannot be removed from {0} ({1}), so the next"
                " start will not load it by itself."
            ).format(self.path.parent, error.strerror)
        return None


def loads_at_start(left: Left | None, target: str, *, is_asked: bool) -> bool:
    """Whether a start may load `target` by itself; `is_asked` where the person named it."""
    return left is None or is_asked or target == DEMO


def notice(left: Left) -> str:
    """What to say of a bad end."""
    if not left.name:
        return _tr(
            "Draftscope ended unexpectedly while a model was in use, so it was not loaded again."
        )
    return _tr(
        "Draftscope ended unexpectedly while {0} was in use, so it was not loaded again."
    ).format(left.name)


def _sync(folder: Path) -> None:
    """A new name is on disk when its folder is; not every system has that for folders."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Marker", text)
