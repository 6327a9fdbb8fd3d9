"""A damaged model is put in the queue to be compared with its checksums first."""

from app.fetching.events import FetchProgress
from tests.fakes.scripted_fetcher import COMMIT


def verified(queue, done, total=1000):
    """The fetcher has compared so much."""
    job = queue.fetcher.running[0]
    queue.fetcher._tell(FetchProgress(job, "model.safetensors", done, total, 10.0, 90.0, True))
    queue.drain()


def test_one_that_is_done_is_begun_anew_and_compared_first(make_queue, cache):
    queue = make_queue()
    folder = cache / COMMIT
    folder.mkdir()
    old = queue.controller.request("m/a", False)
    queue.fetcher.end(folder)
    queue.drain()
    queue.controller.repair("m/a")
    (download,) = queue.downloads.items
    assert download.id != old
    assert (download.stage, download.verifies, download.loads) == ("listing", True, False)
    assert queue.fetcher.verifying == [download.id]
    verified(queue, 400)
    download = queue.downloads.get(download.id)
    assert (download.stage, download.fraction) == ("verifying", 0.4)
    queue.fetcher.list(done=900)
    queue.drain()
    download = queue.downloads.get(download.id)
    assert (download.stage, download.verifies, download.done_bytes) == ("fetching", False, 900)
    assert queue.said == []
    queue.fetcher.end(folder)
    queue.drain()
    assert queue.stages == {"m/a": "done"}


def test_stopped_while_it_compares_it_begins_with_that_again(make_queue):
    queue = make_queue()
    queue.controller.repair("m/a")
    verified(queue, 400)
    (download,) = queue.downloads.items
    queue.controller.pause(download.id)
    queue.fetcher.stop()
    queue.drain()
    queue.controller.repair("m/a")
    assert queue.fetcher.verifying == [download.id, download.id]
    queue.fetcher.list()
    queue.drain()
    queue.controller.pause(download.id)
    queue.fetcher.stop()
    queue.drain()
    queue.controller.resume(download.id)
    assert queue.fetcher.running == [download.id]
    assert len(queue.fetcher.verifying) == 2


def test_that_nothing_is_damaged_is_said(make_queue):
    queue = make_queue()
    queue.controller.repair("m/a")
    verified(queue, 1000)
    queue.fetcher.list(done=1000)
    queue.drain()
    assert queue.said == ["All files of a are as the hub has them; none had to be downloaded."]


def test_one_that_is_on_its_way_only_goes_on(make_queue):
    queue = make_queue()
    job = queue.controller.request("m/a", True)
    queue.controller.repair("m/a")
    assert [each.id for each in queue.downloads.items] == [job]
    assert queue.fetcher.verifying == []
