"""Whatever lies in a cache or a folder, the other models are shown, and what is odd is said."""

import logging
import os
import threading
from pathlib import Path

import pytest

from app.controllers import model_deleting, publishing
from app.controllers.folder_access import is_folder, is_text, regular_bytes, shown, why_shut
from app.controllers.folder_adding import refusal
from engine import survey
from tests.app.library.conftest import model_folder, snapshot, surveyed
from tests.app.library.test_library import added, settled

SHUT = PermissionError(13, "Permission denied")


@pytest.fixture
def shut(monkeypatch):
    """Shuts folders by their names, whoever runs the test."""
    names: set[str] = set()
    real_list, real_stat = os.scandir, Path.stat

    def scandir(path="."):
        if Path(path).name in names:
            raise SHUT
        return real_list(path)

    def stat(self, **options):
        if any(parent.name in names for parent in self.parents):
            raise SHUT
        return real_stat(self, **options)

    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(Path, "stat", stat)
    return names


def test_looks_at_the_disk(tmp_path):
    pipe, circle, text = tmp_path / "pipe", tmp_path / "circle", tmp_path / "text"
    os.mkfifo(pipe)
    circle.symlink_to("circle")
    text.write_text("abc")
    too_long = tmp_path / ("x" * 300)
    for odd in (pipe, circle, too_long, Path("/dev/zero"), Path("a\0b"), text):
        assert not is_folder(odd)
    for odd in (pipe, circle, too_long, Path("/dev/zero"), Path("a\0b"), tmp_path):
        assert regular_bytes(odd, 100) is None
    assert regular_bytes(text, 3) == b"abc"
    assert regular_bytes(text, 2) is None
    assert why_shut(tmp_path) == why_shut(tmp_path / "none") == why_shut(text) == ""
    assert why_shut(circle)
    odd_name = os.fsdecode(b"m\xff")
    assert (is_text("é"), is_text(odd_name), shown(odd_name)) == (True, False, "m\\xff")
    assert "not UTF-8" in refusal(tmp_path / odd_name, (), tmp_path / "hub")


@pytest.mark.parametrize(
    "ref", ["x" * 300, "../../../../etc", "/", "a\0b", "", "x" * 5000, "pipe", "zero", "circle"]
)
def test_whatever_the_main_branch_names_the_others_are_shown(make_shelf, qtbot, cache, ref):
    snapshot(cache, "a/good")
    odd = snapshot(cache, "a/odd")
    main = odd.parents[1] / "refs" / "main"
    main.unlink()
    if ref == "pipe":
        os.mkfifo(main)
    elif ref == "zero":
        main.symlink_to("/dev/zero")
    elif ref == "circle":
        main.symlink_to("main")
    else:
        main.write_text(ref)
    shelf = make_shelf(qtbot)
    found = {each.name: each.is_complete for each in shelf.library.models}
    assert found == {"demo": True, "a/good": True, "a/odd": False}


def test_pipes_and_circles_in_the_cache_are_no_repositories(make_shelf, qtbot, cache):
    snapshot(cache, "a/good")
    os.mkfifo(cache / "models--a--pipe")
    (cache / "models--a--circle").symlink_to("models--a--circle")
    inner = cache / "models--a--inner"
    inner.mkdir()
    (inner / "snapshots").symlink_to("snapshots")
    index = model_folder(cache / "models--a--index" / "snapshots" / "c")
    os.mkfifo(index / "model.safetensors.index.json")
    zero = model_folder(cache / "models--a--zero" / "snapshots" / "c")
    (zero / "model.safetensors.index.json").symlink_to("/dev/zero")
    shelf = make_shelf(qtbot, surveyor=survey)
    names = {each.name for each in shelf.library.models}
    assert {"a/good", "a/index", "a/zero"} <= names
    assert len([each for each in shelf.said if "cannot be read" in each]) == 2
    settled(qtbot, shelf, shelf.controller.rescan)
    assert {each.name for each in shelf.library.models} == names


@pytest.mark.parametrize("name", ["models--a--shut", "snapshots", "c" * 40])
def test_a_repository_that_is_shut_is_a_sentence(make_shelf, qtbot, cache, shut, name):
    snapshot(cache, "a/good", "d" * 40)
    snapshot(cache, "a/shut")
    if name == "snapshots":
        (cache / "models--a--shut" / "snapshots").rename(cache / "models--a--shut" / "inside")
        (cache / "models--a--shut" / "snapshots").symlink_to("inside")
        name = "models--a--shut"
    shut.add(name)
    shelf = make_shelf(qtbot)
    assert "a/good" in shelf.names
    assert [each for each in shelf.said if "models--a--shut" in each and "Permission" in each]
    shut.clear()
    settled(qtbot, shelf, shelf.controller.rescan)
    assert "a/shut" in shelf.names


