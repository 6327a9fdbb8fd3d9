"""What the person's own machine has set or left there wrong is said, with where to look."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import huggingface_hub
import pytest
from huggingface_hub import constants

from app.fetching import token as token_module
from app.fetching.events import FetchFailed, FetchRetrying, FetchStopped
from app.fetching.found import FetchError
from app.fetching.token import read_token
from tests.app.fetching.conftest import REPO
from tests.app.fetching.test_trouble import Usage
from tests.fakes.hub_server import HubServer


@pytest.mark.parametrize("what", ["folder", "latin"])
def test_a_key_file_that_cannot_be_read_is_named(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "token"
    file.mkdir() if what == "folder" else file.write_bytes(b"hf_\xff\xfe")
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(file))
    for name in ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(token_module, "_own", None)
    monkeypatch.setattr(token_module, "_is_read", True)
    with pytest.raises(FetchError) as caught:
        read_token()
    assert str(file) in caught.value.sentence
    monkeypatch.setattr(token_module, "_own", "mine")
    assert read_token() == "mine"


def test_a_home_that_is_a_file_is_said(server: HubServer, fetching, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    each = fetching()
    each.fetcher.start(1, REPO)
    error = each.until(FetchFailed).error
    assert error.fault == "disk"
    assert "check HF_HOME" in error.sentence


def test_little_room_is_said_in_its_own_unit(fetching, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _place: Usage(0, 0, 3_400_000))
    each = fetching()
    each.fetcher.start(1, REPO)
    assert "there are 3 MB; free some" in each.until(FetchFailed).error.sentence


def test_an_address_that_cannot_be_parsed_is_said() -> None:
    code = (
        "from app.fetching.hub import Hub; from app.fetching.found import FetchError\n"
        "from app.controllers.targets import hub_cache\n"
        "hub = Hub(token=lambda: None)\n"
        "for ask in (lambda: hub.search('x'), lambda: hub.model('a/b'), lambda: hub.endpoint):\n"
        "    try: ask()\n"
        "    except FetchError as error: print(error.sentence)\n"
        "print(hub_cache())\n"
    )
    environment = os.environ | {"HF_ENDPOINT": "http://[", "HF_HOME": "/home/of/hf"}
    environment.pop("HF_HUB_CACHE", None)
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    sentence = "The hub's address is not usable; check HF_ENDPOINT."
    assert done.stdout.splitlines() == [sentence] * 3 + [str(Path("/home/of/hf/hub"))]


def test_one_that_nobody_has_just_asked_for_waits_for_a_connection(fetching) -> None:
    each = fetching(url="http://127.0.0.1:9")
    each.fetcher.start(1, REPO)
    assert each.until(FetchFailed).error.fault == "offline"
    each.fetcher.start(2, REPO, waits_for_network=True)
    for _ in range(6):  # more often than patience has it
        each.until(FetchRetrying)
    each.fetcher.pause(2)
    each.until(FetchStopped)
    assert not [event for event in each.of(FetchFailed) if event.job == 2]
    huggingface_hub.close_session()
