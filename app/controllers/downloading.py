"""Runs the queue of downloads: one at a time, and gone on with after a start."""

from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

from PySide6.QtCore import QObject, Signal

from app.controllers.download_keeping import KeptDownloads
from app.controllers.download_run import DownloadRun
from app.controllers.fetch_events import STILL, AskedFetcher
from app.controllers.hub_asking import AskedHub, HubAsker
from app.fetching.events import FetchEvent
from app.fetching.token import keep_token
from app.models.downloads import Download, Downloads
from app.models.hub_search import HubSearch
from app.storage import Keeping, StorageError

# Faults that a key may mend.
_WANTS_KEY = ("gated", "unauthorized")


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
        fetcher: AskedFetcher,
        hub: AskedHub,
        store: Keeping,
        events: SimpleQueue[FetchEvent],
        parent: QObject | None = None,
        *,
        cache: Path | None = None,
        keep: Callable[[str], str | None] = keep_token,
    ) -> None:
        super().__init__(parent)
        self._downloads, self._fetcher = downloads, fetcher
        self._kept = KeptDownloads(downloads, store, cache)
        self.asker = HubAsker(search, hub, self, keep)
        self.asker.said.connect(self.said)
        self.asker.key_told.connect(self._try_with_key)
        self._has_new_key = False
        self._run = DownloadRun(self._kept, fetcher, events, self)
        self._run.ready.connect(self.ready)
        self._run.said.connect(self.said)

    def start(self) -> None:
        """Take up the queue as it was left; what was under way goes on."""
        try:
            self._kept.read()
        except StorageError as error:
            self.said.emit(str(error))
            return
        self.check_folders()
        self._run.go_on()

    def request(self, repo: str, loads: bool) -> int:
        """Fetch a model; its number. One in the list is shown, gone on with, or loads or not."""
        known = self._downloads.find(repo)
        if known is None:
            known = self._kept.add(repo, loads=loads)
        elif known.has_ended:
            self._use_again(known, loads)
        elif known.loads != loads:
            self._kept.change(known.id, loads=loads)
        else:
            self.resume(known.id)
        if loads:
            self._load_only(known.id)
        self._run.go_on(known.id)
        return known.id

    def repair(self, repo: str) -> None:
        """Compare what is here of a model with its checksums, and fetch what is wrong or missing.

        One that is under way already, or stopped on its way, only goes on.
        """
        known = self._downloads.find(repo)
        if known is not None and known.has_ended:
            self._kept.forget(known.id)
            known = None
        if known is None:
            known = self._kept.add(repo, loads=False, verifies=True)
        else:
            self.resume(known.id)
        self._run.go_on(known.id)

    def pause(self, id: int) -> None:
        """Stop for now; what came stays."""
        download = self._downloads.get(id)
        if download is not None and download.is_under_way:
            self._kept.change(id, stage="paused", sentence="", **STILL)
            if self._run.active == id:
                self._fetcher.pause(id)

    def resume(self, id: int) -> None:
        """Go on, or try again."""
        download = self._downloads.get(id)
        if download is not None and download.is_gone:
            self._fetch_again(download)
        elif download is not None and download.stage in ("paused", "failed"):
            self._kept.change(id, stage="waiting", sentence="", fault="", details="")
            self._run.go_on(id)

    def cancel(self, id: int) -> None:
        """Stop, remove what came, and forget it; one that is done is only forgotten."""
        download = self._downloads.get(id)
        if download is not None and not download.has_ended:
            self._fetcher.cancel(id, download.repo)
        self._kept.forget(id)

    def forget(self, id: int) -> None:
        """Take one that has ended out of the list; what is on the disk stays."""
        download = self._downloads.get(id)
        if download is not None and download.stage in ("done", "failed"):
            self._kept.forget(id)

    def set_token(self, text: str) -> None:
        """Keep the hub's key, or forget it; what was refused for want of one is tried again."""
        self._has_new_key = bool(text.strip())
        self.asker.set_token(text)

    def forget_model(self, repo: str) -> None:
        """A model was deleted from the disk: it is not ready any more."""
        download = self._downloads.find(repo)
        if download is not None and download.has_ended:
            self._kept.forget(download.id)

    def check_folders(self) -> None:
        """See whether all that came is still there: what is gone has failed, until it is back."""
        self._kept.check_folders()

    def load_none(self) -> None:
        """The person has chosen a model: none that comes later takes its place by itself."""
        for each in self._downloads.items:
            if each.loads and not each.has_ended:
                self._kept.change(each.id, loads=False)

    def move_first(self, id: int) -> None:
        """Fetch this one now; the one that is under way waits behind it."""
        download = self._downloads.get(id)
        if download is None or download.stage == "done" or download.is_running:
            return
        first = min(each.position for each in self._downloads.items)
        self._kept.change(id, position=first - 1.0)
        running = self._downloads.running
        if running is not None:
            self._kept.change(running.id, stage="waiting", sentence="", **STILL)
            self._fetcher.pause(running.id)
        self.resume(id)
        self._run.go_on()

    def keep_everything(self) -> None:
        """Save the whole queue again, into a new file."""
        self._kept.save_all()

    def close(self) -> None:
        """End; what is under way is kept as waiting."""
        self.asker.close()
        self._run.close()
        self.keep_everything()

    def _use_again(self, download: Download, loads: bool) -> None:
        self._kept.change(download.id, loads=loads)
        self.check_folders()
        now = self._downloads.get(download.id)
        if now is not None and now.is_gone:
            self._kept.change(now.id, loads=loads)
            self._fetch_again(now)
        elif loads:
            self.wanted.emit(download.folder)

    def _try_with_key(self) -> None:
        refused = [each for each in self._downloads.items if each.fault in _WANTS_KEY]
        for each in refused if self._has_new_key else ():
            self.resume(each.id)
        self._has_new_key = False

    def _fetch_again(self, download: Download) -> None:
        """What was here once is fetched as it is now."""
        anew = {"stage": "waiting", "sentence": "", "fault": "", "commit": "", "folder": ""}
        self._kept.change(download.id, **anew, done_bytes=0)
        self._run.go_on(download.id)

    def _load_only(self, id: int) -> None:
        """The last one that was asked for is loaded, and no other."""
        for each in self._downloads.items:
            if each.loads and each.id != id:
                self._kept.change(each.id, loads=False)
