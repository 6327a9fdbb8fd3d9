"""Runs the queue of downloads: one at a time, every change kept, and gone on with after a start."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue

from PySide6.QtCore import QObject, QTimer, Signal

from app.controllers.download_records import download_from, download_record, is_folder, snapshot
from app.controllers.fetch_events import BACK, GONE, STILL, Fetching, changes_of
from app.controllers.hub_asking import AskedHub, HubAsker
from app.controllers.targets import hub_cache
from app.fetching.events import FetchDone, FetchEvent, FetchFailed, FetchProgress, FetchStopped
from app.fetching.token import keep_token
from app.models.downloads import RUNNING, Download, Downloads
from app.models.hub_search import HubSearch
from app.storage import Keeping, StorageError

TICK_MS = 100
KEEP_SECONDS = 2.0


class DownloadController(QObject):
    """`ready` has the folder of a model that came just now, and whether it is to be loaded by
    itself; `wanted` that of one which was here already, and is to be loaded as it was asked for.

    `events` is the queue into which the fetcher's thread puts what it has to tell.
    """

    ready = Signal(str, bool)
    wanted = Signal(str)
    said = Signal(str)

    def __init__(
        self,
        downloads: Downloads,
        search: HubSearch,
        fetcher: Fetching,
        hub: AskedHub,
        store: Keeping,
        events: SimpleQueue[FetchEvent],
        parent: QObject | None = None,
        *,
        cache: Path | None = None,
        keep: Callable[[str], str | None] = keep_token,
    ) -> None:
        super().__init__(parent)
        self._downloads, self._fetcher, self._store = downloads, fetcher, store
        self._events, self._cache = events, cache
        self.asker = HubAsker(search, hub, self, keep)
        self.asker.said.connect(self.said)
        # What the fetcher is at, until it says that it has ended.
        self._active: int | None = None
        # No number is given twice in a run: the fetcher may still have to tell of an earlier one.
        self._last_id = 0
        self._is_closed = False
        self._kept_at = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._drain)

    def start(self) -> None:
        """Take up the queue as it was left; what was under way goes on."""
        try:
            records = self._store.downloads()
        except StorageError as error:
            self.said.emit(str(error))
            return
        self._last_id = max((each.id for each in records), default=0)
        for record in records:
            if self._downloads.find(record.repo) is None:
                folder = snapshot(self._cache or hub_cache(), record)
                self._downloads.add(replace(download_from(record), folder=folder))
        self.check_folders()
        self._go_on()

    def request(self, repo: str, loads: bool) -> int:
        """Fetch a model; its number. One in the list is shown, gone on with, or loads or not."""
        known = self._downloads.find(repo)
        if known is None:
            self._last_id += 1
            known = Download(self._last_id, repo, position=self._end(), loads=loads)
            self._downloads.add(known)
            self._keep(known.id)
        elif known.has_ended:
            self._use_again(known, loads)
        elif known.loads != loads:
            self._change(known.id, loads=loads)
        else:
            self.resume(known.id)
        if loads:
            self._load_only(known.id)
        self._go_on(known.id)
        return known.id

    def pause(self, id: int) -> None:
        """Stop for now; what came stays."""
        if self._is_under_way(id):
            self._change(id, stage="paused", sentence="", **STILL)
            if self._active == id:
                self._fetcher.pause(id)

    def resume(self, id: int) -> None:
        """Go on, or try again."""
        download = self._downloads.get(id)
        if download is not None and download.is_gone:
            self._fetch_again(download)
        elif download is not None and download.stage in ("paused", "failed"):
            self._change(id, stage="waiting", sentence="", fault="", details="")
            self._go_on(id)

    def cancel(self, id: int) -> None:
        """Stop, remove what came, and forget it; one that is done is only forgotten."""
        download = self._downloads.get(id)
        if download is not None and not download.has_ended:
            self._fetcher.cancel(id, download.repo)
        self._forget(id)

    def forget(self, id: int) -> None:
        """Take one that has ended out of the list; what is on the disk stays."""
        download = self._downloads.get(id)
        if download is not None and download.stage in ("done", "failed"):
            self._forget(id)

    def forget_model(self, repo: str) -> None:
        """A model was deleted from the disk: it is not ready any more."""
        download = self._downloads.find(repo)
        if download is not None and download.has_ended:
            self._forget(download.id)

    def check_folders(self) -> None:
        """See whether all that came is still there: what is gone has failed, until it is back."""
        for each in self._downloads.items:
            if each.has_ended and is_folder(each.folder) == each.is_gone:
                back = BACK | {"done_bytes": each.total_bytes}
                self._change(each.id, **(back if each.is_gone else GONE))

    def load_none(self) -> None:
        """The person has chosen a model: none that comes later takes its place by itself."""
        for each in self._downloads.items:
            if each.loads and not each.has_ended:
                self._change(each.id, loads=False)

    def move_first(self, id: int) -> None:
        """Fetch this one now; the one that is under way waits behind it."""
        download = self._downloads.get(id)
        if download is None or download.stage == "done" or download.stage in RUNNING:
            return
        first = min(each.position for each in self._downloads.items)
        self._change(id, position=first - 1.0)
        running = self._downloads.running
        if running is not None:
            self._change(running.id, stage="waiting", sentence="", **STILL)
            self._fetcher.pause(running.id)
        self.resume(id)
        self._go_on()

    def keep_everything(self) -> None:
        """Save the whole queue again, into a new file."""
        for download in self._downloads.items:
            self._store.save_download(download_record(download))

    def close(self) -> None:
        """End; what is under way is kept as waiting."""
        self._is_closed = True
        self._timer.stop()
        self.asker.close()
        self._fetcher.close(1.0)
        self._drain()
        self.keep_everything()

    def _drain(self) -> None:
        with suppress(Empty):
            while True:
                self._take(self._events.get_nowait())
        if self._active is None:
            self._timer.stop()

    def _take(self, event: FetchEvent) -> None:
        changes = changes_of(event)
        if isinstance(event, FetchProgress):
            # The latest is what counts, and is kept now and then.
            if self._is_running(event.job):
                self._downloads.change(event.job, **changes)
                if time.monotonic() - self._kept_at > KEEP_SECONDS:
                    self._keep(event.job)
        elif isinstance(event, FetchDone | FetchFailed | FetchStopped):
            self._change(event.job, **changes)
            if isinstance(event, FetchDone):
                self._end_well(event.job)
            if event.job == self._active:
                self._active = None
                self._go_on()
        elif self._is_running(event.job):
            self._change(event.job, **changes)

    def _end_well(self, id: int) -> None:
        download = self._downloads.get(id)
        if download is not None:
            self._change(id, done_bytes=download.total_bytes)
            if not self._is_closed:
                self.ready.emit(download.folder, download.loads)

    def _use_again(self, download: Download, loads: bool) -> None:
        self._change(download.id, loads=loads)
        self.check_folders()
        now = self._downloads.get(download.id)
        if now is not None and now.is_gone:
            self._change(now.id, loads=loads)
            self._fetch_again(now)
        elif loads:
            self.wanted.emit(download.folder)

    def _fetch_again(self, download: Download) -> None:
        """What was here once is fetched as it is now."""
        anew = {"stage": "waiting", "sentence": "", "fault": "", "commit": "", "folder": ""}
        self._change(download.id, **anew, done_bytes=0)
        self._go_on(download.id)

    def _load_only(self, id: int) -> None:
        """The last one that was asked for is loaded, and no other."""
        for each in self._downloads.items:
            if each.loads and each.id != id:
                self._change(each.id, loads=False)

    def _go_on(self, asked: int | None = None) -> None:
        """Begin with the next one that waits, where nothing is under way.

        For one that was not `asked` for just now nobody may be there: it waits for a connection.
        """
        if self._active is not None or self._is_closed:
            return
        following = next((each for each in self._downloads.items if each.stage == "waiting"), None)
        if following is not None:
            self._active = following.id
            self._timer.start()
            self._change(following.id, stage="listing")
            id, repo, commit = following.id, following.repo, following.commit
            self._fetcher.start(id, repo, commit, waits_for_network=id != asked)

    def _change(self, id: int, **changes: object) -> None:
        if self._downloads.change(id, **changes) is not None:
            self._keep(id)

    def _keep(self, id: int) -> None:
        download = self._downloads.get(id)
        if download is not None:
            self._kept_at = time.monotonic()
            self._store.save_download(download_record(download))

    def _forget(self, id: int) -> None:
        self._downloads.remove(id)
        self._store.delete_download(id)

    def _is_running(self, id: int) -> bool:
        download = self._downloads.get(id)
        return download is not None and download.stage in RUNNING

    def _is_under_way(self, id: int) -> bool:
        download = self._downloads.get(id)
        return download is not None and (download.stage == "waiting" or download.stage in RUNNING)

    def _end(self) -> float:
        return max((each.position for each in self._downloads.items), default=0.0) + 1.0
