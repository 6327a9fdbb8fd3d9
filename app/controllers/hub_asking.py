"""Asks the hub on threads of its own: a search as it is typed, a model's files, a key to keep."""

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Protocol

from PySide6.QtCore import QObject, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app.fetching.found import FetchError, FoundModel, RemoteModel
from app.fetching.token import keep_token
from app.models.hub_search import HubSearch

QUIET_MS = 300
TICK_MS = 50
NUM_THREADS = 2
log = logging.getLogger("draftscope")
_CLOSE_SECONDS = 0.2

# On a thread: what to do with the answer on the window's; and what where there is none.
_Ask = Callable[[], Callable[[], None]]
_Refuse = Callable[[FetchError], None]


class AskedHub(Protocol):
    """What is asked of the hub; both calls wait for its answer, or raise `FetchError`."""

    @property
    def endpoint(self) -> str:
        """Its address."""

    def search(self, text: str, limit: int = 40) -> tuple[FoundModel, ...]:
        """Models by name."""

    def model(self, repo: str, revision: str = "main") -> RemoteModel:
        """A model's files."""


class HubAsker(QObject):
    """Only the last search counts; an answer to an earlier one is dropped."""

    said = Signal(str)
    key_told = Signal(str)  # what became of a key

    def __init__(
        self,
        search: HubSearch,
        hub: AskedHub,
        parent: QObject | None = None,
        keep: Callable[[str], str | None] = keep_token,
    ) -> None:
        super().__init__(parent)
        self._search, self._hub, self._keep = search, hub, keep
        self._jobs: SimpleQueue[tuple[_Ask, _Refuse] | None] = SimpleQueue()
        self._answers: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._looks: set[str] = set()
        self._num_open = self._last = 0
        self._is_closed = False
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(QUIET_MS)
        self._quiet.timeout.connect(self._send)
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._drain)

    def search(self, text: str) -> None:
        """Look for models, once nothing more is typed; nothing is looked for without a text."""
        wanted = " ".join(text.split())
        if wanted == self._search.text and self._search.stage in ("searching", "found"):
            return
        self._last += 1
        if self._is_closed or not wanted:
            self._quiet.stop()
            self._search.clear()
            return
        self._search.begin(wanted)
        self._quiet.start()

    def look(self, repo: str) -> None:
        """Find out a model's files and sizes, unless they are known or asked for already."""
        if repo in self._looks or isinstance(self._search.sizes.get(repo), RemoteModel):
            return
        self._looks.add(repo)
        self._search.begin_look(repo)
        self._do(partial(self._looked, repo), partial(self._note, repo))

    def set_token(self, text: str) -> None:
        """Keep the person's key, or forget it; refusals for want of one are asked for again."""
        self._do(partial(self._kept, text), lambda error: self.said.emit(error.sentence))

    def show_page(self, repo: str) -> None:
        """A model's page, in the browser."""
        try:
            page = QUrl(f"{self._hub.endpoint}/{repo}")
        except FetchError as error:
            self.said.emit(error.sentence)
            return
        if not QDesktopServices.openUrl(page):
            self.said.emit(self.tr("The page of {0} could not be opened.").format(repo))

    def close(self) -> None:
        """Ask nothing more; what the hub has not answered is not waited for."""
        self._is_closed = True
        self._last += 1
        self._quiet.stop()
        self._timer.stop()
        with suppress(Empty):
            while True:
                self._jobs.get_nowait()
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join(_CLOSE_SECONDS)

    def _send(self) -> None:
        number = self._last

        def refuse(error: FetchError) -> None:
            self._if_last(number, partial(self._search.fail, error))

        self._do(partial(self._found, number, self._search.text), refuse)

    def _do(self, ask: _Ask, refuse: _Refuse) -> None:
        if self._is_closed:
            return
        self._jobs.put((ask, refuse))
        self._num_open += 1
        self._timer.start()
        if len(self._threads) < NUM_THREADS:
            # The system may take its time to find the hub; that must not keep the process.
            thread = threading.Thread(target=self._work, name="hub", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            ask, refuse = job
            try:
                tell = ask()
            except FetchError as error:
                tell = partial(refuse, error)
            except Exception as error:  # what is asked next is answered all the same
                log.exception("The hub's answer met a fault")
                sentence = "The hub's answer cannot be read; try again later."
                tell = partial(refuse, FetchError("server", sentence, repr(error)))
            self._answers.put(tell)

    def _found(self, number: int, text: str) -> Callable[[], None]:
        if number != self._last:
            return lambda: None
        results = self._hub.search(text)
        return partial(self._if_last, number, partial(self._search.end, results))

    def _if_last(self, number: int, tell: Callable[[], None]) -> None:
        if number == self._last:
            tell()

    def _looked(self, repo: str) -> Callable[[], None]:
        return partial(self._note, repo, self._hub.model(repo))

    def _note(self, repo: str, known: RemoteModel | FetchError) -> None:
        self._looks.discard(repo)
        self._search.note(repo, known)

    def _kept(self, text: str) -> Callable[[], None]:
        return partial(self._tell_kept, text, self._keep(text))

    def _tell_kept(self, text: str, sentence: str | None) -> None:
        done = self.tr("The key is kept.") if text.strip() else self.tr("The key is forgotten.")
        self.said.emit(sentence or done)
        self.key_told.emit(sentence or done)
        refused = [repo for repo, each in self._search.sizes.items() if _wants_key(each)]
        for repo in refused:
            self.look(repo)

    def _drain(self) -> None:
        with suppress(Empty):
            while True:
                tell = self._answers.get_nowait()
                self._num_open -= 1
                tell()
        if not self._num_open:
            self._timer.stop()


def _wants_key(known: RemoteModel | FetchError) -> bool:
    return isinstance(known, FetchError) and known.fault in ("gated", "unauthorized")
