"""The person's key: kept where the system keeps keys, or for now only, and said so."""

from collections.abc import Iterator

import huggingface_hub
import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends.fail import Keyring as NoKeyring
from keyring.errors import KeyringLocked

from app.fetching import token as token_module
from app.fetching.token import keep_token, read_token


class InMemory(KeyringBackend):
    """Keeps keys in a dictionary."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.is_locked = False

    def get_password(self, service: str, username: str) -> str | None:
        self._check()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._check()
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._check()
        del self.kept[service, username]

    def _check(self) -> None:
        if self.is_locked:
            raise KeyringLocked("it stays locked")


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> Iterator[InMemory]:
    before = keyring.get_keyring()
    backend = InMemory()
    keyring.set_keyring(backend)
    monkeypatch.setattr(huggingface_hub, "get_token", lambda: None)
    forget(monkeypatch)
    yield backend
    keyring.set_keyring(before)


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a new start of the program."""
    monkeypatch.setattr(token_module, "_own", None)
    monkeypatch.setattr(token_module, "_is_read", False)


def test_a_key_is_kept_over_a_restart(backend: InMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_token() is None
    assert keep_token(" hf_secret\n") is None
    assert read_token() == "hf_secret"
    forget(monkeypatch)
    assert read_token() == "hf_secret"
    assert keep_token("") is None
    assert backend.kept == {}
    forget(monkeypatch)
    assert read_token() is None
    assert keep_token("") is None


def test_the_own_key_goes_before_that_of_the_environment(
    backend: InMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(huggingface_hub, "get_token", lambda: "theirs")
    assert read_token() == "theirs"
    keep_token("mine")
    assert read_token() == "mine"


def test_without_a_keyring_it_is_kept_for_now_and_said(
    backend: InMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    keyring.set_keyring(NoKeyring())
    sentence = keep_token("hf_secret")
    assert sentence is not None
    assert "until Draftscope is closed" in sentence
    assert read_token() == "hf_secret"
    assert keep_token("") is None
    assert read_token() is None
    forget(monkeypatch)
    assert read_token() is None


def test_a_locked_keyring_is_said(backend: InMemory) -> None:
    backend.is_locked = True
    assert read_token() is None
    assert keep_token("hf_secret") is not None
    assert read_token() == "hf_secret"
    assert keep_token("") is not None
    assert read_token() is None


@pytest.mark.parametrize("text", ["gehëim", "a\x00b"])
def test_what_no_token_has_is_refused(backend: InMemory, text: str) -> None:
    sentence = keep_token(text)
    assert sentence is not None
    assert "not a key of the hub" in sentence
    assert read_token() is None
