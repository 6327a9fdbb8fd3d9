"""What is here and damaged is found by its checksum, and only that comes again."""

import shutil
import threading
from pathlib import Path

import pytest

import app.fetching.checksum as checksum_module
from app.fetching.events import (
    FetchDone,
    FetchFailed,
    FetchListed,
    FetchProgress,
    FetchStopped,
)
from app.fetching.repository_folder import RepositoryFolder
from tests.app.fetching.conftest import REPO, WEIGHTS
from tests.app.fetching.test_fetching import check_whole
from tests.fakes.hub_server import COMMIT, HubServer


def flip(place: Path, at: int = 5) -> None:
    """Change one byte, and nothing else."""
    body = bytearray(place.read_bytes())
    body[at] ^= 1
    place.write_bytes(body)


def begun(fetching, server: HubServer):
    """A fetcher with the whole model here, and how much of each file was served for it."""
    each = fetching()
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    return each, {name: server.served[name] for name in server.files}


def repaired(each, job: int = 2):
    """What is told of a repair from its beginning to its end."""
    each.events.clear()
    each.fetcher.start(job, REPO, verifies=True)
    assert isinstance(each.until(FetchDone, FetchFailed), FetchDone)
    return [event for event in each.of(FetchProgress) if event.verifies]


@pytest.mark.parametrize("name", [WEIGHTS, "tokenizer.json"])
def test_one_byte_flipped_is_that_file_fetched_again(
    fetching, server: HubServer, name: str
) -> None:
    each, served = begun(fetching, server)
    flip((each.folder / "snapshots" / COMMIT / name).resolve())
    told = repaired(each)
    check_whole(each, server)
    again = {each: server.served[each] - count for each, count in served.items()}
    assert again == {each: len(server.files[name]) if each == name else 0 for each in served}
    total = sum(map(len, server.files.values()))
    assert (told[0].done_bytes, told[-1].done_bytes, told[-1].total_bytes) == (0, total, total)
    (listed,) = each.of(FetchListed)
    assert listed.done_bytes == total - len(server.files[name])
    assert (each.folder / "snapshots" / COMMIT / name).is_symlink()


def test_on_a_disk_without_links_the_file_itself_is_replaced(fetching, server: HubServer) -> None:
    each, served = begun(fetching, server)
    place = each.folder / "snapshots" / COMMIT / WEIGHTS
    blob = place.resolve()
    place.unlink()
    shutil.move(blob, place)
    flip(place)
    repaired(each)
    check_whole(each, server)
    assert server.served[WEIGHTS] == 2 * served[WEIGHTS]


def test_a_right_blob_beside_a_damaged_file_is_linked_and_nothing_comes(
    fetching, server: HubServer
) -> None:
    each, served = begun(fetching, server)
    place = each.folder / "snapshots" / COMMIT / WEIGHTS
    blob = place.resolve()
    place.unlink()
    shutil.copy(blob, place)
    flip(place)
    repaired(each)
    check_whole(each, server)
    assert {name: server.served[name] for name in served} == served


def test_where_nothing_is_wrong_nothing_comes(fetching, server: HubServer) -> None:
    each, served = begun(fetching, server)
    repaired(each)
    assert {name: server.served[name] for name in served} == served
    (listed,) = each.of(FetchListed)
    assert listed.done_bytes == listed.total_bytes


def test_a_file_that_cannot_be_read_comes_again(
    fetching, server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    each, served = begun(fetching, server)
    whole, blob = checksum_module.checksum, (each.folder / "snapshots" / COMMIT / WEIGHTS).resolve()

    def broken(place, *rest):
        if place == blob:
            raise OSError(5, "Input/output error")
        return whole(place, *rest)

    monkeypatch.setattr("app.fetching.verifying.checksum", broken)
    repaired(each)
    check_whole(each, server)
    assert server.served[WEIGHTS] == 2 * served[WEIGHTS]


@pytest.mark.parametrize("stop", ["pause", "cancel"])
def test_it_stops_where_it_is_asked_to_and_what_is_here_stays(
    fetching, server: HubServer, monkeypatch: pytest.MonkeyPatch, stop: str
) -> None:
    each, served = begun(fetching, server)
    flip(
        (each.folder / "snapshots" / COMMIT / WEIGHTS).resolve(), at=len(server.files[WEIGHTS]) - 1
    )
    monkeypatch.setattr(checksum_module, "_CHUNK_BYTES", 1 << 10)
    put = each.fetcher._on_event

    def heard(event) -> None:
        put(event)
        if isinstance(event, FetchProgress) and event.verifies:
            getattr(each.fetcher, stop)(event.job)

    each.fetcher._on_event = heard
    each.fetcher.start(2, REPO, verifies=True)
    each.until(FetchStopped)
    assert {name: server.served[name] for name in served} == served
    assert (each.folder / "snapshots" / COMMIT / WEIGHTS).stat().st_size == served[WEIGHTS]
    each.fetcher._on_event = put
    repaired(each, 3)
    check_whole(each, server)
    assert server.served[WEIGHTS] == 2 * served[WEIGHTS]


def test_what_is_fetched_anew_is_not_thrown_away_by_an_earlier_cancel(
    fetching, server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    each = fetching()
    discarded = []
    monkeypatch.setattr(RepositoryFolder, "discard", lambda folder: discarded.append(folder))
    task_taken = threading.Event()
    take = each.fetcher._next

    def watched():
        task = take()
        task_taken.set()
        return task

    monkeypatch.setattr(each.fetcher, "_next", watched)
    with each.fetcher._discarding:
        each.fetcher.cancel(9, REPO)
        each.fetcher.start(1, REPO)
        assert task_taken.wait(10)
    each.until(FetchDone)
    assert isinstance(each.events[0], FetchStopped) or each.until(FetchStopped)
    assert discarded == []
