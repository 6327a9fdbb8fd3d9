"""Nothing that a network or a disk does leaves a model half right, or a person without a word."""

import errno
import shutil
import socket
from collections import namedtuple

import huggingface_hub
import pytest

import app.fetching.transfer as transfer_module
from app.fetching.events import FetchDone, FetchFailed, FetchListed, FetchRetrying
from tests.app.fetching.conftest import REPO, WEIGHTS
from tests.app.fetching.test_fetching import check_whole
from tests.fakes.hub_server import HubServer, Trick

Usage = namedtuple("Usage", "total used free")


def test_a_dropped_connection_goes_on_where_it_was(fetching, server: HubServer) -> None:
    server.tricks[WEIGHTS] = [Trick(after=300_000), Trick(after=300_001), Trick()]
    each = fetching()
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    check_whole(each, server)
    assert server.served[WEIGHTS] == len(server.files[WEIGHTS])
    assert [headers.get("range") for headers in server.requests_for(WEIGHTS)] == [
        None,
        "bytes=300000-",
        "bytes=600001-",
    ]
    assert len(each.of(FetchRetrying)) == 2


def test_silence_is_noticed_and_the_rest_fetched(fetching, server: HubServer) -> None:
    server.tricks[WEIGHTS] = [Trick(after=500_000, is_silent=True), Trick(is_mute=True), Trick()]
    each = fetching()
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    check_whole(each, server)
    assert server.served[WEIGHTS] == len(server.files[WEIGHTS])
    assert all("Nothing came" in event.sentence for event in each.of(FetchRetrying))


def test_silence_again_and_again_is_a_failure(fetching, server: HubServer) -> None:
    server.tricks[WEIGHTS] = [Trick(after=1000, is_silent=True), Trick(is_mute=True)]
    each = fetching()
    each.fetcher.start(1, REPO)
    error = each.until(FetchFailed, FetchDone, seconds=30).error
    assert error.fault == "stalled"
    assert [half.stat().st_size for half in each.half_files()] == [1000]


def test_ranges_that_are_not_honoured_start_the_file_anew(fetching, server: HubServer) -> None:
    server.tricks[WEIGHTS] = [Trick(after=400_000), Trick(ignores_ranges=True)]
    each = fetching()
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    check_whole(each, server)
    assert server.served[WEIGHTS] == 400_000 + len(server.files[WEIGHTS])


def test_another_range_than_asked_is_not_taken(fetching, server: HubServer) -> None:
    wrong = {"content-range": f"bytes 5-{len(server.files[WEIGHTS]) - 1}/*"}
    server.tricks[WEIGHTS] = [Trick(after=400_000), Trick(headers=wrong), Trick()]
    each = fetching()
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    check_whole(each, server)


@pytest.mark.parametrize("status", [500, 502, 503, 429, 408])
@pytest.mark.parametrize("name", ["listing", WEIGHTS])
def test_a_server_in_trouble_is_asked_again(
    fetching, server: HubServer, status: int, name: str
) -> None:
    server.tricks[name] = [Trick(status), Trick(status, {"retry-after": "0"}), Trick()]
    each = fetching()
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    check_whole(each, server)
    first, second = each.of(FetchRetrying)
    assert first.seconds > 0
    assert second.seconds == 0


def test_the_wait_that_the_hub_asks_for_is_told(fetching, server: HubServer) -> None:
    server.tricks["listing"] = [Trick(429, {"retry-after": "37"})]
    each = fetching()
    each.fetcher.start(1, REPO)
    event = each.until(FetchRetrying)
    assert event.seconds == 37
    assert "wait" in event.sentence
    each.fetcher.pause(1)


def test_a_server_that_stays_in_trouble_is_a_failure(fetching, server: HubServer) -> None:
    server.tricks[WEIGHTS] = [Trick(500)]
    each = fetching()
    each.fetcher.start(1, REPO)
    error = each.until(FetchFailed, FetchDone).error
    assert error.fault == "server"
    assert "HTTP 500" in error.details
    waits = [event.seconds for event in each.of(FetchRetrying)]
    assert waits == [0.01, 0.02, 0.02]


