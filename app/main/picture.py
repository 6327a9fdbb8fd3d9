"""The window as a picture file, and one sentence where it is not what was asked for."""

import sys
from contextlib import suppress
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app.models.conversation import Conversation
from app.models.model_state import ModelState


def save_picture(window: QWidget, model: ModelState, chat: Conversation, path: Path) -> int:
    """Save it and say what went wrong: 1 while the reply ran, 2 before it could."""
    if model.failure is not None:
        return complain(model.failure.sentence, 2)
    reply = chat.exchanges[-1].reply
    for notice in reply.notices:
        complain(notice, 0)
    if not window.grab().save(str(path), "PNG"):
        return complain(f"The picture could not be written to {path}.", 2)
    if reply.failure is None:
        return 0
    return complain(reply.failure.sentence, 2 if reply.run is None else 1)


def complain(sentence: str, status: int) -> int:
    """Say one sentence on standard error, if there is one, and pass the exit status through."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            sys.stderr.write(" ".join(sentence.split()) + "\n")
    return status
