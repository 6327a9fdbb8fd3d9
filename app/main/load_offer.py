"""A sentence in the window that offers to load a model, and leaves when one was loaded."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from app.views.window import MainWindow


class LoadOffer(QObject):
    """At most one; what else was said with it stays when it leaves."""

    def __init__(self, window: MainWindow, load: Callable[[str], None], parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._load = window, load
        self._sentence = self._rest = ""

    def make(self, sentence: str, target: str, rest: str = "") -> None:
        """Offer `target` in a sentence; `rest` is what else there is to say."""
        self._sentence, self._rest = " ".join(filter(None, (rest, sentence))), rest
        self._window.warn(self._sentence, self.tr("Load it"), partial(self._load, target))

    def withdraw(self) -> None:
        """A model was loaded: the offer has no use any more, if it is still there."""
        if self._sentence and self._window.middle.saying.sentence == self._sentence:
            self._window.warn(self._rest)
        self._sentence = ""
