"""The queue of downloads: one at a time, kept with every change, and taken up after a start."""

from dataclasses import replace

import pytest

from app.controllers.download_records import download_from, download_record
from app.fetching.events import FetchChecking, FetchRetrying, FetchStopped
from app.fetching.found import FetchError
from app.models.downloads import Download
from app.storage import NoStore
from tests.fakes.scripted_fetcher import COMMIT

OFFLINE = FetchError("offline", "There is no way to the hub.", "details")


def begun(make_queue, *repos):
    """A queue of these, the first under way with 300 of 1000 bytes."""
    queue = make_queue()
    ids = [queue.controller.request(repo, False) for repo in repos]
    queue.fetcher.list()
    queue.fetcher.progress(300)
    queue.drain()
    return queue, ids


def kept(queue, open_store=None):
    """What the store has."""
    store = queue.controller._kept._store
    assert store.flush(10)
    return {each.repo: each for each in store.downloads()}


def test_one_at_a_time_in_order(make_queue, tmp_path):
    queue, ids = begun(make_queue, "m/a", "m/b", "m/c")
    assert queue.stages == {"m/a": "fetching", "m/b": "waiting", "m/c": "waiting"}
    first = queue.downloads.get(ids[0])
    assert (first.done_bytes, first.total_bytes, first.commit) == (300, 1000, COMMIT)
    assert (first.bytes_per_second, first.seconds_left) == (10.0, 90.0)
    queue.fetcher.end(tmp_path / COMMIT)
    queue.drain()
    assert queue.stages == {"m/a": "done", "m/b": "listing", "m/c": "waiting"}
    assert queue.ready == [(str(tmp_path / COMMIT), False)]
    assert queue.downloads.get(ids[0]).fraction == 1.0
    queue.fetcher.fail(OFFLINE)
    queue.drain()
    assert queue.stages == {"m/a": "done", "m/b": "failed", "m/c": "listing"}
    failed = queue.downloads.get(ids[1])
    assert (failed.sentence, failed.fault, failed.details) == (
        OFFLINE.sentence, "offline", "details",
    )  # fmt: skip
    queue.fetcher.end(tmp_path / "x")
    queue.drain()
    assert not queue.controller._run.is_listening
    assert [asked[:2] for asked in queue.fetcher.asked] == [
        ("start", "m/a"), ("start", "m/b"), ("start", "m/c"),
    ]  # fmt: skip


def test_retrying_and_checking_are_told(make_queue):
    queue, (job,) = begun(make_queue, "m/a")
    queue.fetcher._tell(FetchRetrying(job, "The hub does not answer.", 4.0))
    queue.drain()
    download = queue.downloads.get(job)
    assert (download.stage, download.sentence) == ("retrying", "The hub does not answer.")
    assert download.retry_at is not None
    assert download.bytes_per_second == 0.0
    queue.fetcher._tell(FetchChecking(job, "model.safetensors"))
    queue.drain()
    download = queue.downloads.get(job)
    assert (download.stage, download.sentence, download.retry_at) == ("checking", "", None)


def test_pause_and_resume(make_queue):
    queue, (one, two) = begun(make_queue, "m/a", "m/b")
    queue.controller.pause(one)
    queue.fetcher.progress(400)
    queue.drain()
    assert queue.stages == {"m/a": "paused", "m/b": "waiting"}
    queue.fetcher.stop()
    queue.drain()
    assert queue.stages == {"m/a": "paused", "m/b": "listing"}
    queue.controller.resume(one)
    assert queue.stages == {"m/a": "waiting", "m/b": "listing"}
    queue.controller.pause(two)
    queue.fetcher.stop()
    queue.drain()
    assert queue.stages == {"m/a": "listing", "m/b": "paused"}
    assert queue.fetcher.asked[-1] == ("start", "m/a", COMMIT)


def test_resumed_before_it_has_stopped(make_queue):
    queue, (one,) = begun(make_queue, "m/a")
    queue.controller.pause(one)
    queue.controller.resume(one)
    assert queue.stages == {"m/a": "waiting"}
    queue.fetcher.stop()
    queue.drain()
    assert queue.stages == {"m/a": "listing"}
    queue.controller.pause(one)
    queue.fetcher.list()
    queue.fetcher.stop()
    queue.drain()
    assert queue.stages == {"m/a": "paused"}
    assert not queue.controller._run.is_listening


