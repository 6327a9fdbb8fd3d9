"""Pausing, cancelling, closing and killing: at any moment, and what came is never fetched twice."""

import hashlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock

from app.fetching.events import (
    FetchChecking,
    FetchDone,
    FetchFailed,
    FetchProgress,
    FetchRetrying,
    FetchStopped,
)
from app.fetching.model_fetch import Patience
from tests.app.fetching.conftest import REPO, WEIGHTS
from tests.app.fetching.test_fetching import check_whole
from tests.fakes.hub_server import COMMIT, HubServer, Trick

PATIENT = Patience()  # what people get: silence of half a minute is nothing yet
HALF = 512 << 10


def reach(server: HubServer, name: str, count: int) -> threading.Event:
    """Set when so many bytes of a file were sent."""
    reached = threading.Event()

    def note(which: str, total: int) -> None:
        if which == name and total >= count:
            reached.set()

    server.on_sent = note
    return reached


def await_size(place: Path, size: int) -> None:
    """Wait until so much of a file is on the disk."""
    deadline = time.monotonic() + 20
    while not place.exists() or place.stat().st_size < size:
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.002)


def weights_half(cache: Path, server: HubServer) -> Path:
    name = hashlib.sha256(server.files[WEIGHTS]).hexdigest()
    return cache / "models--owner--model" / "blobs" / f"{name}.incomplete"


@pytest.mark.parametrize(
    "trick",
    [
        Trick(after=HALF, is_silent=True),
        Trick(after=HALF, is_silent=True, is_chunked=True),
        Trick(pause=0.05),
    ],
    ids=["silent", "silent without length", "slow"],
)
def test_a_pause_is_heeded_and_nothing_comes_twice(
    fetching, server: HubServer, trick: Trick
) -> None:
    server.tricks[WEIGHTS] = [trick, Trick()]
    each = fetching(PATIENT)
    each.fetcher.start(1, REPO)
    half = weights_half(each.cache, server)
    await_size(half, HALF if trick.is_silent else 1)
    each.fetcher.pause(1)
    assert each.until(FetchStopped, seconds=5) == FetchStopped(1, is_cancelled=False)
    here = half.stat().st_size
    each.fetcher.start(1, REPO, COMMIT)
    each.until(FetchDone)
    check_whole(each, server)
    assert server.requests_for(WEIGHTS)[1]["range"] == f"bytes={here}-"
    if trick.is_silent:
        assert server.served[WEIGHTS] == len(server.files[WEIGHTS])


@pytest.mark.parametrize("name", ["listing", "config.json", WEIGHTS])
def test_a_pause_is_heeded_while_no_answer_comes(fetching, server: HubServer, name: str) -> None:
    server.tricks[name] = [Trick(is_mute=True), Trick()]
    asked = threading.Event()
    each = fetching(PATIENT)
    take = server.trick_of

    def watched(which: str) -> Trick:
        if which == name:
            asked.set()
        return take(which)

    server.trick_of = watched
    each.fetcher.start(1, REPO)
    assert asked.wait(10)
    each.fetcher.pause(1)
    each.until(FetchStopped, seconds=5)
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    check_whole(each, server)


