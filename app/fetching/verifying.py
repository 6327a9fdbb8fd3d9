"""What is here of a model already, compared with its checksums; what is damaged goes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from app.fetching.checksum import checksum
from app.fetching.events import FetchProgress
from app.fetching.found import RemoteFile, RemoteModel
from app.fetching.halt import Halt
from app.fetching.meter import Meter
from app.fetching.repository_folder import RepositoryFolder


class Verification:
    """Reads all files that have their sizes, and removes those that are not what was listed."""

    def __init__(
        self,
        model: RemoteModel,
        folder: RepositoryFolder,
        halt: Halt,
        job: int,
        tell: Callable[[FetchProgress], None],
    ) -> None:
        self._model, self._folder, self._halt = model, folder, halt
        self._held = [
            (file, place) for file in model.files for place in folder.places(file, model.commit)
        ]
        total = sum(file.size for file, _ in self._held)
        self._meter = Meter(job, total, 0, tell, verifies=True)

    def run(self, alone: Callable[[RemoteFile, Callable[[], None]], None]) -> None:
        """Do it; `alone` calls back while no other program is at a file."""
        for file, place in self._held:
            self._meter.begin(file.name)
            if not self._is_right(file, place):
                alone(file, partial(place.unlink, missing_ok=True))
        self._meter.finish()

    def _is_right(self, file: RemoteFile, place: Path) -> bool:
        try:
            return checksum(place, file, self._halt, self._meter.note) == file.checksum
        except OSError:  # what cannot be read is fetched anew
            return False