def test_cancelled_at_any_time(make_queue):
    queue, (one, two, three) = begun(make_queue, "m/a", "m/b", "m/c")
    queue.controller.cancel(two)
    queue.controller.cancel(one)
    assert queue.stages == {"m/c": "waiting"}
    again = queue.controller.request("m/a", False)
    assert again != one
    assert queue.stages == {"m/c": "waiting", "m/a": "waiting"}
    queue.fetcher._tell(FetchStopped(two, True))
    queue.drain()
    assert queue.stages == {"m/c": "waiting", "m/a": "waiting"}
    queue.fetcher.stop(is_cancelled=True)
    queue.drain()
    assert queue.stages == {"m/c": "listing", "m/a": "waiting"}
    assert ("cancel", two, "m/b") in queue.fetcher.asked
    assert ("cancel", one, "m/a") in queue.fetcher.asked
    assert kept(queue).keys() == {"m/a", "m/c"}
    queue.controller.cancel(12345)
    assert three == queue.downloads.running.id


def test_a_failed_one_is_tried_again_or_forgotten(make_queue):
    queue, (one, two) = begun(make_queue, "m/a", "m/b")
    queue.controller.forget(one)
    assert "m/a" in queue.stages
    queue.fetcher.fail(OFFLINE)
    queue.drain()
    queue.controller.resume(one)
    download = queue.downloads.get(one)
    assert (download.stage, download.sentence, download.fault) == ("waiting", "", "")
    queue.fetcher.fail(OFFLINE)
    queue.drain()
    assert queue.stages == {"m/a": "listing", "m/b": "failed"}
    queue.controller.forget(two)
    assert queue.stages == {"m/a": "listing"}
    assert "cancel" not in {asked[0] for asked in queue.fetcher.asked}


def test_moved_first_it_goes_at_once_and_the_other_waits(make_queue):
    queue, (one, _two, three) = begun(make_queue, "m/a", "m/b", "m/c")
    queue.controller.move_first(three)
    assert [each.repo for each in queue.downloads.items] == ["m/c", "m/a", "m/b"]
    assert queue.fetcher.asked[-1] == ("pause", one)
    queue.fetcher.stop()
    queue.drain()
    assert queue.stages == {"m/c": "listing", "m/a": "waiting", "m/b": "waiting"}
    queue.controller.move_first(three)
    assert len(queue.fetcher.asked) == 3


def test_the_same_repository_twice_is_the_same(make_queue, tmp_path):
    queue, (one,) = begun(make_queue, "m/a")
    assert queue.controller.request("m/a", True) == one
    assert queue.stages == {"m/a": "fetching"}
    assert queue.downloads.get(one).loads
    queue.controller.request("m/a", False)
    assert not queue.downloads.get(one).loads
    queue.controller.pause(one)
    # The switch is no wish to go on; asking once more is.
    queue.controller.request("m/a", True)
    assert queue.stages == {"m/a": "paused"}
    queue.controller.request("m/a", True)
    assert queue.stages == {"m/a": "waiting"}
    queue.fetcher.stop()
    queue.drain()
    (tmp_path / COMMIT).mkdir()
    queue.fetcher.end(tmp_path / COMMIT)
    queue.drain()
    queue.controller.request("m/a", True)
    assert queue.ready == [(str(tmp_path / COMMIT), True)]
    assert queue.wanted == [str(tmp_path / COMMIT)]
    (tmp_path / COMMIT).rmdir()
    queue.controller.request("m/a", True)
    assert queue.stages == {"m/a": "listing"}


def test_only_the_last_one_asked_for_is_loaded(make_queue, tmp_path):
    queue = make_queue()
    one, two = (queue.controller.request(repo, True) for repo in ("m/a", "m/b"))
    assert [queue.downloads.get(each).loads for each in (one, two)] == [False, True]
    queue.fetcher.end(tmp_path / "a")
    queue.drain()
    queue.fetcher.end(tmp_path / "b")
    queue.drain()
    assert queue.ready == [(str(tmp_path / "a"), False), (str(tmp_path / "b"), True)]


