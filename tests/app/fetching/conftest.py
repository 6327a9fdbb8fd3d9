"""A fake hub with a small model, a fetcher over it, and the events as they come."""

import queue
from collections.abc import Callable, Iterator
from pathlib import Path

import huggingface_hub
import pytest

from app.fetching.events import FetchEvent
from app.fetching.fetcher import Fetcher
from app.fetching.hub import Hub
from app.fetching.model_fetch import Patience
from tests.fakes.hub_server import HubServer

REPO = "owner/model"
WEIGHTS = "model.safetensors"
CONFIG = b'{"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"]}'
QUICK = Patience(
    stall_seconds=0.4, first_wait=0.01, longest_wait=0.02, num_failures=4, locked_wait=0.05
)


@pytest.fixture
def server() -> Iterator[HubServer]:
    """The fake hub, with all that a small model has."""
    hub = HubServer()
    hub.files = {
        "config.json": CONFIG,
        "tokenizer.json": b'{"version": "1.0"}',
        "tokenizer_config.json": b"{}",
        WEIGHTS: bytes(range(256)) * 4096,
    }
    hub.large = {WEIGHTS}
    yield hub
    hub.close()
    huggingface_hub.close_session()


class Fetching:
    """A fetcher with what it told."""

    def __init__(self, hub: Hub, cache: Path, patience: Patience) -> None:
        self.cache = cache
        self.events: list[FetchEvent] = []
        self._queue: queue.SimpleQueue[FetchEvent] = queue.SimpleQueue()
        self.fetcher = Fetcher(hub, cache, self._queue.put, patience)

    def until(self, *kinds: type, seconds: float = 10.0) -> FetchEvent:
        """The next event of a kind; queue.Empty where none comes."""
        while True:
            event = self._queue.get(timeout=seconds)
            self.events.append(event)
            if isinstance(event, kinds):
                return event

    def of(self, kind: type) -> list:
        """The events of a kind that were waited through."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def is_quiet(self) -> bool:
        """Whether nothing more was told so far."""
        return self._queue.empty()

    @property
    def folder(self) -> Path:
        """The repository's folder in the cache."""
        return self.cache / "models--owner--model"

    def half_files(self) -> list[Path]:
        """What is here in part."""
        return sorted(self.folder.glob("blobs/*.incomplete"))


@pytest.fixture
def fetching(server: HubServer, tmp_path: Path) -> Iterator[Callable[..., Fetching]]:
    """Makes fetchers over one cache, and closes them."""
    made: list[Fetching] = []

    def make(patience: Patience = QUICK, token: str | None = None, url: str = "") -> Fetching:
        hub = Hub(url or server.url, token=lambda: token)
        made.append(Fetching(hub, tmp_path / "cache", patience))
        return made[-1]

    yield make
    for each in made:
        assert each.fetcher.close()
