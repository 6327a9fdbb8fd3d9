"""One model: listed, made room for, its files fetched and checked, and then said to be here."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

from app.fetching.connection import SetbackError
from app.fetching.events import (
    FetchChecking,
    FetchDone,
    FetchEvent,
    FetchListed,
    FetchRetrying,
)
from app.fetching.found import FetchError, RemoteFile, RemoteModel
from app.fetching.halt import Halt
from app.fetching.hub import Hub
from app.fetching.meter import Meter
from app.fetching.repository_folder import FileLockedError, RepositoryFolder
from app.fetching.selection import check_config
from app.fetching.transfer import MismatchError, Transfer, disk_errors
from app.fetching.verifying import Verification

RESERVE_BYTES = 1_000_000_000
_CONFIG = "config.json"

Offline = Literal["fail", "wait", "retry"]
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long is waited: in silence, after a failure (twice as long each time), how often."""

    stall_seconds: float = 30.0
    first_wait: float = 1.0
    longest_wait: float = 60.0
    num_failures: int = 8
    locked_wait: float = 5.0


class ModelFetch:
    """What brings one model here; `run` blocks until it is here, fails, or is called off."""

    def __init__(
        self,
        hub: Hub,
        folder: RepositoryFolder,
        job: int,
        halt: Halt,
        patience: Patience,
        tell: Callable[[FetchEvent], None],
    ) -> None:
        self._hub, self._folder, self._job = hub, folder, job
        self._halt, self._patience, self._tell = halt, patience, tell
        self._meter = Meter(job, 0, 0, tell)

    def run(
        self, repo: str, commit: str, *, waits_for_network: bool = False, verifies: bool = False
    ) -> None:
        """Fetch it at a commit, or the newest one; FetchError or HaltedError where that ends.

        Without a connection at the very start it fails at once, unless it `waits_for_network`.
        Where it `verifies`, what is here already is read first, and what is damaged comes again.
        """
        offline: Offline = "wait" if waits_for_network else "fail"
        model = self._patiently(lambda: self._list(repo, commit or "main"), offline)
        if verifies:
            self._verify(model)
        here = [self._folder.bytes_here(file, model.commit) for file in model.files]
        total, done = model.total_bytes, sum(here)
        self._tell(FetchListed(self._job, model.commit, len(here), total, done))
        self._check_room(model, total - done)
        self._meter = Meter(self._job, total, done, self._tell)
        with disk_errors():
            self._folder.make()
        transfer = Transfer(
            self._hub, model, self._folder, self._halt, self._meter, self._patience.stall_seconds
        )
        for file in model.files:
            self._meter.begin(file.name)
            self._bring(file, model, transfer)
            if file.name == _CONFIG:
                self._check_config(file, model)
        self._meter.finish()
        self._halt.check()
        if not all(self._folder.is_complete(file, model.commit) for file in model.files):
            raise FetchError(
                "disk",
                f"Files of {model.repo} were removed while it was downloaded; start it again.",
            )
        with disk_errors():
            folder = self._folder.finish(model)
        self._tell(FetchDone(self._job, folder))

    def _list(self, repo: str, revision: str) -> RemoteModel:
        return self._halt.run(lambda: self._hub.model(repo, revision))

    def _verify(self, model: RemoteModel) -> None:
        with disk_errors():
            self._folder.make()
        Verification(model, self._folder, self._halt, self._job, self._tell).run(self._alone)

    def _bring(self, file: RemoteFile, model: RemoteModel, transfer: Transfer) -> None:
        def fetch() -> None:
            if not self._folder.is_complete(file, model.commit):
                self._fetch(file, transfer)

        if not self._folder.is_complete(file, model.commit):
            self._alone(file, fetch)

    def _alone(self, file: RemoteFile, act: Callable[[], None]) -> None:
        """Do it while no other program is at the same file; one that is is waited for."""
        while True:
            try:
                with disk_errors(), self._folder.locked(file, self._halt):
                    return act()
            except FileLockedError:
                sentence = "Another program is getting the same file; waiting for it."
                self._pause_for(sentence, self._patience.locked_wait)

    def _fetch(self, file: RemoteFile, transfer: Transfer) -> None:
        for _ in range(2):
            try:
                self._patiently(lambda: transfer.fetch(file))
                self._tell(FetchChecking(self._job, file.name))
                transfer.check(file)
            except MismatchError as error:
                transfer.restart(file)
                details = f"{file.name}: {error}"
            else:
                self._meter.rest()
                return
        sentence = (
            f"{file.name} came damaged from the hub twice; try again later, or take another model."
        )
        raise FetchError("checksum", sentence, details)

    def _patiently(self, call: Callable[[], Result], offline: Offline = "retry") -> Result:
        """What `call` returns, after as many setbacks as patience has.

        Without a connection it fails at once, waits for one, or tries as often as otherwise.
        """
        num_failures, come = 0, self._meter.done
        while True:
            try:
                return call()
            except SetbackError as setback:
                # A person who has just asked is there, and should know.
                is_offline = setback.fault == "offline"
                if is_offline and offline == "fail":
                    raise
                num_failures = 1 if self._meter.done > come else num_failures + 1
                come = self._meter.done
                is_endless = is_offline and offline == "wait"
                if num_failures >= self._patience.num_failures and not is_endless:
                    raise
                wait = min(
                    self._patience.first_wait * 2 ** min(num_failures - 1, 16),
                    self._patience.longest_wait,
                )
                self._pause_for(setback.sentence, wait if setback.wait is None else setback.wait)

    def _pause_for(self, sentence: str, seconds: float) -> None:
        self._tell(FetchRetrying(self._job, sentence, seconds))
        self._meter.rest()
        self._halt.wait(seconds)

    def _check_room(self, model: RemoteModel, missing: int) -> None:
        if not missing:
            return
        place = self._folder.path
        while not place.exists() and place != place.parent:
            place = place.parent
        with disk_errors():
            free = shutil.disk_usage(place).free
        if free < missing + RESERVE_BYTES:
            sentence = (
                f"{model.repo} needs {_size_words(missing + RESERVE_BYTES)} of free disk space, "
                f"and there are {_size_words(free)}; free some and try again."
            )
            raise FetchError("disk_full", sentence)

    def _check_config(self, file: RemoteFile, model: RemoteModel) -> None:
        blob, linked = self._folder.blob(file), self._folder.snapshot(model.commit) / file.name
        try:
            config = json.loads((blob if blob.exists() else linked).read_bytes())
        except (OSError, ValueError, RecursionError):
            config = None
        check_config(model.repo, config)


def _size_words(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"
