"""Over TLS, as the real hub is: records that wait in the library, and certificates."""

import shutil
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import huggingface_hub
import pytest

from app.fetching.events import FetchDone, FetchFailed, FetchStopped
from app.fetching.model_fetch import Patience
from tests.app.fetching.conftest import CONFIG, REPO, WEIGHTS
from tests.app.fetching.test_fetching import check_whole
from tests.app.fetching.test_stopping import await_size, weights_half
from tests.fakes.hub_server import HubServer, Trick

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate")
HALF = 512 << 10


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("certificate")
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-keyout", str(key), "-out", str(certificate), "-subj", "/CN=127.0.0.1"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(command, check=True, capture_output=True)
    return key, certificate


@pytest.fixture
def secure(certificate: tuple[Path, Path]) -> Iterator[HubServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate[1], certificate[0])
    server = HubServer(context)
    server.files = {
        "config.json": CONFIG,
        "tokenizer.json": b'{"version": "1.0"}',
        WEIGHTS: bytes(range(256)) * 20_000,
    }
    server.large = {WEIGHTS}
    huggingface_hub.close_session()
    yield server
    server.close()
    huggingface_hub.close_session()


def test_a_model_is_fetched_paused_and_fetched_on(
    fetching, secure: HubServer, certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[1]))
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    secure.tricks[WEIGHTS] = [Trick(after=HALF, is_silent=True), Trick(after=HALF), Trick()]
    each = fetching(Patience(first_wait=0.01), url=secure.url)
    each.fetcher.start(1, REPO)
    await_size(weights_half(each.cache, secure), HALF)
    each.fetcher.pause(1)
    each.until(FetchStopped, seconds=5)
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    check_whole(each, secure)
    assert secure.served[WEIGHTS] == len(secure.files[WEIGHTS])


def test_a_certificate_that_is_not_trusted_is_said(
    fetching, secure: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.delenv("SSL_CERT_DIR", raising=False)
    each = fetching(url=secure.url)
    each.fetcher.start(1, REPO)
    error = each.until(FetchFailed, FetchDone).error
    assert error.fault == "offline"
    assert "certificate" in error.sentence
    assert not secure.asked
