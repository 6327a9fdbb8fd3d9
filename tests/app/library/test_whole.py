"""From nothing to a model in the library: the real fetcher, a hub of the test's own."""

from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import huggingface_hub
import pytest
from PySide6.QtCore import QObject

from app.controllers.downloading import DownloadController
from app.fetching.fetcher import Fetcher
from app.fetching.hub import Hub
from app.models.downloads import Downloads
from app.models.hub_search import HubSearch
from tests.fakes.hub_server import HubServer, Trick

REPO = "owner/model"
WEIGHTS = "model.safetensors"


@pytest.fixture
def server() -> Iterator[HubServer]:
    """A hub with one small model."""
    hub = HubServer()
    hub.files = {
        "config.json": b'{"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"]}',
        "tokenizer.json": b"{}",
        WEIGHTS: bytes(range(256)) * 8192,
    }
    hub.large = {WEIGHTS}
    yield hub
    hub.close()
    huggingface_hub.close_session()


class RealQueue:
    """A queue of downloads over the real fetcher."""

    def __init__(self, server: HubServer, store, cache: Path) -> None:
        self.root = QObject()
        self.downloads = Downloads(self.root)
        events: SimpleQueue = SimpleQueue()
        hub = Hub(server.url, token=lambda: None)
        fetcher = Fetcher(hub, cache, events.put)
        self.controller = DownloadController(
            self.downloads, HubSearch(self.root), fetcher, hub, store, events, self.root,
            cache=cache,
        )  # fmt: skip
        self.ready: list[tuple[str, bool]] = []
        self.controller.ready.connect(lambda *values: self.ready.append(values))
        self.controller.start()

    def close(self) -> None:
        """End it."""
        self.controller.close()
        self.root.deleteLater()


def test_fetched_shown_and_deleted(make_shelf, qtbot, server, cache):
    shelf = make_shelf(qtbot)
    queue = RealQueue(server, shelf.store, cache)
    shelf.controller.deleted.connect(queue.controller.forget_model)
    queue.controller.ready.connect(shelf.controller.rescan)
    queue.controller.request(REPO, True)
    qtbot.waitUntil(lambda: bool(queue.ready))
    qtbot.waitUntil(lambda: REPO in shelf.names)
    model = shelf.library.find(REPO)
    assert model.is_complete
    assert queue.ready == [(model.target, True)]
    assert shelf.store.flush(10)
    (record,) = shelf.store.downloads()
    assert (record.stage, record.commit) == ("done", Path(model.target).name)
    qtbot.waitUntil(lambda: shelf.is_quiet)
    shelf.controller.delete(model.target)
    qtbot.waitUntil(lambda: REPO not in shelf.names)
    assert not list(cache.glob("models--*"))
    assert queue.downloads.items == []
    qtbot.waitUntil(lambda: shelf.is_quiet)
    queue.close()


def test_paused_closed_and_gone_on_with(make_shelf, qtbot, server, cache):
    server.tricks[WEIGHTS] = [Trick(pause=0.05), Trick(pause=0.05)]
    shelf = make_shelf(qtbot)
    queue = RealQueue(server, shelf.store, cache)
    job = queue.controller.request(REPO, False)
    qtbot.waitUntil(lambda: 0 < queue.downloads.get(job).done_bytes < 2_000_000)
    queue.controller.pause(job)
    qtbot.waitUntil(lambda: not queue.controller._run.is_listening)
    assert queue.downloads.get(job).stage == "paused"
    queue.controller.resume(job)
    qtbot.waitUntil(lambda: queue.downloads.get(job).stage == "fetching")
    queue.close()
    assert shelf.store.flush(10)
    assert shelf.store.downloads()[0].stage == "waiting"
    server.tricks.clear()
    again = RealQueue(server, shelf.store, cache)
    qtbot.waitUntil(lambda: bool(again.ready))
    assert (Path(again.ready[0][0]) / WEIGHTS).read_bytes() == server.files[WEIGHTS]
    again.close()
    qtbot.waitUntil(lambda: shelf.is_quiet)


def test_cancelled_leaves_nothing(make_shelf, qtbot, server, cache):
    server.tricks[WEIGHTS] = [Trick(pause=0.05), Trick(pause=0.05)]
    shelf = make_shelf(qtbot)
    queue = RealQueue(server, shelf.store, cache)
    job = queue.controller.request(REPO, False)
    qtbot.waitUntil(lambda: queue.downloads.get(job).done_bytes > 0)
    queue.controller.cancel(job)
    assert queue.downloads.items == []
    qtbot.waitUntil(lambda: not queue.controller._run.is_listening)
    assert not list(cache.glob("models--*"))
    queue.close()
    qtbot.waitUntil(lambda: shelf.is_quiet)