def test_the_queue_comes_back_as_it_was(make_queue, cache):
    queue, (one, two, three, four) = begun(make_queue, "m/a", "m/b", "m/c", "m/d")
    queue.controller.pause(one)
    queue.fetcher.stop()
    queue.drain()
    queue.fetcher.fail(OFFLINE)
    queue.drain()
    queue.fetcher.list()
    queue.fetcher.end(cache / COMMIT)
    queue.drain()
    queue.fetcher.list(done=250)
    queue.drain()
    assert queue.stages == {"m/a": "paused", "m/b": "failed", "m/c": "done", "m/d": "fetching"}
    assert kept(queue)["m/d"].stage == "waiting"
    queue.controller.close()
    assert queue.fetcher.is_closed
    here = cache / "models--m--c" / "snapshots" / COMMIT
    here.mkdir(parents=True)
    again = make_queue()
    assert again.stages == {"m/a": "paused", "m/b": "failed", "m/c": "done", "m/d": "listing"}
    assert [each.id for each in again.downloads.items] == [one, two, three, four]
    assert again.fetcher.asked == [("start", "m/d", COMMIT)]
    assert again.downloads.get(one).done_bytes == 300
    failed = again.downloads.get(two)
    assert (failed.sentence, failed.fault, failed.details) == (
        OFFLINE.sentence, "offline", "details",
    )  # fmt: skip
    assert again.downloads.get(three).folder == str(here)
    assert again.ready == []
    again.controller.forget_model("m/c")
    again.controller.forget_model("m/d")
    assert again.stages == {"m/a": "paused", "m/b": "failed", "m/d": "listing"}


def test_progress_is_kept_now_and_then(make_queue, monkeypatch):
    queue, (one,) = begun(make_queue, "m/a")
    now = [1e9]
    monkeypatch.setattr("app.controllers.download_keeping.time.monotonic", lambda: now[0])
    for done in (310, 320, 330):
        queue.fetcher.progress(done)
        queue.drain()
        now[0] += 1.5
    assert queue.downloads.get(one).done_bytes == 330
    assert kept(queue)["m/a"].done_bytes in (310, 330)
    saved = []
    monkeypatch.setattr(queue.controller._kept._store, "save_download", saved.append)
    for done in range(340, 440):
        now[0] += 0.1
        queue.fetcher.progress(done)
        queue.drain()
    assert 4 <= len(saved) <= 6


def test_what_ends_while_closing_is_not_loaded(make_queue, tmp_path):
    queue, _ = begun(make_queue, "m/a", "m/b")
    queue.fetcher.end(tmp_path / "a")
    queue.controller.close()
    assert queue.stages == {"m/a": "done", "m/b": "waiting"}
    assert queue.ready == []
    assert len(queue.fetcher.asked) == 1


def test_without_a_store_there_is_an_empty_queue(make_queue):
    queue = make_queue()
    queue.controller._kept._store = NoStore("")
    queue.controller.start()
    assert queue.downloads.items == []


@pytest.mark.parametrize("stage", ["listing", "fetching", "retrying", "checking", "waiting"])
def test_a_record_of_what_is_under_way_waits(stage):
    download = Download(1, "m/a", stage, "c", 2.0, done_bytes=5, total_bytes=9, sentence="odd")
    record = download_record(download)
    assert (record.stage, record.sentence) == ("waiting", "")
    assert download_from(record) == Download(
        1, "m/a", "waiting", "c", 2.0, done_bytes=5, total_bytes=9
    )
    assert download_from(replace(record, done_bytes=50)).fraction == 1.0
    assert download_from(replace(record, total_bytes=-3, done_bytes=-4)).fraction == 0.0


def test_what_was_refused_for_want_of_a_key_is_tried_with_a_new_one(make_queue):
    queue = make_queue()
    first = queue.controller.request("m/gated", False)
    queue.fetcher.fail(FetchError("gated", "Accept its terms on the hub.", ""))
    queue.drain()
    assert queue.stages == {"m/gated": "failed"}
    queue.controller.set_token("")
    queue.controller.asker.key_told.emit("The key is forgotten.")
    assert queue.stages == {"m/gated": "failed"}
    queue.controller.set_token("key")
    queue.controller.asker.key_told.emit("The key is kept.")
    assert queue.stages == {"m/gated": "listing"}
    assert queue.fetcher.running == [first]
