"""The thread that fetches: one model at a time; what is asked in, frozen events out."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from app.fetching.events import FetchEvent, FetchFailed, FetchStopped
from app.fetching.found import FetchError
from app.fetching.halt import Halt, HaltedError
from app.fetching.hub import Hub, check_name
from app.fetching.hub_library import hub_constants
from app.fetching.model_fetch import ModelFetch, Patience
from app.fetching.repository_folder import RepositoryFolder
from app.fetching.transfer import disk_errors

log = logging.getLogger("draftscope")


@dataclass(slots=True, eq=False)
class _Task:
    job: int
    repo: str
    commit: str
    waits_for_network: bool = False
    verifies: bool = False
    halt: Halt = field(default_factory=Halt)
    is_cancelled: bool = False


class Fetcher:
    """Fetches models into the hub's cache; `on_event` is called on threads of the fetcher.

    Every call returns at once. The thread starts with the first task and ends with `close`.
    """

    def __init__(
        self,
        hub: Hub,
        cache: Path | None,
        on_event: Callable[[FetchEvent], None],
        patience: Patience | None = None,
    ) -> None:
        self._hub, self._cache, self._on_event = hub, cache, on_event
        self._patience = patience or Patience()
        self._changed = threading.Condition()
        self._waiting: deque[_Task] = deque()
        self._repos: dict[int, str] = {}
        self._running: _Task | None = None
        self._is_closed = False
        self._thread: threading.Thread | None = None
        self._discarding = threading.Lock()

    def start(
        self,
        job: int,
        repo: str,
        commit: str = "",
        *,
        waits_for_network: bool = False,
        verifies: bool = False,
    ) -> None:
        """Fetch a model at a commit, or the newest one; what is here of it stays.

        Without a connection at the very start it fails at once, unless it `waits_for_network`.
        What is here is believed by its size, unless it `verifies`: then what is damaged goes first.
        """
        self._add(_Task(job, repo, commit, waits_for_network, verifies))

    def pause(self, job: int) -> None:
        """Stop; what has come so far stays. FetchStopped follows if there was such a job."""
        self._stop(job, is_cancelled=False)

    def cancel(self, job: int, repo: str = "") -> None:
        """Stop, and remove what has come and no model uses; FetchStopped follows.

        `repo` is needed only for a job that was not started in this run of the program.
        """
        if not self._stop(job, is_cancelled=True) and (repo := repo or self._repos.get(job, "")):
            self._dismiss(_Task(job, repo, "", is_cancelled=True))

    def close(self, timeout: float = 1.0) -> bool:
        """Stop everything without another event, and end the thread; whether it has ended."""
        with self._changed:
            self._is_closed = True
            self._waiting.clear()
            if self._running:
                self._running.halt.set()
            self._changed.notify_all()
        if self._thread is None:
            return True
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _stop(self, job: int, *, is_cancelled: bool) -> bool:
        """Whether there is such a job: the running one stops by itself, others are dismissed."""
        with self._changed:
            running = self._running if self._running and self._running.job == job else None
            waiting = [task for task in self._waiting if task.job == job]
            for task in waiting:
                self._waiting.remove(task)
            if running:
                running.is_cancelled = running.is_cancelled or is_cancelled
                running.halt.set()
        for task in waiting:
            task.is_cancelled = is_cancelled
            self._dismiss(task)
        return bool(running or waiting)

    def _dismiss(self, task: _Task) -> None:
        """On a thread of its own: the fetcher's may be busy with another model for hours."""
        threading.Thread(
            target=self._called_off, args=(task,), name="fetch-dismissal", daemon=True
        ).start()

    def _called_off(self, task: _Task) -> None:
        with self._changed:
            is_cancelled = task.is_cancelled
            if self._running is task:
                self._running = None
        if is_cancelled:
            self._discard(task)
        self._tell(FetchStopped(task.job, is_cancelled))

    def _discard(self, task: _Task) -> None:
        """What the same model needs that is fetched anew meanwhile stays.

        A file that cannot be removed now goes when it is cancelled again.
        """
        try:
            with self._discarding, disk_errors():
                # Asked in here: what begins from now on waits until this is over.
                with self._changed:
                    running = self._running
                if running is None or running.repo != task.repo:
                    self._folder(task).discard()
        except FetchError as error:
            log.warning("What came of %s stays: %s", task.repo, error.details)
        except Exception:
            log.exception("What came of %s stays", task.repo)

    def _add(self, task: _Task) -> None:
        with self._changed:
            if self._is_closed:
                return
            self._repos[task.job] = task.repo
            self._waiting.append(task)
            self._changed.notify_all()
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="fetcher", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        while (task := self._next()) is not None:
            try:
                self._fetch(task)
            except FetchError as error:
                self._fail(task, error)
            except HaltedError:
                self._called_off(task)
            except Exception as error:  # one bad model: the next ones are fetched
                log.exception("%s could not be downloaded", task.repo)
                sentence = f"{task.repo} could not be downloaded; try again, or take another model."
                self._fail(task, FetchError("server", sentence, repr(error)))

    def _fail(self, task: _Task, error: FetchError) -> None:
        with self._changed:
            self._running = None
        self._tell(FetchFailed(task.job, error))

    def _next(self) -> _Task | None:
        with self._changed:
            self._running = None
            self._changed.wait_for(lambda: self._waiting or self._is_closed)
            if self._is_closed:
                return None
            self._running = self._waiting.popleft()
            return self._running

    def _fetch(self, task: _Task) -> None:
        check_name(task.repo)
        with self._discarding:
            task.halt.check()
        fetch = ModelFetch(
            self._hub, self._folder(task), task.job, task.halt, self._patience, self._tell
        )
        fetch.run(
            task.repo,
            task.commit,
            waits_for_network=task.waits_for_network,
            verifies=task.verifies,
        )

    def _folder(self, task: _Task) -> RepositoryFolder:
        cache = self._cache or Path(hub_constants().HF_HUB_CACHE)
        return RepositoryFolder(cache, task.repo)

    def _tell(self, event: FetchEvent) -> None:
        if not self._is_closed:
            self._on_event(event)
