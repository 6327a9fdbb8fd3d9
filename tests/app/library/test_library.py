"""What is found on the disk, what is watched, remembered, added and deleted."""

import json
import os
import shutil
import sys
from dataclasses import replace
from itertools import pairwise
from time import perf_counter, sleep

import pytest
from PySide6.QtCore import QTimer

from app.controllers.free_memory import available_bytes
from app.models.downloads import Download
from app.models.library import ModelHabits
from app.storage import ModelRecord
from engine import SamplingParams, survey
from tests.app.library.conftest import GB, model_folder, snapshot, surveyed


def settled(qtbot, shelf, act=None):
    """Do something, and wait until all that follows of it is done."""
    if act is not None:
        act()
    qtbot.waitUntil(lambda: shelf.is_quiet)


def added(qtbot, shelf, folder):
    settled(qtbot, shelf, lambda: shelf.controller.add_folder(str(folder)))


def by_name(shelf, name):
    return next(each for each in shelf.library.models if each.name == name)


def test_the_demo_and_the_hub_s_cache_are_found(make_shelf, qtbot, cache):
    path = snapshot(cache, "maker/whole")
    snapshot(cache, "maker/begun", is_named=False)
    broken = snapshot(cache, "maker/broken")
    (broken / "model.safetensors").resolve().unlink()
    (cache / "datasets--a--b" / "snapshots" / "x").mkdir(parents=True)
    (cache / "models--a--empty").mkdir()
    shelf = make_shelf(qtbot)
    assert shelf.names == ["maker/begun", "maker/broken", "demo", "maker/whole"]
    assert [each.is_complete for each in shelf.library.models] == [False, False, True, True]
    whole = by_name(shelf, "maker/whole")
    assert (whole.target, whole.origin) == (str(path), "hub")
    assert by_name(shelf, "demo").target == "demo"
    assert shelf.said == []


def test_the_snapshot_that_main_names_is_taken(make_shelf, qtbot, cache):
    snapshot(cache, "maker/model", "a" * 40)
    newest = snapshot(cache, "maker/model", "b" * 40)
    shelf = make_shelf(qtbot)
    assert [each.target for each in shelf.library.models] == ["demo", str(newest)]


def test_an_added_folder_is_looked_through_two_levels_deep(make_shelf, qtbot, tmp_path):
    top = tmp_path / "models"
    model_folder(top / "one")
    model_folder(top / "maker" / "two")
    model_folder(top / "maker" / "deep" / "three")
    model_folder(top / ".hidden" / "four")
    model_folder(top / "one" / "inside")
    (top / "loop").symlink_to(top)
    (top / "again").symlink_to(top / "one")
    (top / "nowhere").symlink_to(tmp_path / "gone")
    (top / "notes").mkdir()
    (top / "notes" / "config.json").write_text("{}")
    shelf = make_shelf(qtbot)
    added(qtbot, shelf, top)
    assert [each.name for each in shelf.library.models if each.origin == "folder"] in (
        ["one", "two"],
        ["again", "two"],
    )
    assert shelf.said == []
    assert shelf.library.folders == (str(top),)
    assert shelf.store.flush(10)
    assert [each.path for each in shelf.store.model_folders()] == [str(top)]
    settled(qtbot, shelf, lambda: shelf.controller.remove_folder(str(top)))
    assert shelf.names == ["demo"]
    assert shelf.store.flush(10)
    assert shelf.store.model_folders() == []
    assert (top / "one" / "config.json").exists()


def test_a_folder_that_is_one_model_and_a_cache_elsewhere(make_shelf, qtbot, tmp_path):
    single = model_folder(tmp_path / "single")
    other = tmp_path / "other"
    snapshot(other, "maker/far")
    shelf = make_shelf(qtbot)
    added(qtbot, shelf, single)
    added(qtbot, shelf, other)
    assert shelf.names == ["demo", "maker/far", "single"]


def test_a_folder_without_models_says_so_once_and_is_kept(make_shelf, qtbot, tmp_path):
    (tmp_path / "empty").mkdir()
    shelf = make_shelf(qtbot)
    added(qtbot, shelf, tmp_path / "empty")
    settled(qtbot, shelf, shelf.controller.rescan)
    assert len(shelf.said) == 1
    assert shelf.said[0].startswith("No model was found in")
    assert shelf.library.folders == (str(tmp_path / "empty"),)


def test_a_folder_with_too_much_in_it_says_so(make_shelf, qtbot, tmp_path):
    top = tmp_path / "many"
    top.mkdir()
    for number in range(2_100):
        (top / f"{number}").touch()
    shelf = make_shelf(qtbot)
    added(qtbot, shelf, top)
    assert shelf.said == [
        f"Only the first 2,000 entries of {top} were looked at; add the folders in it that hold "
        "models instead."
    ]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("models", "is in the list already"),
        ("models/below", "lies in"),
        ("link", "is in the list already"),
        ("", "which is in the list already, lies in"),
        ("file", "is a file"),
        ("nowhere", "There is no folder"),
        ("hub", "the hub's cache, which is looked through already"),
    ],
)
def test_what_cannot_be_added_is_refused(make_shelf, qtbot, tmp_path, path, words):
    model_folder(tmp_path / "models" / "below")
    (tmp_path / "link").symlink_to(tmp_path / "models")
    (tmp_path / "file").touch()
    shelf = make_shelf(qtbot)
    added(qtbot, shelf, tmp_path / "models")
    added(qtbot, shelf, tmp_path / path)
    (sentence,) = shelf.said
    assert words in sentence
    assert sentence.endswith(".")
    assert shelf.library.folders == (str(tmp_path / "models"),)


