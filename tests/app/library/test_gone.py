"""What was removed behind the app's back, deleted from among its like, or lies elsewhere."""

import shutil

import pytest

from app.controllers.targets import is_here, whole_target
from app.models.downloads import Download
from app.models.library import ModelHabits
from tests.app.library.conftest import GB, model_folder, snapshot
from tests.fakes.scripted_fetcher import COMMIT


@pytest.fixture
def quiet(qtbot):
    """Waits until a library has done what was asked of it."""
    return lambda shelf: qtbot.waitUntil(lambda: shelf.is_quiet)


def test_of_two_repositories_with_one_commit_the_right_one_is_deleted(
    make_shelf, qtbot, quiet, cache
):
    commit = "a" * 40
    paths = [snapshot(cache, f"maker{number}/model", commit) for number in range(6)]
    shelf = make_shelf(qtbot)
    for path in paths[:5]:
        shelf.controller.delete(str(path))
        quiet(shelf)
    assert [path.exists() for path in paths] == [False] * 5 + [True]
    assert (paths[5] / "config.json").read_text() == "{} config.json"
    assert (paths[5].parents[1] / "refs" / "main").read_text() == commit
    assert shelf.names == ["demo", "maker5/model"]
    assert shelf.deleted == [f"maker{number}/model" for number in range(5)]
    assert shelf.said == []


def test_of_two_commits_in_twins_only_the_one_asked_for_goes(make_shelf, qtbot, quiet, cache):
    """The other commit of the same repository stays, and so does the twin."""
    kept = {}
    for maker in ("maker1", "maker2"):
        for letter in "ab":
            kept[maker, letter] = snapshot(cache, f"{maker}/model", letter * 40)
    shelf = make_shelf(qtbot)
    shelf.controller.delete(str(kept.pop(("maker2", "b"))))
    quiet(shelf)
    assert all((path / "config.json").read_text() for path in kept.values())
    assert not (cache / "models--maker2--model" / "refs" / "main").exists()
    assert shelf.deleted == ["maker2/model"]


def done(make_queue, cache, repo="m/a"):
    """A queue with one that is here, and where."""
    queue = make_queue()
    here = cache / f"models--{repo.replace('/', '--')}" / "snapshots" / COMMIT
    here.mkdir(parents=True)
    job = queue.controller.request(repo, True)
    queue.fetcher.list()
    queue.fetcher.end(here)
    queue.drain()
    return queue, job, here


def test_a_finished_download_that_is_gone_is_not_ready(make_queue, cache):
    queue, job, here = done(make_queue, cache)
    queue.controller.check_folders()
    assert queue.downloads.get(job).stage == "done"
    shutil.rmtree(here)
    queue.controller.check_folders()
    gone = queue.downloads.get(job)
    assert (gone.stage, gone.is_gone, gone.loads, gone.fraction) == ("failed", True, False, 0.0)
    assert gone.sentence == "Its files are gone from this machine; get it again."
    here.mkdir()
    queue.controller.check_folders()
    back = queue.downloads.get(job)
    assert (back.stage, back.fault, back.sentence, back.fraction) == ("done", "", "", 1.0)
    assert len(queue.ready) == 1, "it did not come anew"


def test_at_a_start_too_and_it_is_fetched_as_it_is_now(make_queue, cache):
    queue, job, here = done(make_queue, cache)
    queue.controller.close()
    shutil.rmtree(here)
    again = make_queue()
    assert again.downloads.get(job).is_gone
    again.controller.close()
    third = make_queue()
    assert third.downloads.get(job).is_gone
    assert third.downloads.get(job).folder == str(here)
    third.controller.resume(job)
    assert third.fetcher.asked == [("start", "m/a", "")]
    assert third.downloads.get(job).fault == ""


def test_gone_and_asked_for_again_it_is_fetched_and_loaded(make_queue, cache):
    queue, job, here = done(make_queue, cache)
    shutil.rmtree(here)
    assert queue.controller.request("m/a", True) == job
    download = queue.downloads.get(job)
    assert (download.stage, download.loads, download.sentence) == ("listing", True, "")
    assert queue.wanted == []


def test_one_that_is_gone_is_only_forgotten(make_queue, cache):
    queue, job, here = done(make_queue, cache)
    shutil.rmtree(here)
    queue.controller.check_folders()
    queue.controller.cancel(job)
    assert queue.downloads.items == []
    assert "cancel" not in {asked[0] for asked in queue.fetcher.asked}


def test_deleted_while_it_counted_as_gone(make_queue, cache):
    queue, _job, here = done(make_queue, cache)
    shutil.rmtree(here)
    queue.controller.check_folders()
    queue.controller.forget_model("m/a")
    assert queue.downloads.items == []


def test_one_that_is_gone_is_in_nobody_s_way(make_shelf, qtbot, quiet, cache):
    path = snapshot(cache, "maker/model")
    shelf = make_shelf(qtbot)
    shelf.downloads.add(Download(1, "maker/model", "failed", fault="gone"))
    shelf.controller.delete(str(path))
    quiet(shelf)
    assert shelf.said == []
    assert not path.exists()


