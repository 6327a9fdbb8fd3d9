"""Whatever comes from outside is refused or made fit where it comes in, in one sentence."""

import json
import logging
import os
from pathlib import Path

import pytest

from app.fetching import connection
from app.fetching.events import FetchDone, FetchFailed, FetchListed, FetchStopped
from app.fetching.found import FetchError
from app.fetching.hub import Hub
from app.fetching.model_fetch import Patience
from app.fetching.outside import LARGEST, is_file_name, line, number, number_in
from app.fetching.repository_folder import RepositoryFolder
from tests.app.fetching.conftest import REPO, WEIGHTS
from tests.app.fetching.test_fetching import check_whole
from tests.fakes.hub_server import HubServer, Trick

HUGE = 10**400
SHA1 = "a" * 40


@pytest.fixture
def hub(server: HubServer) -> Hub:
    return Hub(server.url, token=lambda: None)


def listed_with(server: HubServer, *more: dict[str, object]) -> None:
    server.about = {"siblings": [*server.listing()["siblings"], *more]}  # type: ignore[misc]


@pytest.mark.parametrize("value", [HUGE, LARGEST + 1, -1, -HUGE, 1.5, True, "5", None])
def test_what_is_no_size(value: object) -> None:
    assert number(value) is None


@pytest.mark.parametrize("text", ["", "-1", "9" * 5000, "²", "٣٣", "1e3", "0x1"])
def test_what_is_no_number_of_a_header(text: str) -> None:
    assert number_in(text) is None
    assert number_in(" 12 ") == 12


def test_a_line_can_be_shown() -> None:
    assert line("a\ud800\n\x1b[31mb") == "a???[31mb"
    assert len(line("x" * 10**6)) == 120
    assert is_file_name("dir/" + "x" * 255)
    assert not any(map(is_file_name, ("x\ud800", "a\nb", "é" * 128, "a/" + "x" * 256)))


@pytest.mark.parametrize("size", [HUGE, 2**70, -1, 1.5, "1"])
def test_a_size_that_makes_no_sense_is_refused(hub: Hub, server: HubServer, size: object) -> None:
    large = {"size": size, "sha256": "a" * 64}
    listed_with(server, {"rfilename": "model-x.safetensors", "lfs": large})
    with pytest.raises(FetchError) as caught:
        hub.model(REPO)
    assert caught.value.fault == "server"


def test_sizes_that_make_no_sense_together_are_refused(hub: Hub, server: HubServer) -> None:
    more = [
        {"rfilename": f"model-{i}.safetensors", "size": LARGEST, "blobId": SHA1} for i in (1, 2)
    ]
    listed_with(server, *more)
    with pytest.raises(FetchError):
        hub.model(REPO)


def test_rows_of_a_search_have_sane_figures(hub: Hub, server: HubServer) -> None:
    figures = {"downloads": HUGE, "likes": -HUGE, "safetensors": {"parameters": {"BF16": HUGE}}}
    dates = ["0001-01-01T00:00:00", "9999-12-31T23:59:59-23:59", "1600-01-01T00:00:00Z", 5]
    server.rows = [
        {"id": f"a/m{i}", "tags": ["mlx", "license:\ud800" + "x" * 999], "lastModified": date}
        | figures
        for i, date in enumerate(dates)
    ]
    for row in hub.search(""):
        assert (row.num_downloads, row.num_likes, row.num_parameters) == (None, None, None)
        assert (row.total_bytes, row.changed) == (None, None)
        assert row.license.isprintable()
        assert len(row.license) <= 120


def test_more_rows_than_were_asked_for_are_left(hub: Hub, server: HubServer) -> None:
    rows = [{"id": f"a/m{i}", "tags": ["mlx"]} for i in range(5000)]
    server.tricks["search"] = [Trick(body=json.dumps(rows).encode())]
    assert len(hub.search("", limit=40)) <= 40


@pytest.mark.parametrize("name", ["x\ud800.model", "a\nb.model", "é" * 130 + ".model"])
def test_a_file_that_no_disk_can_have_is_refused(hub: Hub, server: HubServer, name: str) -> None:
    listed_with(server, {"rfilename": name, "size": 3, "blobId": SHA1})
    with pytest.raises(FetchError) as caught:
        hub.model(REPO)
    assert caught.value.fault == "unusable"
    assert caught.value.sentence.isprintable()