def test_a_share_that_goes_away_and_comes_back(make_shelf, qtbot, tmp_path):
    model_folder(tmp_path / "share" / "one")
    shelf = make_shelf(qtbot)
    added(qtbot, shelf, tmp_path / "share")
    os.rename(tmp_path / "share", tmp_path / "hidden share")
    qtbot.waitUntil(lambda: shelf.names == ["demo"])
    assert shelf.library.folders == (str(tmp_path / "share"),)
    qtbot.waitUntil(lambda: bool(shelf.said))
    assert "is not there now" in shelf.said[0]
    os.rename(tmp_path / "hidden share", tmp_path / "share")
    qtbot.waitUntil(lambda: "one" in shelf.names)
    qtbot.waitUntil(lambda: shelf.is_quiet)


def test_what_appears_changes_or_goes_is_seen(make_shelf, qtbot, tmp_path, cache):
    top = tmp_path / "models"
    model_folder(top / "one")
    shelf = make_shelf(qtbot)
    added(qtbot, shelf, top)
    model_folder(top / "two")
    qtbot.waitUntil(lambda: "two" in shelf.names)
    shutil.rmtree(top / "one")
    qtbot.waitUntil(lambda: "one" not in shelf.names)
    path = snapshot(cache, "maker/fetched", is_named=False)
    qtbot.waitUntil(lambda: "maker/fetched" in shelf.names)
    assert not by_name(shelf, "maker/fetched").is_complete
    refs = path.parents[1] / "refs"
    refs.mkdir()
    (refs / "main").write_text(path.name)
    qtbot.waitUntil(lambda: by_name(shelf, "maker/fetched").is_complete)
    qtbot.waitUntil(lambda: shelf.is_quiet)


def test_a_second_look_surveys_only_what_changed(make_shelf, qtbot, tmp_path):
    one, two = (model_folder(tmp_path / "models" / name) for name in ("one", "two"))
    shelf = make_shelf(qtbot)
    added(qtbot, shelf, tmp_path / "models")
    before = len(shelf.surveys)
    settled(qtbot, shelf, shelf.controller.rescan)
    assert len(shelf.surveys) == before
    (two / "config.json").write_text('{"a": 1}')
    settled(qtbot, shelf, shelf.controller.rescan)
    assert shelf.surveys[before:] == [two]
    (one / "model.safetensors").write_text("longer than before")
    settled(qtbot, shelf, shelf.controller.rescan)
    assert shelf.surveys[before:] == [two, one]