def test_the_person_s_choice_goes_before_what_comes(make_queue, tmp_path):
    queue = make_queue()
    jobs = [queue.controller.request(repo, True) for repo in ("m/a", "m/b")]
    queue.controller.load_none()
    assert [queue.downloads.get(job).loads for job in jobs] == [False, False]
    queue.fetcher.end(tmp_path / "a")
    queue.drain()
    queue.fetcher.end(tmp_path / "b")
    queue.drain()
    assert [loads for _, loads in queue.ready] == [False, False]


def test_a_model_loaded_from_elsewhere_is_listed(make_shelf, qtbot, quiet, tmp_path):
    folder = model_folder(tmp_path / "elsewhere" / "mine")
    shelf = make_shelf(qtbot)
    assert shelf.names == ["demo"]
    shelf.controller.set_loaded(str(folder))
    shelf.controller.note_used(str(folder))
    quiet(shelf)
    model = shelf.library.find(str(folder))
    assert (model.origin, model.is_complete, model.name) == ("folder", True, "mine")
    assert model.habits.used is not None
    assert shelf.library.free_bytes == 12 * GB, "what it would give back is counted"
    shelf.controller.set_habits(str(folder), ModelHabits(context=512))
    shelf.controller.delete(str(folder))
    assert shelf.said == ["mine is in use; unload it first."]
    shelf.controller.set_loaded("")
    shelf.controller.rescan()
    quiet(shelf)
    assert shelf.library.find(str(folder)).habits.context == 512
    shutil.rmtree(folder)
    qtbot.waitUntil(lambda: shelf.names == ["demo"])
    quiet(shelf)


def test_what_is_listed_already_is_not_listed_twice(make_shelf, qtbot, quiet, cache, tmp_path):
    path = snapshot(cache, "maker/model")
    (tmp_path / "link").symlink_to(path)
    shelf = make_shelf(qtbot)
    for target in (str(path), "maker/model", "demo", str(tmp_path / "link")):
        shelf.controller.set_loaded(target)
        quiet(shelf)
    assert shelf.names == ["demo", "maker/model"]


def test_an_older_snapshot_that_is_loaded_is_one_of_the_cache(make_shelf, qtbot, quiet, cache):
    old, _new = (snapshot(cache, "maker/model", letter * 40) for letter in "ab")
    shelf = make_shelf(qtbot)
    shelf.controller.set_loaded(str(old))
    quiet(shelf)
    model = shelf.library.find(str(old))
    assert (model.origin, model.is_complete) == ("hub", True)


def test_what_is_loaded_before_the_first_look_is_found_by_it(make_shelf, qtbot, quiet, tmp_path):
    folder = model_folder(tmp_path / "elsewhere" / "mine")
    shelf = make_shelf(qtbot)
    shelf.controller._is_begun = False
    shelf.controller.set_loaded(str(folder))
    assert not shelf.library.is_scanning
    shelf.controller.start()
    quiet(shelf)
    assert "mine" in shelf.names


def test_whether_a_model_is_there(tmp_path, monkeypatch):
    monkeypatch.setattr("app.controllers.targets.hub_cache", lambda: tmp_path)
    (tmp_path / "models--maker--model").mkdir()
    (tmp_path / "file").touch()
    assert is_here("demo")
    assert is_here(str(tmp_path))
    assert is_here("maker/model")
    for name in ("maker/other", str(tmp_path / "file"), "", "a\0b", "x" * 5000, "~nobody-here/x"):
        assert not is_here(name)


def test_a_folder_named_from_here_is_named_in_whole(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "demo").mkdir()
    assert whole_target("mine") == whole_target("./mine/") == str(tmp_path / "mine")
    for name in ("demo", "maker/model", "", "~nobody-here/x", "a\0b"):
        assert whole_target(name) == name


def test_a_model_that_failed_is_told_of_when_its_files_are_others(make_shelf, qtbot, cache):
    path = snapshot(cache, "maker/odd")
    shelf = make_shelf(qtbot)
    failed, told = shelf.controller.failed, []
    failed.mended.connect(lambda: told.append("mended"))

    def look() -> None:
        shelf.controller.rescan()
        qtbot.waitUntil(lambda: shelf.is_quiet)

    failed.watch(str(path))
    # It was changed before it failed, and no look has seen that yet.
    (path / "tokenizer.json").resolve().write_text("{} also odd")
    look()
    look()
    assert told == []
    (path / "tokenizer.json").resolve().write_text("{} mended at last")
    look()
    assert told == ["mended"]
    (path / "tokenizer.json").resolve().write_text("{} once more")
    look()
    assert told == ["mended"]


def test_a_model_that_was_not_there_is_told_of_when_it_comes(make_shelf, qtbot, cache):
    shelf = make_shelf(qtbot)
    told = []
    shelf.controller.failed.mended.connect(lambda: told.append("mended"))
    shelf.controller.failed.watch(str(cache / "models--m--late" / "snapshots" / ("c" * 40)))
    for _ in range(2):
        assert told == []
        shelf.controller.rescan()
        qtbot.waitUntil(lambda: shelf.is_quiet)
    snapshot(cache, "m/late")
    shelf.controller.rescan()
    qtbot.waitUntil(lambda: shelf.is_quiet)
    assert told == ["mended"]