def test_a_pause_is_heeded_while_a_name_is_looked_up(
    fetching, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up, answered = threading.Event(), threading.Event()

    def slow(*_parts, **_options):
        looked_up.set()
        answered.wait(20)
        raise socket.gaierror(socket.EAI_AGAIN, "no answer")

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    each = fetching(PATIENT, url="http://hub.invalid")
    each.fetcher.start(1, REPO)
    assert looked_up.wait(10)
    each.fetcher.pause(1)
    assert each.until(FetchStopped, seconds=5)
    assert not answered.is_set()
    assert each.fetcher.close()
    answered.set()


def test_a_pause_is_heeded_between_two_tries(fetching, server: HubServer) -> None:
    server.tricks["listing"] = [Trick(503, {"retry-after": "300"})]
    each = fetching(PATIENT)
    each.fetcher.start(1, REPO)
    each.until(FetchRetrying)
    each.fetcher.pause(1)
    assert each.until(FetchStopped, seconds=5)


def test_closing_ends_the_thread_without_a_word(fetching, server: HubServer) -> None:
    server.tricks[WEIGHTS] = [Trick(after=HALF, is_silent=True)]
    each = fetching(PATIENT)
    each.fetcher.start(1, REPO)
    await_size(weights_half(each.cache, server), HALF)
    assert each.fetcher.close(1.0)
    while not each.is_quiet:
        assert not isinstance(each.until(object), FetchStopped | FetchFailed)
    each.fetcher.start(2, REPO)  # nothing more is done
    assert each.fetcher.close(0.0)
    again = fetching()
    server.tricks[WEIGHTS] = [Trick()]
    again.fetcher.start(1, REPO)
    again.until(FetchDone)
    check_whole(again, server)
    assert server.served[WEIGHTS] == len(server.files[WEIGHTS])


def test_cancelling_removes_all_that_came(fetching, server: HubServer) -> None:
    server.tricks[WEIGHTS] = [Trick(after=HALF, is_silent=True)]
    each = fetching(PATIENT)
    each.fetcher.start(1, REPO)
    await_size(weights_half(each.cache, server), HALF)
    each.fetcher.cancel(1)
    assert each.until(FetchStopped, seconds=5) == FetchStopped(1, is_cancelled=True)
    assert not each.folder.exists()


def test_cancelling_leaves_what_another_snapshot_uses(fetching, server: HubServer) -> None:
    each = fetching(PATIENT)
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    before = dict(server.files)
    server.commit = "d" * 40
    server.files |= {"tokenizer.json": b'{"new": 1}', WEIGHTS: b"new" * 100_000}
    server.tricks[WEIGHTS] = [Trick(after=1000, is_silent=True)]
    each.fetcher.start(2, REPO)
    await_size(weights_half(each.cache, server), 1000)
    assert len(list(each.folder.glob("blobs/*"))) == len(before) + 2
    each.fetcher.cancel(2)
    each.until(FetchStopped, seconds=5)
    assert len(list(each.folder.glob("blobs/*"))) == len(before)
    for name, body in before.items():
        assert (each.folder / "snapshots" / COMMIT / name).read_bytes() == body
    assert (each.folder / "refs" / "main").read_text() == COMMIT


def test_a_paused_fetch_of_an_earlier_run_is_cancelled_beside_another(
    fetching, server: HubServer
) -> None:
    server.tricks[WEIGHTS] = [Trick(after=HALF, is_silent=True)]
    first = fetching(PATIENT)
    first.fetcher.start(1, REPO)
    await_size(weights_half(first.cache, server), HALF)
    first.fetcher.pause(1)
    first.until(FetchStopped, seconds=5)
    later = fetching(PATIENT)
    later.fetcher.start(2, "owner/other")
    other = later.cache / "models--owner--other" / "blobs" / weights_half(first.cache, server).name
    await_size(other, 1)
    later.fetcher.cancel(1, REPO)
    assert later.until(FetchStopped, seconds=5) == FetchStopped(1, is_cancelled=True)
    assert not first.folder.exists()
    assert other.exists()


def test_a_fetch_that_waits_its_turn_can_be_stopped(fetching, server: HubServer) -> None:
    server.tricks[WEIGHTS] = [Trick(after=HALF, is_silent=True)]
    each = fetching(PATIENT)
    each.fetcher.start(1, REPO)
    each.fetcher.start(2, "owner/other")
    each.fetcher.start(3, "owner/third")
    await_size(weights_half(each.cache, server), HALF)
    each.fetcher.pause(2)
    assert each.until(FetchStopped, seconds=5) == FetchStopped(2, is_cancelled=False)
    each.fetcher.cancel(3)
    assert each.until(FetchStopped, seconds=5) == FetchStopped(3, is_cancelled=True)
    each.fetcher.pause(1)
    assert each.until(FetchStopped, seconds=5) == FetchStopped(1, is_cancelled=False)


def test_a_file_that_another_program_fetches_is_waited_for(fetching, server: HubServer) -> None:
    each = fetching()
    half = weights_half(each.cache, server)
    lock = each.cache / ".locks" / "models--owner--model" / f"{half.stem}.lock"
    lock.parent.mkdir(parents=True)
    with FileLock(lock):
        each.fetcher.start(1, REPO)
        event = each.until(FetchRetrying)
        assert "Another program" in event.sentence
        half.with_suffix("").write_bytes(server.files[WEIGHTS])  # which it ends with
    each.until(FetchDone)
    check_whole(each, server)
    assert server.served[WEIGHTS] == 0


def test_two_fetchers_of_one_model_share_the_work(fetching, server: HubServer) -> None:
    server.tricks[WEIGHTS] = [Trick(pause=0.01)]
    one, two = fetching(), fetching()
    one.fetcher.start(1, REPO)
    two.fetcher.start(1, REPO)
    one.until(FetchDone)
    two.until(FetchDone)
    check_whole(one, server)
    assert server.served[WEIGHTS] == len(server.files[WEIGHTS])


def _start_victim(server: HubServer, cache: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.app.fetching.victim", server.url, str(cache)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def test_a_killed_program_goes_on_at_the_same_byte(server: HubServer, tmp_path: Path) -> None:
    server.files[WEIGHTS] = os.urandom(1 << 20) * 8
    places = (1_234_567, 5_000_001)
    server.tricks[WEIGHTS] = [
        Trick(after=places[0], is_silent=True),
        Trick(after=places[1] - places[0], is_silent=True),
        Trick(),
    ]
    for place in places:
        child = _start_victim(server, tmp_path)
        await_size(weights_half(tmp_path, server), place)
        child.send_signal(signal.SIGKILL)
        child.communicate()
    child = _start_victim(server, tmp_path)
    out, _ = child.communicate(timeout=30)
    assert out.strip() == b"FetchDone"
    weights = tmp_path / "models--owner--model" / "snapshots" / COMMIT / WEIGHTS
    assert weights.read_bytes() == server.files[WEIGHTS]
    assert {name: server.served[name] for name in server.files} == {
        name: len(body) for name, body in server.files.items()
    }


def test_a_program_killed_in_the_flow_asks_only_for_the_rest(
    server: HubServer, tmp_path: Path
) -> None:
    server.files[WEIGHTS] = os.urandom(1 << 20) * 24
    server.tricks[WEIGHTS] = [Trick(pause=0.002), Trick()]
    half = weights_half(tmp_path, server)
    child = _start_victim(server, tmp_path)
    await_size(half, 3 << 20)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    here = half.stat().st_size
    assert here < len(server.files[WEIGHTS])
    child = _start_victim(server, tmp_path)
    out, _ = child.communicate(timeout=30)
    assert out.strip() == b"FetchDone"
    assert server.requests_for(WEIGHTS)[1]["range"] == f"bytes={here}-"
    weights = tmp_path / "models--owner--model" / "snapshots" / COMMIT / WEIGHTS
    assert weights.read_bytes() == server.files[WEIGHTS]


def test_a_beginning_that_was_damaged_on_the_disk_is_noticed(fetching, server: HubServer) -> None:
    each = fetching()
    half = weights_half(each.cache, server)
    half.parent.mkdir(parents=True)
    half.write_bytes(b"\0" * HALF)
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    check_whole(each, server)


def test_progress_is_told_now_and_then_and_adds_up(fetching, server: HubServer) -> None:
    server.tricks[WEIGHTS] = [Trick(pause=0.05, piece=1 << 16)]
    each = fetching()
    each.fetcher.start(1, REPO)
    told: list[tuple[float, FetchProgress]] = []
    while not isinstance(event := each.until(FetchProgress, FetchChecking, FetchDone), FetchDone):
        if isinstance(event, FetchProgress):
            told.append((time.monotonic(), event))
    counts = [event.done_bytes for _, event in told]
    assert counts == sorted(counts)
    assert counts[-1] == told[-1][1].total_bytes
    began, ended = told[0][0], told[-1][0]
    assert len(told) <= (ended - began) * 10 + 3  # and the last word
    sure = [event for _, event in told if event.seconds_left is not None]
    assert sure
    assert all(event.bytes_per_second > 0 for event in sure)