def test_shards_that_an_index_names_must_be_there(make_shelf, qtbot, tmp_path):
    folder = model_folder(tmp_path / "models" / "one")
    names = ["model.safetensors", "model-2.safetensors"]
    index = {"weight_map": {f"layer {number}": name for number, name in enumerate(names)}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    shelf = make_shelf(qtbot)
    added(qtbot, shelf, tmp_path / "models")
    assert not by_name(shelf, "one").is_complete
    (folder / names[1]).touch()
    settled(qtbot, shelf, shelf.controller.rescan)
    assert by_name(shelf, "one").is_complete


def test_habits_are_kept_by_name_and_sanitised(make_shelf, qtbot, cache):
    snapshot(cache, "maker/model")
    shelf = make_shelf(qtbot)
    target = by_name(shelf, "maker/model").target
    wanted = ModelHabits(2048, SamplingParams(temperature=0.25), {"enabled": False})
    shelf.controller.set_habits(target, wanted)
    shelf.controller.note_used(target)
    habits = by_name(shelf, "maker/model").habits
    assert habits.used is not None
    assert replace(habits, used=None) == wanted
    # Used before any look has found it.
    late = snapshot(cache, "maker/late")
    shelf.controller.note_used(str(late))
    settled(qtbot, shelf, shelf.controller.rescan)
    assert by_name(shelf, "maker/late").habits.used is not None
    shelf.store.save_model(
        ModelRecord(
            "demo",
            float("inf"),
            {
                "context": -5,
                "sampling": {"temperature": "hot", "top_p": 0.5, "top_k": -9},
                "speculation": {"enabled": 7, "nonsense": 1, "replay": False},
                "more": [],
            },
        )
    )
    assert shelf.store.flush(10)
    again = make_shelf(qtbot)
    assert by_name(again, "maker/model").habits == habits
    odd = by_name(again, "demo").habits
    assert odd == ModelHabits(None, SamplingParams(top_p=0.5), {"replay": False}, None)


def test_a_model_of_a_cache_is_deleted_and_what_others_need_stays(make_shelf, qtbot, cache):
    old, new = (snapshot(cache, "maker/model", letter * 40) for letter in "ab")
    alone = snapshot(cache, "maker/alone")
    shelf = make_shelf(qtbot)
    settled(qtbot, shelf, lambda: shelf.controller.delete(str(new)))
    assert not new.exists()
    assert (old / "config.json").read_text() == "{} config.json"
    settled(qtbot, shelf, lambda: shelf.controller.delete(str(alone)))
    assert not alone.parents[1].exists()
    assert shelf.deleted == ["maker/model", "maker/alone"]
    assert "maker/alone" not in shelf.names
    assert shelf.said == []


def test_a_model_of_a_folder_goes_to_the_trash(make_shelf, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home" / "share"))
    (tmp_path / "home" / "share").mkdir(parents=True)
    folder = model_folder(tmp_path / "home" / "models" / "one")
    shelf = make_shelf(qtbot)
    added(qtbot, shelf, folder.parent)
    settled(qtbot, shelf, lambda: shelf.controller.delete(str(folder)))
    assert not folder.exists()
    assert shelf.deleted == ["one"]
    assert list((tmp_path / "home" / "share" / "Trash" / "files").iterdir())


def test_what_is_needed_is_not_deleted(make_shelf, qtbot, cache):
    path = snapshot(cache, "maker/model")
    shelf = make_shelf(qtbot)
    shelf.controller.delete("demo")
    shelf.controller.set_loaded(str(path))
    shelf.controller.delete(str(path))
    shelf.controller.set_loaded("")
    shelf.downloads.add(Download(1, "maker/model", "paused"))
    shelf.controller.delete(str(path))
    shelf.downloads.change(1, stage="done")
    shelf.controller.delete("nobody")
    assert shelf.said == [
        "The demo model is part of Draftscope and stays.",
        "model is in use; unload it first.",
        "model is being downloaded; cancel that first.",
    ]
    assert path.exists()


def test_a_damaged_cache_is_said(make_shelf, qtbot, cache):
    path = snapshot(cache, "maker/model")
    (cache / "models--maker--model" / "refs" / "old").write_text("d" * 40)
    shelf = make_shelf(qtbot)
    settled(qtbot, shelf, lambda: shelf.controller.delete(str(path)))
    (sentence,) = shelf.said
    assert "damaged" in sentence
    assert path.exists()
    assert shelf.deleted == []


def test_free_memory_counts_what_the_loaded_model_gives_back(make_shelf, qtbot):
    answers = [10 * GB, 11 * GB, 8 * GB, None]
    shelf = make_shelf(qtbot, available=lambda: answers.pop(0))
    assert shelf.library.free_bytes == 10 * GB
    shelf.controller.set_watched(True)
    assert shelf.library.free_bytes == 11 * GB
    assert shelf.controller.memory._timer.isActive()
    shelf.controller.set_watched(False)
    shelf.controller.set_loaded("demo")
    assert shelf.library.free_bytes == 10 * GB
    shelf.controller.memory.measure()
    assert shelf.library.free_bytes is None


def test_real_memory_is_told():
    assert 1_000_000 < available_bytes() < 1 << 50


def test_everything_can_be_saved_again(make_shelf, qtbot, tmp_path, open_store):
    model_folder(tmp_path / "models" / "one")
    shelf = make_shelf(qtbot)
    added(qtbot, shelf, tmp_path / "models")
    shelf.controller.note_used("demo")
    shelf.store.delete_model_folder(str(tmp_path / "models"))
    shelf.controller.keep_everything()
    assert shelf.store.flush(10)
    assert [each.path for each in shelf.store.model_folders()] == [str(tmp_path / "models")]
    assert [each.name for each in shelf.store.model_records()] == ["demo"]


def test_the_window_goes_on_while_two_hundred_folders_are_scanned(make_shelf, qtbot, tmp_path):
    for number in range(200):
        model_folder(tmp_path / "models" / f"maker {number % 7}" / f"model {number}")
    shelf = make_shelf(qtbot, surveyor=survey)
    ticks: list[float] = []
    timer = QTimer()
    timer.setInterval(5)
    timer.timeout.connect(lambda: ticks.append(perf_counter()))
    timer.start()
    began = perf_counter()
    added(qtbot, shelf, tmp_path / "models")
    took = perf_counter() - began
    timer.stop()
    gaps = [after - before for before, after in pairwise(ticks)]
    sys.stdout.write(f"200 folders in {took:.2f} s, longest gap {max(gaps) * 1000:.0f} ms\n")
    assert len(shelf.names) == 201
    assert len(ticks) > 3


def test_closing_in_the_middle_of_a_look_ends_the_thread(make_shelf, qtbot, tmp_path):
    for number in range(50):
        model_folder(tmp_path / "models" / f"model {number}")
    shelf = make_shelf(qtbot, surveyor=lambda path: (sleep(0.05), surveyed(path))[1])
    shelf.controller.add_folder(str(tmp_path / "models"))
    qtbot.waitUntil(lambda: shelf.library.is_scanning)
    shelf.controller.close()
    assert not shelf.controller._scanner._thread.is_alive()
