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
        return self.model.stage == "ready" and self.model.name == target

    def is_loading(self, target: str) -> bool:
        """Whether that model is on its way into memory."""
        return self.model.stage == "loading" and self.model.name == target
