"""The one download that the fetcher is at: begun, listened to, ended; and then the next."""

from contextlib import suppress
from queue import Empty, SimpleQueue

from PySide6.QtCore import QObject, QTimer, Signal

from app.controllers.download_keeping import KeptDownloads
from app.controllers.fetch_events import AskedFetcher, changes_of
from app.fetching.events import (
    FetchDone,
    FetchEvent,
    FetchFailed,
    FetchListed,
    FetchProgress,
    FetchStopped,
)
from app.models.model_title import model_title

TICK_MS = 100


class DownloadRun(QObject):
    """`ready` has the folder of a model that came just now, and whether it is to be loaded.

    `events` is the queue into which the fetcher's thread puts what it has to tell.
    """

    ready = Signal(str, bool)
    said = Signal(str)

    def __init__(
        self,
        kept: KeptDownloads,
        fetcher: AskedFetcher,
        events: SimpleQueue[FetchEvent],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._kept, self._fetcher, self._events = kept, fetcher, events
        # What the fetcher is at, until it says that it has ended.
        self.active: int | None = None
        self._is_closed = False
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self.drain)

    @property
    def is_listening(self) -> bool:
        """Whether the fetcher has something to tell."""
        return self._timer.isActive()

    def go_on(self, asked: int | None = None) -> None:
        """Begin with the next one that waits, where nothing is under way.

        For one that was not `asked` for just now nobody may be there: it waits for a connection.
        """
        if self.active is not None or self._is_closed:
            return
        items = self._kept.model.items
        following = next((each for each in items if each.stage == "waiting"), None)
        if following is not None:
            id = self.active = following.id
            self._timer.start()
            self._kept.change(id, stage="listing")
            self._fetcher.start(
                id,
                following.repo,
                following.commit,
                waits_for_network=id != asked,
                verifies=following.verifies,
            )

    def drain(self) -> None:
        """Take over what the fetcher has told."""
        with suppress(Empty):
            while True:
                self._take(self._events.get_nowait())
        if self.active is None:
            self._timer.stop()

    def close(self) -> None:
        """End the fetcher, and begin nothing more."""
        self._is_closed = True
        self._timer.stop()
        self._fetcher.close(1.0)
        self.drain()

    def _take(self, event: FetchEvent) -> None:
        changes = changes_of(event)
        if isinstance(event, FetchDone | FetchFailed | FetchStopped):
            self._kept.change(event.job, **changes)
            if isinstance(event, FetchDone):
                self._end_well(event.job)
            if event.job == self.active:
                self.active = None
                self.go_on()
        elif not self._kept.is_running(event.job):
            return  # it was paused or cancelled since
        elif isinstance(event, FetchProgress):
            self._kept.progress(event.job, **changes)
        else:
            if isinstance(event, FetchListed):
                self._tell_verified(event)
            self._kept.change(event.job, **changes)

    def _tell_verified(self, event: FetchListed) -> None:
        """Where nothing is damaged the person should know that it is not the files."""
        download = self._kept.model.get(event.job)
        if download is not None and download.verifies and event.done_bytes == event.total_bytes:
            words = self.tr("All files of {0} are as the hub has them; none had to be downloaded.")
            self.said.emit(words.format(model_title(download.repo)))

    def _end_well(self, id: int) -> None:
        download = self._kept.model.get(id)
        if download is not None:
            self._kept.change(id, done_bytes=download.total_bytes)
            if not self._is_closed:
                self.ready.emit(download.folder, download.loads)
