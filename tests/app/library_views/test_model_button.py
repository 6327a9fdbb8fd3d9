"""The header's model button: its name, how far loading is, and the menu."""

import pytest

from app.models.conversation import Conversation
from app.models.display import TokenDisplay
from app.theme import Theme
from app.views.header import Header
from app.views.library.model_button import ModelButton, recent_models
from engine import Failed
from tests.app.library_views.made import (
    GB,
    ModelHabits,
    attention,
    demo,
    faulty,
    hybrid,
    parts_of,
    progress,
    put_to_use,
    used,
)


@pytest.fixture
def make_button(window):
    def make(parts):
        button = ModelButton(Theme("light", window), window)
        button.follow(parts)
        button.set_room(400)
        return button

    return make


def entries(button):
    button.open()
    button.popup.close()
    return [action.text() for action in button.popup.actions() if action.text()]


def test_it_says_which_model_and_how_far_it_is(make_button):
    model = hybrid(name="mlx-community/Qwen3.5-9B")
    parts = parts_of(demo(), model)
    button = make_button(parts)
    assert button.text() == "No model ▾"
    parts.model.begin(model.target)
    progress(parts, 0.42)
    assert button.text() == "Qwen3.5-9B ▾"
    assert "reading weights, 42 %" in button.toolTip()
    put_to_use(parts, model.target)
    assert "%" not in button.toolTip()
    parts.model.rest()
    assert button.text() == "Qwen3.5-9B ▾"
    assert "when you ask" in button.toolTip()
    parts.model.begin("demo")
    assert button.accessibleName() == "Model: Demo model"
    parts.model.apply(Failed(0, "Stopped.", kind="cancelled"))
    assert button.text() == "No model ▾"


def test_its_menu_has_the_loaded_one_and_those_used_last(make_button, heard):
    models = [used(hybrid(number, name=f"a/M{number}"), 100.0 + number) for number in range(9)]
    parts = parts_of(demo(), faulty(), *models, hybrid(20))
    button = make_button(parts)
    assert [each.name for each in recent_models(parts)] == [
        "a/M8", "a/M7", "a/M6", "a/M5", "a/M4", "a/M3", "demo"
    ]  # fmt: skip
    assert entries(button)[-3:] == ["Demo model", "Get models…", "Models…"]
    put_to_use(parts, models[2].target)
    assert entries(button)[:2] == ["M2", "M8"]
    assert button.popup.actions()[0].isChecked()
    loads, unloads = heard(parts.intents.load_requested), heard(parts.intents.unload_requested)
    button.popup.actions()[0].trigger()
    button.popup.actions()[1].trigger()
    next(each for each in button.popup.actions() if each.text() == "Unload").trigger()
    assert loads == [models[8].target]
    assert len(unloads) == 1


def test_one_that_does_not_fit_is_asked_about_in_the_sheet(make_button, heard):
    large = attention(survey={"weights_bytes": 90 * GB}, habits=ModelHabits(used=1.0))
    parts = parts_of(large)
    button = make_button(parts)
    loads, sheets = heard(parts.intents.load_requested), heard(button.sheet_requested)
    assert "does not fit" in entries(button)[0]
    button.popup.actions()[0].trigger()
    button.popup.actions()[-2].trigger()
    button.popup.actions()[-1].trigger()
    assert loads == []
    assert sheets == [large.target, "get", "here"]


def test_loading_can_be_cancelled_there(make_button, heard):
    parts = parts_of(demo())
    button = make_button(parts)
    parts.model.begin("demo")
    cancels = heard(parts.intents.load_cancelled)
    assert "Unload" not in entries(button)
    next(each for each in button.popup.actions() if each.text() == "Cancel loading").trigger()
    assert len(cancels) == 1


@pytest.mark.parametrize("width", [380, 520, 640, 900])
def test_in_a_narrow_header_all_stay_in_sight(window, width):
    header = Header(Theme("light", window), TokenDisplay(True), window)
    chat = Conversation(header)
    chat.rename("A chat about something that is long enough")
    header.show_chat(chat)
    header.badge.show_state("Speculation on · 1.1× plain", "good")
    name = "a/An-Extremely-Long-Model-Name-That-Does-Not-End"
    parts = parts_of(hybrid(name=name))
    header.show_models(parts)
    put_to_use(parts, parts.library.models[0].target)
    header.show()
    header.resize(width, 52)
    header.layout().activate()
    assert header.panel.geometry().right() <= width
    assert header.model.geometry().right() < header.badge.geometry().left()
    assert 60 <= header.model.width() <= 220
    assert ("…" in header.model.text()) == (header.model.width() < 400)


def test_a_header_without_models_shows_no_button(window):
    header = Header(Theme("light", window), TokenDisplay(True), window)
    header.show()
    assert header.model.isHidden()
