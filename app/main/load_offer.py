"""The window's offers to load a model: in a sentence, and where a comparison needs one."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from app.controllers.targets import is_here
from app.models.library import Library
from app.models.model_state import ModelState
from app.views.window import MainWindow
from engine import DEMO


class LoadOffer(QObject):
    """At most one sentence, which leaves when a model is being loaded; what else was said with it
    stays.

    After a load that failed or was cancelled the model that worked before is offered. What the
    window says of such a failure leaves with it.
    """

    def __init__(
        self,
        window: MainWindow,
        model: ModelState,
        library: Library,
        load: Callable[[str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._model, self._library, self._load = window, model, library, load
        self._saying = window.middle.saying
        self.is_here: Callable[[str], bool] = is_here
        self._sentence = self._rest = self._failed = ""
        self._stage = model.stage
        model.changed.connect(self._follow)
        self._saying.changed.connect(self._follow_words)
        obstacle = window.compare.obstacle
        # A trace tells the name of its model, not where it lies.
        obstacle.is_here = lambda name: self.is_here(library.target_of(name))
        obstacle.load_requested.connect(lambda name: self._load(library.target_of(name)))

    def make(self, sentence: str, target: str, rest: str = "") -> None:
        """Offer `target` in a sentence; `rest` is what else there is to say."""
        self._sentence, self._rest = " ".join(filter(None, (rest, sentence))), rest
        self._window.warn(self._sentence, self.tr("Load it"), partial(self._load, target))

    def withdraw(self) -> None:
        """A model is being loaded: the offer has no use any more, if it is still there."""
        if self._sentence and self._saying.sentence == self._sentence:
            self._window.warn(self._rest)
        self._sentence = ""

    def _follow(self) -> None:
        failure = self._model.failure
        before, self._stage = self._stage, self._model.stage
        if self._failed and failure is None:
            if self._saying.sentence == self._failed:
                self._window.warn("")
            self._failed = ""
        if failure is not None:
            self._failed = failure.sentence
        if self._stage == "loading" != before:
            self.withdraw()
        elif before == "loading" and self._stage in ("none", "failed"):
            self._offer_back(rest=self._saying.sentence)

    def _follow_words(self) -> None:
        """The same failure is said by somebody else: with the offer, then."""
        if self._failed and self._sentence and self._saying.sentence == self._failed:
            self._offer_back(why=self._failed)

    def _offer_back(self, why: str = "", rest: str = "") -> None:
        """The model that worked before, else the demo; `rest` stays when the offer leaves."""
        model = self._model
        others = [each for each in (model.worked, DEMO) if each not in ("", model.name)]
        target = next((each for each in others if self.is_here(each)), "")
        if not target or not self._saying.action.isHidden():
            return
        words = self.tr("{0} was in use before.")
        if target != model.worked:
            words = self.tr("{0} is always there.")
        sentence = " ".join(filter(None, (why, words.format(model.title_of(target)))))
        self.make(sentence, target, rest)