REFUSALS = [
    (404, "RepoNotFound", "not_found"),
    (404, "", "not_found"),
    (404, "RevisionNotFound", "not_found"),
    (401, "RepoNotFound", "not_found"),
    (401, "GatedRepo", "gated"),
    (403, "GatedRepo", "gated"),
    (401, "", "unauthorized"),
    (403, "", "unauthorized"),
]


@pytest.mark.parametrize("name", ["listing", "config.json", WEIGHTS])
@pytest.mark.parametrize(("status", "code", "fault"), REFUSALS)
def test_a_refusal_is_a_sentence_at_once(
    fetching, server: HubServer, name: str, status: int, code: str, fault: str
) -> None:
    server.tricks[name] = [Trick(status, {"x-error-code": code})]
    each = fetching(token="secret")
    each.fetcher.start(1, REPO)
    error = each.until(FetchFailed, FetchDone).error
    assert error.fault == fault
    assert error.sentence.endswith(".")
    assert "HTTP" not in error.sentence
    assert not each.of(FetchRetrying)


def test_no_token_leaves_the_hub(fetching, server: HubServer) -> None:
    storage = HubServer()
    storage.files = server.files
    server.tricks[WEIGHTS] = [Trick(redirects_to=storage.url)]
    storage.tricks[WEIGHTS] = [Trick(after=300_000), Trick()]
    try:
        each = fetching(token="secret")
        each.fetcher.start(1, REPO)
        each.until(FetchDone)
        check_whole(each, server)
        assert all("authorization" not in headers for _, headers in storage.asked)
        assert [headers.get("range") for _, headers in storage.asked] == [None, "bytes=300000-"]
        assert all(headers["authorization"] == "Bearer secret" for _, headers in server.asked)
        assert storage.served[WEIGHTS] == len(server.files[WEIGHTS])
    finally:
        storage.close()


def test_an_address_that_ran_out_is_asked_for_anew(fetching, server: HubServer) -> None:
    storage = HubServer()
    storage.files = server.files
    server.tricks[WEIGHTS] = [Trick(redirects_to=storage.url)]
    storage.tricks[WEIGHTS] = [Trick(403), Trick()]
    try:
        each = fetching()
        each.fetcher.start(1, REPO)
        each.until(FetchDone)
        check_whole(each, server)
    finally:
        storage.close()


def test_no_network_is_said_at_once(fetching) -> None:
    with socket.socket() as bound:  # a port that refuses
        bound.bind(("127.0.0.1", 0))
        each = fetching(url=f"http://127.0.0.1:{bound.getsockname()[1]}")
        each.fetcher.start(1, REPO)
        error = each.until(FetchFailed, FetchDone).error
    assert error.fault == "offline"
    assert "internet connection" in error.sentence


def test_a_name_that_is_not_known_is_said(fetching, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_parts, **_options):
        raise socket.gaierror(socket.EAI_NONAME, "nodename nor servname provided")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    each = fetching(url="http://hub.invalid")
    each.fetcher.start(1, REPO)
    assert each.until(FetchFailed, FetchDone).error.fault == "offline"


