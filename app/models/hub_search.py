"""What was looked for on the hub, and what was found."""

from typing import Literal

from PySide6.QtCore import QObject, Signal

from app.fetching.found import FetchError, FoundModel, RemoteModel

SearchStage = Literal["idle", "searching", "found", "failed"]


class HubSearch(QObject):
    """The last search; written by its controller only.

    `sizes` holds what is known of single repositories, by name: their files, or why they cannot be
    had. It is asked for when a person looks at one.
    """

    changed = Signal()
    looked_at = Signal(str)  # the repository of which something else is known now, or nothing

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.stage: SearchStage = "idle"
        self.text = ""
        self.results: tuple[FoundModel, ...] = ()
        self.error: FetchError | None = None
        self.sizes: dict[str, RemoteModel | FetchError] = {}

    def begin(self, text: str) -> None:
        """A search goes out; what was found before stays until it is answered."""
        self.stage, self.text, self.error = "searching", text, None
        self.changed.emit()

    def end(self, results: tuple[FoundModel, ...]) -> None:
        """It is answered."""
        self.stage, self.results = "found", results
        self.changed.emit()

    def fail(self, error: FetchError) -> None:
        """There is no answer."""
        self.stage, self.results, self.error = "failed", (), error
        self.changed.emit()

    def clear(self) -> None:
        """Nothing is looked for."""
        self.stage, self.text, self.results, self.error = "idle", "", (), None
        self.changed.emit()

    def begin_look(self, repo: str) -> None:
        """Its files are asked for; why they could not be had before does not hold any more."""
        if isinstance(self.sizes.get(repo), FetchError):
            del self.sizes[repo]
            self.looked_at.emit(repo)

    def note(self, repo: str, known: RemoteModel | FetchError) -> None:
        """The files of a repository, or why they cannot be had."""
        self.sizes[repo] = known
        self.looked_at.emit(repo)
