"""What the self-test says of connections and of the keyring, here and where something is wrong."""

import importlib.metadata
from types import SimpleNamespace

import keyring
import pytest
from keyring.backends.fail import Keyring as NoKeyring

from app.selftest import reach


@pytest.fixture(autouse=True)
def fresh_session(monkeypatch):
    """The hub library keeps one session for good; each test has one, and no proxies."""
    from huggingface_hub.utils import close_session

    for name in ("ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    close_session()
    yield
    close_session()


def checks():
    """Every check, by its name."""
    return {check.name: check for check in reach.reach_checks()}


def test_both_are_well_here():
    assert all(check.is_ok for check in checks().values())


def test_certificates_that_are_not_there_are_told(monkeypatch, tmp_path):
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    check = checks()["connections"]
    assert not check.is_ok
    assert "certificates" in check.words


def test_a_proxy_that_is_none_is_told(monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "nonsense://nowhere")
    check = checks()["connections"]
    assert not check.is_ok
    assert "proxies" in check.words


def test_a_bundle_that_lost_its_keyrings_is_told(monkeypatch):
    monkeypatch.setattr(reach, "entry_points", lambda group: importlib.metadata.EntryPoints())
    check = checks()["keyring"]
    assert not check.is_ok
    assert "install Draftscope again" in check.words


@pytest.mark.parametrize(
    ("backend", "words"),
    [(NoKeyring(), "forgotten"), (SimpleNamespace(name="Chest"), "Chest keeps access keys")],
)
def test_where_a_key_would_be_kept_is_said(backend, words, monkeypatch):
    monkeypatch.setattr(keyring, "get_keyring", lambda: backend)
    check = checks()["keyring"]
    assert check.is_ok
    assert words in check.words
