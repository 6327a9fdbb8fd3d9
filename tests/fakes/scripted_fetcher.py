"""A fetcher and a hub that do what a test says, without a network or a thread of their own."""

from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from threading import Event

from app.fetching.events import (
    FetchDone,
    FetchEvent,
    FetchFailed,
    FetchListed,
    FetchProgress,
    FetchStopped,
)
from app.fetching.found import FetchError, FoundModel, RemoteFile, RemoteModel

COMMIT = "0" * 40


class ScriptedFetcher:
    """Notes what it is asked; what happens then is told by the test."""

    def __init__(self, on_event: Callable[[FetchEvent], None]) -> None:
        self._tell = on_event
        self.asked: list[tuple[object, ...]] = []
        self.running: list[int] = []
        self.patient: list[int] = []
        self.verifying: list[int] = []
        self.is_closed = False

    def start(
        self,
        job: int,
        repo: str,
        commit: str = "",
        *,
        waits_for_network: bool = False,
        verifies: bool = False,
    ) -> None:
        assert not self.running, "one at a time"
        self.asked.append(("start", repo, commit))
        if waits_for_network:
            self.patient.append(job)
        if verifies:
            self.verifying.append(job)
        self.running.append(job)

    def pause(self, job: int) -> None:
        self.asked.append(("pause", job))

    def cancel(self, job: int, repo: str = "") -> None:
        self.asked.append(("cancel", job, repo))

    def close(self, timeout: float = 1.0) -> bool:
        self.is_closed = True
        return True

    def list(self, total: int = 1000, done: int = 0) -> None:
        self._tell(FetchListed(self.running[0], COMMIT, 3, total, done))

    def progress(self, done: int, total: int = 1000) -> None:
        self._tell(FetchProgress(self.running[0], "model.safetensors", done, total, 10.0, 90.0))

    def end(self, folder: Path) -> None:
        self._tell(FetchDone(self.running.pop(), folder))

    def fail(self, error: FetchError) -> None:
        self._tell(FetchFailed(self.running.pop(), error))

    def stop(self, *, is_cancelled: bool = False) -> None:
        self._tell(FetchStopped(self.running.pop(), is_cancelled))


class ScriptedHub:
    """Answers at once; what is in `refusals` is refused, what is in `held` waits for its turn."""

    endpoint = "http://127.0.0.1:9"

    def __init__(self) -> None:
        self.refusals: dict[str, FetchError] = {}
        self.held: dict[str, Event] = {}
        self.asked: SimpleQueue[str] = SimpleQueue()

    def search(self, text: str, limit: int = 40) -> tuple[FoundModel, ...]:
        self._answer(text)
        return (found(f"maker/{text}"),)

    def model(self, repo: str, revision: str = "main") -> RemoteModel:
        self._answer(repo)
        file = RemoteFile("model.safetensors", 1000, "a" * 64, None)
        return RemoteModel(repo, COMMIT, (file,), "apache-2.0", False)

    def texts(self) -> list[str]:
        """What was asked so far."""
        return [self.asked.get() for _ in range(self.asked.qsize())]

    def _answer(self, name: str) -> None:
        self.asked.put(name)
        if name in self.held:
            self.held[name].wait(5)
        if name in self.refusals:
            raise self.refusals[name]


def found(repo: str) -> FoundModel:
    """A row of a search that says little."""
    return FoundModel(repo, 5, 1, None, None, None, "", False, ())
