"""What loading a model is at, in plain words."""

from PySide6.QtCore import QCoreApplication

from app.models.model_state import ModelState
from app.models.model_words import progress_words
from app.views.library.words import DOT


def loading_words(state: ModelState) -> str:
    """What it is at, and how much of the weights is read."""
    words = step_words(state.doing)
    if state.doing.startswith("comparing"):
        words = _tr("Checking how exact and fast it is (first time only)")
    elif state.total_bytes and state.doing.startswith("reading the weights"):
        words = DOT.join((words, progress_words(state.done_bytes, state.total_bytes)))
    return words


def step_words(doing: str) -> str:
    """The same where there is little room."""
    known = {
        "checking the folder": _tr("Checking its files"),
        "comparing blocks with single tokens": _tr("Checking how exact it is"),
    }
    return known.get(doing, doing[:1].upper() + doing[1:])


def _tr(text: str) -> str:
    return QCoreApplication.translate("LoadingWords", text)
