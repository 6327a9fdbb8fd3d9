"""From nothing to chatting with a real model, over a hub of the test's own, in three clicks."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import huggingface_hub
import pytest
from huggingface_hub import constants

from app.fetching import hub, token
from app.views.library.sheet import ModelsSheet
from engine import EngineWorker
from tests.app.conftest import Desk
from tests.fakes.hub_server import HubServer

WEIGHTS = "model.safetensors"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubServer]:
    """A hub whose every repository holds the demonstration model."""
    server = HubServer()
    folder = files("resources") / "models" / "demo"
    server.files = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
    server.large = {WEIGHTS}
    monkeypatch.setattr(constants, "ENDPOINT", server.url)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr(hub, "read_token", lambda: None)
    monkeypatch.setattr(token, "read_token", lambda: None)
    yield server
    server.close()
    huggingface_hub.close_session()


@pytest.fixture
def desk(loop, server) -> Iterator[Desk]:
    """The whole window over the real engine, with no model."""
    desk = Desk(loop, EngineWorker())
    desk.session.room.start()
    yield desk
    desk.close()


def test_three_clicks(desk, server):
    session, window = desk.session, desk.window
    assert session.model.stage == "none"
    assert window.header.model.isVisible()

    async def click_and_chat():
        await desk.until(lambda: not session.room.library.is_scanning)
        # One: the button with the model's name; two: the menu's entry.
        window.header.model.click()
        (entry,) = [
            each for each in window.header.model.popup.actions() if each.text() == "Get models…"
        ]
        entry.trigger()
        window.header.model.popup.close()
        (sheet,) = window.findChildren(ModelsSheet)
        best = sheet.get.best
        assert best.offer.kind == "hybrid"
        # Three.
        best.button.click()
        await desk.until(lambda: session.model.stage in ("ready", "failed"))
        assert session.model.failure is None
        assert session.model.info.name == best.offer.repo
        assert "recurrent" in session.model.info.cache_families
        sheet.close()
        desk.controller.send("Replace every cat by dog: The cat sat on the cat.")
        await desk.until(lambda: desk.chats.current.last_reply is not None)
        await desk.until(lambda: desk.chats.current.last_reply.is_over)
        await desk.until(lambda: not session.room.library.is_scanning)

    desk.wait(click_and_chat())
    assert desk.chats.current.last_reply.log.num_tokens > 5
    assert server.served[WEIGHTS] == len(server.files[WEIGHTS])
    found = session.room.library.find(session.model.name)
    assert found.habits.used is not None