def test_a_hub_that_is_switched_off_is_said(
    fetching, server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    each = fetching()
    each.fetcher.start(1, REPO)
    error = each.until(FetchFailed, FetchDone).error
    assert error.fault == "offline"
    assert "HF_HUB_OFFLINE" in error.sentence
    assert not server.asked


@pytest.mark.parametrize("url", ["nonsense", "http://[", "ftp://127.0.0.1"])
def test_an_address_that_is_none_is_said(fetching, url: str) -> None:
    each = fetching(url=url)
    each.fetcher.start(1, REPO)
    error = each.until(FetchFailed, FetchDone).error
    assert error.fault == "offline"
    assert "HF_ENDPOINT" in error.sentence


def test_too_little_room_is_said_before_a_byte(
    fetching, server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(0, 0, 1_000_500_000))
    each = fetching()
    each.fetcher.start(1, REPO)
    error = each.until(FetchFailed, FetchDone).error
    assert error.fault == "disk_full"
    assert error.sentence.count("GB") == 2
    assert not server.requests_for("config.json")
    assert not each.cache.exists()


def test_a_disk_that_fills_up_is_said_and_it_goes_on(
    fetching, server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = transfer_module._write_all

    def full(sink, chunk: bytes) -> None:
        if sink.tell() > 200_000:
            raise OSError(errno.ENOSPC, "No space left on device")
        written(sink, chunk)

    monkeypatch.setattr(transfer_module, "_write_all", full)
    each = fetching()
    each.fetcher.start(1, REPO)
    assert each.until(FetchFailed, FetchDone).error.fault == "disk_full"
    (half,) = each.half_files()
    here = half.stat().st_size
    assert here > 200_000
    monkeypatch.setattr(transfer_module, "_write_all", written)
    each.fetcher.start(2, REPO)
    each.until(FetchDone)
    check_whole(each, server)
    assert server.requests_for(WEIGHTS)[-1]["range"] == f"bytes={here}-"


def test_a_cache_that_cannot_be_written_is_said(fetching, server: HubServer) -> None:
    each = fetching()
    each.cache.write_text("a file in its place")
    each.fetcher.start(1, REPO)
    assert each.until(FetchFailed, FetchDone).error.fault == "disk"
    assert not server.requests_for("config.json")


UNUSABLE = [
    ({"library_name": "diffusers"}, "pictures"),
    ({"pipeline_tag": "automatic-speech-recognition"}, "automatic speech recognition"),
    ({"config": {"model_type": "bert", "architectures": ["BertForMaskedLM"]}}, "bert"),
    ({"siblings": []}, "no weights"),
    ({"siblings": [{"rfilename": "a.gguf", "size": 1, "blobId": "a" * 40}]}, ".gguf only"),
]


@pytest.mark.parametrize(("about", "word"), UNUSABLE)
def test_what_cannot_be_run_is_not_fetched(
    fetching, server: HubServer, about: dict[str, object], word: str
) -> None:
    server.about = about
    each = fetching()
    each.fetcher.start(1, REPO)
    error = each.until(FetchFailed, FetchDone).error
    assert error.fault == "unusable"
    assert word in error.sentence
    assert not each.of(FetchListed)
    assert not each.cache.exists()


@pytest.mark.parametrize("config", [b"{}", b"[1]", b"{", b'{"model_type": "whisper"}'])
def test_a_config_of_something_else_ends_it_before_the_weights(
    fetching, server: HubServer, config: bytes
) -> None:
    server.files["config.json"] = config
    each = fetching()
    each.fetcher.start(1, REPO)
    assert each.until(FetchFailed, FetchDone).error.fault == "unusable"
    assert server.served[WEIGHTS] == 0


@pytest.mark.parametrize("repo", ["../../etc", "model", "a/b/c", "owner/../x", "", "owner/mo del"])
def test_a_name_that_is_none_is_said(fetching, server: HubServer, repo: str) -> None:
    each = fetching()
    each.fetcher.start(1, repo)
    assert each.until(FetchFailed, FetchDone).error.fault == "not_found"
    assert not server.asked


NONSENSE = [
    {"sha": "../../x"},
    {"sha": None},
    {"siblings": [{"rfilename": WEIGHTS, "size": -1, "blobId": "a" * 40}]},
    {"siblings": [{"rfilename": WEIGHTS, "size": 1, "blobId": "../../../x"}]},
    {"siblings": [{"rfilename": WEIGHTS}]},
]


@pytest.mark.parametrize("about", NONSENSE)
def test_an_answer_that_makes_no_sense_is_said(
    fetching, server: HubServer, about: dict[str, object]
) -> None:
    server.about = about
    each = fetching()
    each.fetcher.start(1, REPO)
    assert each.until(FetchFailed, FetchDone).error.fault == "server"
    assert not each.cache.exists()


def test_names_that_lead_out_of_the_folder_are_left_out(fetching, server: HubServer) -> None:
    server.files["../model.safetensors"] = b"out"
    server.files["additional_chat_templates/../../x.jinja"] = b"out"
    each = fetching()
    each.fetcher.start(1, REPO)
    folder = each.until(FetchDone).folder
    assert len(list(folder.rglob("*"))) == 4


def test_an_answer_that_is_not_json_is_asked_again(fetching, server: HubServer) -> None:
    server.tricks["listing"] = [Trick(body=b"<html>")]
    each = fetching()
    each.fetcher.start(1, REPO)
    assert each.until(FetchFailed, FetchDone).error.fault == "server"
    assert len(each.of(FetchRetrying)) == 3
