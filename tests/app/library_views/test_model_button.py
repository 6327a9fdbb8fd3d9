"""The header's model button: its name, how far loading is, and the menu."""

import pytest
from PySide6.QtCore import QPoint

from app.models.conversation import Conversation
from app.models.display import TokenDisplay
from app.theme import Theme
from app.views.header import Header
from app.views.library.model_button import ModelButton
from app.views.library.model_menu import MAX_MODELS
from engine import Failed, Unloaded
from tests.app.library_views.made import (
    GB,
    ModelHabits,
    attention,
    demo,
    download,
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
    assert "Reading weights, 42 %" in button.toolTip()
    put_to_use(parts, model.target)
    assert "%" not in button.toolTip()
    parts.model.rest()
    assert button.text() == "Qwen3.5-9B ▾"
    assert "when you ask" in button.toolTip()
    parts.model.begin("demo")
    assert button.accessibleName() == "Model: Demo model"
    parts.model.apply(Failed(0, "Stopped.", kind="cancelled"))
    assert button.text() == "No model ▾"


def test_its_menu_has_those_used_last_in_the_order_of_their_titles(make_button, heard):
    models = [used(hybrid(number, name=f"a/M{number}"), 100.0 + number) for number in range(9)]
    parts = parts_of(demo(), faulty(), *models, hybrid(20))
    button = make_button(parts)
    fetched = hybrid(21, name="a/Fetched")
    parts.library.set_models([*parts.library.models, fetched])
    parts.downloads.add(download(1, "a/Fetched", stage="done"))
    assert entries(button) == [
        "Demo model", "Fetched", *(f"M{number}" for number in range(9)),
        "Qwen3.5-9B-MLX-4bit-20", "Get models…", "Models…",
    ]  # fmt: skip
    parts.library.set_models([*parts.library.models, hybrid(22), hybrid(23)])
    assert len(entries(button)) == MAX_MODELS + 2
    put_to_use(parts, models[2].target)
    assert entries(button)[:4] == ["Fetched", "M0", "M1", "M2"]
    assert [each.text() for each in button.popup.actions() if each.isChecked()] == ["M2"]
    loads, unloads = heard(parts.intents.load_requested), heard(parts.intents.unload_requested)
    chosen = heard(button.popup.chosen)
    button.popup.actions()[3].trigger()
    button.popup.actions()[2].trigger()
    next(each for each in button.popup.actions() if each.text() == "Unload").trigger()
    assert loads == [models[1].target]
    assert (len(unloads), len(chosen)) == (1, 3)


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


def test_a_download_is_seen_and_leads_to_the_downloads(make_button, heard):
    parts = parts_of(demo())
    button = make_button(parts)
    sheets = heard(button.sheet_requested)
    before, width = button.grab().toImage(), button.width()
    parts.downloads.add(download(1, "mlx-community/Qwen3.5-2B"))
    assert button.width() > width
    assert button.grab().toImage() != before
    assert "Getting Qwen3.5-2B… 27 %" in button.toolTip()
    assert "Getting Qwen3.5-2B… 27 %" in button.accessibleDescription()
    button.open()
    entry = next(each for each in button.popup.actions() if each.text().startswith("Getting"))
    assert entry.text() == "Getting Qwen3.5-2B… 27 %"
    parts.downloads.change(1, done_bytes=2_150_000_000)
    assert entry.text() == "Getting Qwen3.5-2B… 50 %"
    entry.trigger()
    button.popup.close()
    assert sheets == ["downloads"]
    parts.downloads.change(1, stage="done")
    assert button.width() == width
    assert "Getting" not in button.toolTip()


def test_a_long_name_keeps_its_beginning_and_its_end(make_button):
    model = hybrid(name="a/Qwen3.5-9B-With-Many-More-Words-Than-Needed-4bit")
    parts = parts_of(model)
    button = make_button(parts)
    put_to_use(parts, model.target)
    button.set_room(button.fair_width)
    assert button.text().startswith("Qwen3.5-9B")
    assert button.text().endswith("4bit ▾")
    assert "…" in button.text()


@pytest.mark.parametrize("width", [460, 700, 1000])
def test_what_the_badge_says_moves_nothing(window, width):
    header = Header(Theme("light", window), TokenDisplay(True), window)
    header.show_chat(Conversation(header))
    parts = parts_of(hybrid(name="a/Qwen3.5-9B-MLX-4bit"))
    header.show_models(parts)
    header.show()
    header.resize(width, 52)
    assert not header.badge.isVisibleTo(header)
    put_to_use(parts, parts.library.models[0].target)
    places = set()
    for words in (
        "Speculation off",
        "Speculation on",
        "Speculation paused",
        "Speculation on · 2.1× plain",
    ):
        header.badge.show_state(words, "good")
        header.layout().activate()
        place = header.badge.mapTo(header, QPoint(0, 0)).x()
        places.add((header.model.x(), place, header.badge.width()))
        assert header.badge.text() in (words, words.rpartition(" · ")[2], "●")
        assert width < 700 or header.badge.text() != "●"
    assert len(places) == 1
    assert "9B" in header.model.text()
    parts.model.apply(Unloaded(0))
    assert not header.badge.isVisibleTo(header)


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
    assert header.badge.isVisible() == (width > 380)
    if header.badge.isVisible():
        assert header.model.geometry().right() < header.badge.mapTo(header, QPoint(0, 0)).x()
    assert header.title.width() >= 80
    assert 60 <= header.model.width() <= 220
    assert ("…" in header.model.text()) == (header.model.width() < 400)


def test_a_header_without_models_shows_no_button(window):
    header = Header(Theme("light", window), TokenDisplay(True), window)
    header.show()
    assert header.model.isHidden()