def test_one_that_is_not_needed_is_in_nobody_s_way(hub: Hub, server: HubServer) -> None:
    listed_with(server, {"rfilename": "x\ud800.md", "size": 3, "blobId": SHA1})
    assert len(hub.model(REPO).files) == 4


@pytest.mark.parametrize("kind", ["\ud800x", "x" * 10_000, "a\nb"])
def test_an_odd_kind_is_refused_in_a_sentence_to_show(
    hub: Hub, server: HubServer, kind: str
) -> None:
    server.about = {"config": {"model_type": kind, "architectures": ["XForMaskedLM"]}}
    with pytest.raises(FetchError) as caught:
        hub.model(REPO)
    assert caught.value.sentence.isprintable()
    assert len(caught.value.sentence) < 300


@pytest.mark.parametrize("length", ["9" * 5000, "²", "-5"])
def test_lengths_that_make_no_sense_do_not_count(fetching, server: HubServer, length: str) -> None:
    headers = {"content-range": f"bytes 0-1/{length}"}
    server.tricks["config.json"] = [Trick(headers=headers)]
    each = fetching()
    each.fetcher.start(1, REPO)
    last = each.until(FetchDone, FetchFailed)
    assert isinstance(last, FetchDone), last.error.details
    check_whole(each, server)


@pytest.mark.parametrize("wait", ["9" * 400, "²", "Fri, 31 Dec 9999 23:59:59 -2359", "soon"])
def test_an_odd_time_to_wait_is_no_error(wait: str) -> None:
    seconds = connection._retry_after({"retry-after": wait})
    assert seconds is None or 0 <= seconds <= 600


def test_an_answer_nested_without_end_is_a_sentence(hub: Hub, server: HubServer) -> None:
    server.tricks["search"] = server.tricks["listing"] = [Trick(body=b"[" * 200_000)]
    for ask in (lambda: hub.search("x"), lambda: hub.model(REPO)):
        with pytest.raises(FetchError) as caught:
            ask()
        assert caught.value.sentence == "The hub's answer cannot be read; try again later."


def test_an_answer_without_end_is_given_up(
    hub: Hub, server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_MOST_ANSWER_BYTES", 100_000)
    server.tricks["search"] = [Trick(body=b"[" + b" " * 3_000_000 + b"]")]
    with pytest.raises(FetchError) as caught:
        hub.search("x")
    assert "too long" in caught.value.sentence


def test_a_model_that_trips_the_fetcher_does_not_end_it(
    fetching, server: HubServer, monkeypatch: pytest.MonkeyPatch, caplog
) -> None:
    def trip(_self: RepositoryFolder, *_rest: object) -> int:
        raise RuntimeError("a mistake")

    each = fetching()
    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(RepositoryFolder, "bytes_here", trip)
        each.fetcher.start(1, REPO)
        error = each.until(FetchFailed).error
    assert error.fault == "server"
    assert "a mistake" in error.details
    assert "a mistake" in caplog.text
    each.fetcher.start(2, REPO)
    assert each.until(FetchDone).job == 2


def test_links_in_a_circle_do_not_keep_a_download(fetching, server: HubServer) -> None:
    server.tricks[WEIGHTS] = [Trick(after=1000, is_silent=True)]
    each = fetching(Patience(stall_seconds=20))
    each.fetcher.start(1, REPO)
    each.until(FetchListed)
    circle = each.folder / "snapshots" / "x"
    circle.mkdir(parents=True)
    (circle / "self").symlink_to("self")
    each.fetcher.cancel(1)
    each.until(FetchStopped)
    server.tricks.clear()
    each.fetcher.start(2, REPO)
    each.until(FetchDone)
    check_whole(each, server)


def test_nothing_is_removed_where_a_snapshot_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = RepositoryFolder(tmp_path, REPO)
    blob = folder.path / "blobs" / SHA1
    for place in (blob.parent, folder.path / "snapshots" / "c"):
        place.mkdir(parents=True)
    blob.write_text("used")

    def shut(top: Path, onerror) -> list:
        onerror(PermissionError(13, "Permission denied", str(top)))
        return []

    monkeypatch.setattr(os, "walk", shut)
    with pytest.raises(PermissionError):
        folder.discard()
    assert blob.exists()
