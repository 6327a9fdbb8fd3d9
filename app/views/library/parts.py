"""What the views of models read, and where they say what is asked for."""

from dataclasses import dataclass

from app.models.downloads import Downloads
from app.models.hub_search import HubSearch
from app.models.library import Library
from app.models.model_state import ModelState
from app.views.library.intents import LibraryIntents


@dataclass(frozen=True, slots=True)
class LibraryParts:
    """Models to read, and the intents to emit."""

    library: Library
    downloads: Downloads
    search: HubSearch
    model: ModelState
    intents: LibraryIntents

    def is_loaded(self, target: str) -> bool:
        """Whether that is the model that is chatted with."""
        return self.model.stage == "ready" and self._is_current(target)

    def failure_of(self, target: str) -> str:
        """Why that model could not be loaded, if it was tried last; else empty."""
        failure = self.model.failure if target and self._is_current(target) else None
        return failure.sentence if failure is not None else ""

    def is_loading(self, target: str) -> bool:
        """Whether that model is on its way into memory."""
        return self.model.stage == "loading" and self._is_current(target)

    def is_used(self, target: str) -> bool:
        """Whether that model is in memory, on its way there, or only rests."""
        is_there = self.model.can_answer or self.model.stage == "loading"
        return is_there and self._is_current(target)

    def _is_current(self, target: str) -> bool:
        """Whether the model in question was loaded by this, or by its name."""
        known = self.library.find(self.model.name) if self.model.name else None
        return target in (self.model.name, known.target if known is not None else "")
