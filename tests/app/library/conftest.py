"""A library over folders of its own, and a queue of downloads over a scripted fetcher."""

from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication

from app.controllers.downloading import DownloadController
from app.controllers.library import LibraryController
from app.models.downloads import Downloads
from app.models.hub_search import HubSearch
from app.models.library import Library
from app.storage import Store
from engine import LayerGroup, ModelSurvey
from tests.fakes.scripted_fetcher import ScriptedFetcher, ScriptedHub

GB = 1_000_000_000


def surveyed(path: Path) -> ModelSurvey:
    """A model of 2 GB and 1 kB per token; a snapshot is named after its repository."""
    is_snapshot = path.parent.name == "snapshots"
    name = path.parents[1].name[8:].replace("--", "/") if is_snapshot else path.name
    layers = (LayerGroup("attention", 1, 1000, None, 0),)
    return ModelSurvey(str(path), name, weights_bytes=2 * GB, context_length=4096, layers=layers)


def model_folder(path: Path, *files: str) -> Path:
    """A folder that looks like a model."""
    path.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "tokenizer.json", "model.safetensors", *files):
        (path / name).write_text("{}")
    return path


def snapshot(cache: Path, repo: str, commit: str = "c" * 40, *, is_named: bool = True) -> Path:
    """A model in the hub's cache, its files in blobs."""
    repository = cache / f"models--{repo.replace('/', '--')}"
    path = repository / "snapshots" / commit
    path.mkdir(parents=True)
    (repository / "blobs").mkdir(exist_ok=True)
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        blob = repository / "blobs" / f"{commit[:4]}{name}"
        blob.write_text(f"{{}} {name}")
        (path / name).symlink_to(blob)
    if is_named:
        (repository / "refs").mkdir(exist_ok=True)
        (repository / "refs" / "main").write_text(commit)
    return path


class Shelf:
    """A library and its controller, driven from a test."""

    def __init__(self, store: Store, cache: Path, **options) -> None:
        self.root = QObject()
        self.store, self.cache = store, cache
        self.library, self.downloads = Library(self.root), Downloads(self.root)
        self.surveys: list[Path] = []
        self.said: list[str] = []
        self.deleted: list[str] = []
        options = {"surveyor": self._survey, "available": lambda: 10 * GB} | options
        self.controller = LibraryController(
            self.library, self.downloads, store, self.root, cache=cache, **options
        )
        self.controller.said.connect(self.said.append)
        self.controller.deleted.connect(self.deleted.append)

    @property
    def names(self) -> list[str]:
        return [each.name for each in self.library.models]

    @property
    def is_quiet(self) -> bool:
        return not self.controller._timer.isActive() and not self.library.is_scanning

    def _survey(self, path: Path) -> ModelSurvey:
        self.surveys.append(path)
        return surveyed(path)


class Queue:
    """A queue of downloads, driven from a test."""

    def __init__(self, store: Store, cache: Path) -> None:
        self.root = QObject()
        self.downloads, self.search = Downloads(self.root), HubSearch(self.root)
        events: SimpleQueue = SimpleQueue()
        self.fetcher, self.hub = ScriptedFetcher(events.put), ScriptedHub()
        self.kept: list[str] = []
        self.controller = DownloadController(
            self.downloads, self.search, self.fetcher, self.hub, store, events, self.root,
            cache=cache, keep=self._keep,
        )  # fmt: skip
        self.ready: list[tuple[str, bool]] = []
        self.wanted: list[str] = []
        self.said: list[str] = []
        self.controller.ready.connect(lambda *values: self.ready.append(values))
        self.controller.wanted.connect(self.wanted.append)
        self.controller.said.connect(self.said.append)

    @property
    def stages(self) -> dict[str, str]:
        return {each.repo: each.stage for each in self.downloads.items}

    def drain(self) -> None:
        """As the timer does."""
        self.controller._run.drain()

    def _keep(self, text: str) -> str | None:
        self.kept.append(text)
        return None if text != "odd" else "The key could not be kept."


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """The hub's cache of the test."""
    path = tmp_path / "hub"
    path.mkdir()
    return path


@pytest.fixture
def open_store(tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """Opens the test's store, and closes the one before."""
    stores: list[Store] = []

    def make() -> Store:
        for each in stores:
            each.close()
        stores.append(Store.open(tmp_path / "data", lambda problem: None))
        return stores[-1]

    yield make
    for each in stores:
        each.close()


def _end(parts: list) -> None:
    for each in parts:
        each.controller.close()
        each.root.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def make_shelf(qapp: QApplication, cache: Path, open_store) -> Iterator[Callable[..., Shelf]]:
    """Makes libraries, begun and looked through once."""
    shelves: list[Shelf] = []

    def make(qtbot, **options) -> Shelf:
        shelf = Shelf(open_store(), cache, **options)
        shelves.append(shelf)
        shelf.controller.start()
        qtbot.waitUntil(lambda: shelf.is_quiet)
        return shelf

    yield make
    _end(shelves)


@pytest.fixture
def make_queue(qapp: QApplication, cache: Path, open_store) -> Iterator[Callable[[], Queue]]:
    """Makes queues, taken up where the store has left them."""
    queues: list[Queue] = []

    def make() -> Queue:
        queue = Queue(open_store(), cache)
        queues.append(queue)
        queue.controller.start()
        return queue

    yield make
    _end(queues)
