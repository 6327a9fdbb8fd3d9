"""The downloads as they are known: every change goes into the model, and is kept on the disk."""

import time
from dataclasses import replace
from pathlib import Path

from app.controllers.download_records import download_from, download_record, snapshot
from app.controllers.fetch_events import BACK, GONE
from app.controllers.folder_access import is_folder
from app.controllers.targets import hub_cache
from app.models.downloads import Download, Downloads
from app.storage import Keeping

KEEP_SECONDS = 2.0


class KeptDownloads:
    """No number is given twice in a run: of an earlier one the fetcher may still have to tell."""

    def __init__(self, downloads: Downloads, store: Keeping, cache: Path | None) -> None:
        self.model = downloads
        self._store, self._cache = store, cache
        self._last_id = 0
        self._kept_at = 0.0

    def read(self) -> None:
        """Take up the queue as it was left; StorageError where it cannot be read."""
        records = self._store.downloads()
        self._last_id = max((each.id for each in records), default=0)
        for record in records:
            if self.model.find(record.repo) is None:
                folder = snapshot(self._cache or hub_cache(), record)
                self.model.add(replace(download_from(record), folder=folder))

    def add(self, repo: str, *, loads: bool, verifies: bool = False) -> Download:
        """One more, behind all others."""
        self._last_id += 1
        position = max((each.position for each in self.model.items), default=0.0) + 1.0
        added = Download(self._last_id, repo, position=position, loads=loads, verifies=verifies)
        self.model.add(added)
        self._keep(added)
        return added

    def change(self, id: int, **changes: object) -> Download | None:
        """Other facts of one, as it is then; None where it is gone."""
        now = self.model.change(id, **changes)
        if now is not None:
            self._keep(now)
        return now

    def progress(self, id: int, **changes: object) -> None:
        """The same of what changes many times a second: it is kept now and then."""
        now = self.model.change(id, **changes)
        if now is not None and time.monotonic() - self._kept_at > KEEP_SECONDS:
            self._keep(now)

    def forget(self, id: int) -> None:
        """It leaves the list; nothing else does."""
        self.model.remove(id)
        self._store.delete_download(id)

    def check_folders(self) -> None:
        """See whether all that came is still there: what is gone has failed, until it is back."""
        for each in self.model.items:
            is_here = bool(each.folder) and is_folder(Path(each.folder))
            if each.has_ended and is_here == each.is_gone:
                back = BACK | {"done_bytes": each.total_bytes}
                self.change(each.id, **(back if each.is_gone else GONE))

    def save_all(self) -> None:
        """The whole queue again, into a new file."""
        for each in self.model.items:
            self._keep(each)

    def is_running(self, id: int) -> bool:
        """Whether it is in the list, and the fetcher at it."""
        download = self.model.get(id)
        return download is not None and download.is_running

    def _keep(self, download: Download) -> None:
        self._kept_at = time.monotonic()
        self._store.save_download(download_record(download))