def test_a_name_that_is_no_text_is_a_fault_of_that_model(make_shelf, qtbot, tmp_path):
    home = tmp_path / "home"
    model_folder(home / "ok")
    model_folder(home / os.fsdecode(b"m\xff"))
    model_folder(home / os.fsdecode(b"m\xfe"))
    shelf = make_shelf(qtbot)
    added(qtbot, shelf, home)
    odd = [each for each in shelf.library.models if each.survey.fault]
    assert sorted(each.name for each in odd) == ["m\\xfe", "m\\xff"]
    assert all(is_text(each.target) and "UTF-8" in each.survey.fault for each in odd)
    assert "ok" in shelf.names


def test_a_model_that_trips_the_survey_is_a_fault_of_its_own(make_shelf, qtbot, cache, caplog):
    snapshot(cache, "a/good", "d" * 40)
    bad = snapshot(cache, "a/bad")

    def trip(path):
        if path == bad:
            raise KeyError("a mistake")
        return surveyed(path)

    with caplog.at_level(logging.ERROR):
        shelf = make_shelf(qtbot, surveyor=trip)
    assert "a/good" in shelf.names
    (fault,) = [each.survey.fault_details for each in shelf.library.models if each.survey.fault]
    assert "a mistake" in fault
    assert "a mistake" in caplog.text


def test_an_errand_that_trips_is_said_and_the_next_is_done(
    make_shelf, qtbot, cache, monkeypatch, caplog
):
    path = snapshot(cache, "a/good")
    shelf = make_shelf(qtbot)

    def trip(_path):
        raise RuntimeError("Symlink loop")

    with monkeypatch.context() as patch, caplog.at_level(logging.CRITICAL):
        patch.setattr("app.controllers.library.delete_snapshot", trip)
        settled(qtbot, shelf, lambda: shelf.controller.delete(str(path)))
    assert "Symlink loop" in shelf.said[-1]
    settled(qtbot, shelf, lambda: shelf.controller.delete(str(path)))
    assert not path.exists()


def test_a_look_that_trips_ends_and_the_next_is_whole(make_shelf, qtbot, cache, monkeypatch):
    snapshot(cache, "a/good")
    shelf = make_shelf(qtbot)

    def trip(*_rest):
        raise RuntimeError("a mistake")

    with monkeypatch.context() as patch:
        patch.setattr("app.controllers.scanning.hub_places", trip)
        settled(qtbot, shelf, shelf.controller.rescan)
    assert "a mistake" in shelf.said[-1]
    assert "a/good" in shelf.names
    snapshot(cache, "a/new")
    settled(qtbot, shelf, shelf.controller.rescan)
    assert "a/new" in shelf.names


def test_a_circle_of_links_does_not_keep_a_model_from_being_deleted(cache):
    path = snapshot(cache, "a/good")
    (path / "self").symlink_to("self")
    assert isinstance(model_deleting.delete_snapshot(path), str)


def test_what_is_loaded_being_loaded_or_rests_is_not_deleted(make_shelf, qtbot, cache):
    path = snapshot(cache, "a/good")
    shelf = make_shelf(qtbot)
    shelf.controller.in_use = lambda: str(path)
    shelf.controller.delete(str(path))
    assert shelf.said == ["good is in use; unload it first."]
    shelf.controller.in_use = lambda: ""
    settled(qtbot, shelf, lambda: shelf.controller.delete(str(path)))
    assert not path.exists()


def test_batches_are_published_now_and_then(make_shelf, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr("app.controllers.scanning.BATCH_SECONDS", 0.0)
    monkeypatch.setattr(publishing, "PAUSE_SECONDS", 30.0)
    for number in range(60):
        model_folder(tmp_path / "home" / f"m{number:02}")
    shelf = make_shelf(qtbot)
    changes = []
    shelf.library.changed.connect(lambda: changes.append(len(shelf.library.models)))
    added(qtbot, shelf, tmp_path / "home")
    assert len(changes) <= 2
    assert changes[-1] == 61
    before = shelf.library.models
    settled(qtbot, shelf, shelf.controller.rescan)
    assert all(a is b for a, b in zip(before, shelf.library.models, strict=True))
    assert threading.active_count() < 20
