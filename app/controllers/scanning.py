"""Looks through folders of models on a thread of its own; what it finds waits in a queue.

What is slow and asked by the way (a folder to be added, a model to be deleted) is done there, too,
between two looks: a share that does not answer holds nothing else up.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from queue import SimpleQueue

from app.controllers.folder_access import is_folder, is_text, shown
from app.controllers.model_folders import (
    Looking,
    ModelPlace,
    Stamp,
    demo_places,
    folder_places,
    hub_places,
    loaded_places,
)
from app.controllers.targets import hub_cache
from app.models.library import LibraryModel, ModelHabits
from engine import ModelSurvey

BATCH_SECONDS = 0.15
# Python runs one thread at a time: a moment for the window after each model that is surveyed, and
# now and then among those that are known.
_REST_SECONDS = 0.001
_KNOWN_AT_ONCE = 16

log = logging.getLogger("draftscope")


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A place and what its folder says."""

    place: ModelPlace
    survey: ModelSurvey
    is_complete: bool

    def model(self, habits: Mapping[str, ModelHabits]) -> LibraryModel:
        """As it is shown, with what is remembered of models by their names."""
        kept = habits.get(self.survey.name, ModelHabits())
        place = self.place
        return LibraryModel(place.target, place.origin, self.survey, kept, self.is_complete)


@dataclass(frozen=True, slots=True)
class Found:
    """Some models of a look that goes on."""

    job: int
    models: tuple[Surveyed, ...]


@dataclass(frozen=True, slots=True)
class Looked:
    """A look is over, or was given up for a later one (`is_whole` False)."""

    job: int
    is_whole: bool
    sentences: tuple[str, ...]
    watched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """An errand is done; `tell` is to be called on the window's thread."""

    job: int
    tell: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Broken:
    """Something went wrong in the middle, as `sentence` says; it is over."""

    job: int
    sentence: str


class Scanner:
    """One thread, begun with the first thing to do; `results` is its only way out."""

    def __init__(self, survey: Callable[[Path], ModelSurvey], cache: Path | None = None) -> None:
        self._survey, self._cache = survey, cache
        self.results: SimpleQueue[Found | Looked | Answered | Broken] = SimpleQueue()
        self._jobs: SimpleQueue[tuple[int, Callable[[], None]] | None] = SimpleQueue()
        self._known: dict[str, tuple[Stamp, Surveyed]] = {}
        self._last_job = self._last_look = 0
        self._is_closed = False
        self._thread: threading.Thread | None = None

    @property
    def cache(self) -> Path:
        """The hub's cache."""
        return hub_cache() if self._cache is None else self._cache

    def look(self, folders: tuple[str, ...], loaded: tuple[str, ...] = ()) -> int:
        """Look through everything, and at what was loaded from elsewhere; the number of this look.

        An earlier one is given up.
        """
        self._last_look = number = self._last_job + 1
        return self._do(lambda: self._look(number, folders, loaded))

    def run(self, errand: Callable[[], Callable[[], None]]) -> int:
        """Do something slow; what it gives back is to be called on the window's thread."""
        number = self._last_job + 1
        return self._do(lambda: self.results.put(Answered(number, errand())))

    def close(self, timeout: float = 1.0) -> None:
        """End; a folder that does not answer is not waited for longer than that."""
        self._is_closed = True
        self._jobs.put(None)
        if self._thread is not None:
            self._thread.join(timeout)

    def _do(self, job: Callable[[], None]) -> int:
        self._last_job += 1
        if self._is_closed:
            return self._last_job
        self._jobs.put((self._last_job, job))
        if self._thread is None or not self._thread.is_alive():
            # A folder on a share may never answer; that must not keep the process.
            self._thread = threading.Thread(target=self._work, name="models", daemon=True)
            self._thread.start()
        return self._last_job

    def _work(self) -> None:
        while (numbered := self._jobs.get()) is not None and not self._is_closed:
            number, job = numbered
            try:
                job()
            except Exception as error:  # what is asked next is done all the same
                log.exception("Looking for models met a fault")
                sentence = f"Looking at the models on this machine met a fault: {error!r:.200}."
                self.results.put(Broken(number, sentence))

    def _look(self, number: int, folders: tuple[str, ...], loaded: tuple[str, ...]) -> None:
        looking = Looking()
        places = chain(
            demo_places(),
            hub_places(self.cache, looking),
            *(folder_places(Path(folder), looking) for folder in folders),
            loaded_places(loaded, looking),
        )
        batch: list[Surveyed] = []
        seen: set[str] = set()
        began = time.monotonic()
        for place in places:
            if self._is_closed or number != self._last_look:
                self.results.put(Looked(number, False, (), ()))
                return
            batch.append(surveyed := self._surveyed(place))
            seen.add(surveyed.place.target)
            if len(seen) % _KNOWN_AT_ONCE == 0:
                time.sleep(_REST_SECONDS)
            if time.monotonic() - began > BATCH_SECONDS:
                self.results.put(Found(number, tuple(batch)))
                batch, began = [], time.monotonic()
        if batch:
            self.results.put(Found(number, tuple(batch)))
        self._known = {target: each for target, each in self._known.items() if target in seen}
        # What is no folder cannot be watched, and what is no text not be handed to Qt.
        folders_met = dict.fromkeys(filter(is_text, (*looking.roots, *looking.within)))
        watched = tuple(each for each in folders_met if is_folder(Path(each)))
        self.results.put(Looked(number, True, tuple(looking.sentences), watched))

    def _surveyed(self, place: ModelPlace) -> Surveyed:
        """What the folder says; known already where none of its files has changed."""
        known = self._known.get(place.target)
        if known is not None and known[0] == place.stamp and known[1].place == place:
            return known[1]
        if not is_text(place.target):
            return _unspeakable(place)
        try:
            surveyed = Surveyed(place, self._survey(place.path), place.is_complete)
        except Exception as error:  # the other models are shown all the same
            log.exception("%s could not be looked at", shown(place.path))
            return _faulty(
                place, "It cannot be looked at; see the log for the reason.", repr(error)
            )
        self._known[place.target] = place.stamp, surveyed
        time.sleep(_REST_SECONDS)
        return surveyed


def _unspeakable(place: ModelPlace) -> Surveyed:
    sentence = "The name of its folder is not UTF-8 text; rename it."
    return _faulty(replace(place, target=shown(place.target)), sentence, "")


def _faulty(place: ModelPlace, sentence: str, details: str) -> Surveyed:
    path = shown(place.path)
    name = shown(place.path.name)
    return Surveyed(place, ModelSurvey(path, name, sentence, details), False)
