"""What models are called for people: one short name, told apart where two have the same."""

import os

import pytest

from app.models.library import Library, LibraryModel
from app.models.model_state import ModelState
from app.models.model_title import hub_name, model_title, titles
from engine import Failed, Loaded, ModelSurvey
from tests.fakes.scripted_worker import INFO, info_of

SNAPSHOT = "/cache/models--maker--Qwen3.5-2B-4bit/snapshots/0123abcd"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("maker/Qwen3.5-2B-4bit", "Qwen3.5-2B-4bit"),
        ("Qwen3.5-2B-4bit", "Qwen3.5-2B-4bit"),
        ("/models/maker/Qwen3.5-2B-4bit/", "Qwen3.5-2B-4bit"),
        (SNAPSHOT, "Qwen3.5-2B-4bit"),
        ("/cache/models--maker--Qwen3.5-2B-4bit", "Qwen3.5-2B-4bit"),
        ("/cache/models--maker--a--b/snapshots/0123", "a--b"),
        ("/cache/models--gpt2/snapshots/0123", "gpt2"),
        ("/models/snapshots/mine", "mine"),
        ("demo", "Demo model"),
        ("/models/demo", "demo"),
        ("", ""),
        ("/", "/"),
        ("Größe 4B", "Größe 4B"),
    ],
)
def test_a_title_is_the_last_part_of_its_name(name, title):
    assert model_title(name) == title


def test_a_folder_named_from_here_has_its_own_name(tmp_path, monkeypatch):
    (tmp_path / "my model").mkdir()
    monkeypatch.chdir(tmp_path / "my model")
    assert model_title(".") == "my model"
    assert model_title("..") == tmp_path.name
    monkeypatch.setenv("HOME", str(tmp_path))
    assert model_title("~") == os.path.basename(tmp_path)


def test_two_of_the_same_title_are_told_apart_by_whose_they_are():
    assert titles([SNAPSHOT, "/models/Qwen3.5-2B-4bit", "other/small", "demo"]) == {
        SNAPSHOT: "maker/Qwen3.5-2B-4bit",
        "/models/Qwen3.5-2B-4bit": "models/Qwen3.5-2B-4bit",
        "other/small": "small",
        "demo": "Demo model",
    }


def listed(target: str, name: str) -> LibraryModel:
    return LibraryModel(target, "folder", ModelSurvey(target, name))


def test_the_library_knows_titles_and_so_does_the_state(qapp):
    library, state = Library(), ModelState()
    state.title_of = library.title
    library.changed.connect(state.follow_titles)
    told: list[str] = []
    state.changed.connect(lambda: told.append(state.label))
    state.begin(SNAPSHOT)
    state.apply(Loaded(1, info_of(SNAPSHOT)))
    assert told == ["Qwen3.5-2B-4bit"] * 2
    library.set_models([listed(SNAPSHOT, "maker/Qwen3.5-2B-4bit"), listed("/m/other", "other")])
    library.set_models([*library.models, listed("/models/Qwen3.5-2B-4bit", "Qwen3.5-2B-4bit")])
    assert told[-1] == library.title(SNAPSHOT) == "maker/Qwen3.5-2B-4bit"
    assert library.title("maker/Qwen3.5-2B-4bit") == "maker/Qwen3.5-2B-4bit"
    assert library.title("/elsewhere/one") == "one"
    assert library.title("/m/other") == "other"


def test_a_folder_called_demo_is_not_the_demo(qapp):
    library = Library()
    library.set_models([listed("/models/demo", "demo"), listed("demo", "demo")])
    assert library.find("demo").target == "demo"
    assert library.title("/models/demo") == "demo"
    assert library.title("demo") == "Demo model"


def test_a_model_has_its_title_before_it_is_loaded_and_when_it_cannot_be(qapp):
    state = ModelState()
    assert (state.label, state.offers_load) == ("", False)
    state.begin(SNAPSHOT)
    assert (state.label, state.offers_load) == ("Qwen3.5-2B-4bit", False)
    state.apply(Failed(1, "It is damaged; get it again."))
    assert (state.label, state.offers_load) == ("Qwen3.5-2B-4bit", True)
    state.begin("demo")
    assert state.label == "Demo model"
    state.apply(Loaded(2, INFO))
    assert (state.label, state.offers_load) == ("Demo model", False)
    state.rest()
    assert (state.label, state.offers_load) == ("Demo model", False)


def test_titles_stand_in_natural_order_whoever_made_the_models(qapp):
    library = Library()
    names = ("a/Model-10", "z/Model-2", "m/model-1", "b/Alpha", "c/Model", "b/Model-²")
    library.set_models(listed(folder(name), name) for name in names)
    shown = [library.title(each.target) for each in library.models]
    assert shown == ["Alpha", "Model", "model-1", "Model-2", "Model-10", "Model-²"]


def folder(name: str) -> str:
    return f"/hub/models--{name.replace('/', '--')}/snapshots/0123"


def test_a_snapshot_tells_its_repository():
    assert hub_name(folder("maker/some--model")) == "maker/some--model"
    assert hub_name("/models/mine") == "/models/mine"
    assert hub_name("demo") == "demo"
