"""Puts what looks have found into the library: not at every batch, and only what is new of it."""

import time
from collections.abc import Iterable

from app.controllers.scanning import Surveyed
from app.models.library import Library, LibraryModel, ModelHabits

PAUSE_SECONDS = 0.3
# The window has thousands of rows to follow: it is left this much more time than that takes.
_PAUSE_FACTOR = 5.0


class Publisher:
    """What is here by target, and the `habits` of each by name; `tick` is called now and then."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.habits: dict[str, ModelHabits] = {}
        self._here: dict[str, Surveyed] = {}
        self._models: dict[str, tuple[Surveyed, LibraryModel]] = {}
        self._seen: set[str] = set()
        self._is_stale = False
        self._next_time = 0.0

    def begin(self) -> None:
        """A look begins: what it does not find is not here any more when it ends."""
        self._seen = set()

    def add(self, found: Iterable[Surveyed]) -> None:
        """Some of what the look has found."""
        for each in found:
            self._here[each.place.target] = each
            self._seen.add(each.place.target)
        self._is_stale = True
        self.tick()

    def end(self) -> None:
        """The look is over; all of it is in the library when this returns."""
        self._here = {name: each for name, each in self._here.items() if name in self._seen}
        self._publish()

    def tick(self) -> None:
        """Publish what waits, if the last time is long enough ago."""
        if self._is_stale and time.monotonic() >= self._next_time:
            self._publish()

    def remember(self, name: str, habits: ModelHabits) -> None:
        """What the person wants of models of this name, from now on."""
        self.habits[name] = habits
        self._publish()

    def _publish(self) -> None:
        began = time.monotonic()
        self._is_stale = False
        self._models = {target: self._model(target, each) for target, each in self._here.items()}
        models = [model for _, model in self._models.values()]
        models.sort(key=lambda each: (each.name.casefold(), each.target))
        self._library.set_models(models)
        now = time.monotonic()
        self._next_time = now + max(PAUSE_SECONDS, _PAUSE_FACTOR * (now - began))

    def _model(self, target: str, surveyed: Surveyed) -> tuple[Surveyed, LibraryModel]:
        """As it was published before, where nothing of it has changed."""
        known = self._models.get(target)
        habits = self.habits.get(surveyed.survey.name)
        if known is not None and known[0] is surveyed and habits in (None, known[1].habits):
            return known
        return surveyed, surveyed.model(self.habits)
