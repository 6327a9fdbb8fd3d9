"""Who is loaded when: what a person chose, what came by itself, what is not there any more."""

from pathlib import Path

import pytest
from huggingface_hub import constants

from app.main.marker import Left
from app.models.downloads import Download
from app.models.talk_state import talk_state
from tests.fakes.scripted_worker import saying


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No models but those of the test."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))


@pytest.fixture
def desk(make_desk):
    return make_desk(saying("word " * 300), pace=0.004)


def fetched(desk, repo: str, **facts) -> Download:
    """A download in the list, as it is while it comes."""
    download = Download(1, repo, "fetching", **facts)
    desk.session.room.downloads.add(download)
    return download


def loads(desk) -> bool:
    return desk.session.room.downloads.get(1).loads


def settled(desk):
    """Until nothing is loading, and nothing is looked for."""
    room, model = desk.session.room, desk.session.model
    desk.wait(desk.until(lambda: model.stage != "loading" and not room.library.is_scanning))


def asking(desk):
    """A reply that is being written."""
    exchange = desk.chats.current.ask("go")
    desk.do(lambda: desk.controller._start(desk.chats.current, exchange))
    desk.wait(desk.until(lambda: len(exchange.reply.pieces) > 3))
    return exchange


def test_a_choice_of_the_person_s_goes_before_a_download(desk):
    room, intents = desk.session.room, desk.window.conversation.intents
    fetched(desk, "m/a", loads=True)
    desk.do(lambda: room.intents.load_requested.emit("/models/other"))
    settled(desk)
    assert (desk.session.model.label, loads(desk)) == ("other", False)
    room.downloads.change(1, loads=True)
    desk.ask()
    (exchange,) = desk.chats.current.exchanges
    desk.do(lambda: intents.regenerate_with_requested.emit(exchange, "/models/third"))
    desk.wait(desk.until(lambda: len(exchange.variants) == 2 and exchange.reply.is_over))
    assert [each.model for each in exchange.variants] == ["other", "third"]
    assert not loads(desk)
    room.downloads.change(1, loads=True)
    desk.do(desk.window.reload_requested.emit)
    assert not loads(desk)


def test_the_start_of_the_app_is_no_choice(desk):
    fetched(desk, "m/a", loads=True)
    desk.wait(desk.controller.load("/models/last"))
    assert loads(desk)


def test_what_is_loaded_by_itself_says_whose_place_it_takes(desk, tmp_path):
    room, said = desk.session.room, desk.window.middle.saying
    folder = tmp_path / "models--maker--small" / "snapshots" / "0123"
    desk.do(lambda: room.queue.ready.emit(str(folder), False))
    settled(desk)
    assert (desk.session.model.label, said.sentence) == ("Demo model", "")
    desk.do(lambda: room.queue.ready.emit(str(folder), True))
    assert said.sentence == "small is ready, and takes the place of Demo model."
    settled(desk)
    assert desk.session.model.label == "small"
    said.clear()
    desk.do(lambda: room.queue.ready.emit(str(folder), True))
    settled(desk)
    assert said.sentence == "", "it is in use already"


def test_where_none_is_in_use_nothing_is_said(make_desk, tmp_path):
    desk = make_desk(is_loaded=False)
    desk.do(lambda: desk.session.room.queue.ready.emit(str(tmp_path / "small"), True))
    settled(desk)
    assert desk.session.model.label == "small"
    assert desk.window.middle.saying.sentence == ""


def test_a_reply_is_not_ended_for_what_comes(desk, tmp_path):
    room, said = desk.session.room, desk.window.middle.saying
    exchange = asking(desk)
    desk.do(lambda: room.queue.ready.emit(str(tmp_path / "small"), True))
    assert said.sentence == "small is ready; it was not loaded, as a reply is being written."
    assert said.action.text() == "Load it"
    desk.wait(desk.until(lambda: exchange.reply.is_over))
    assert exchange.reply.stop == "eos"
    assert desk.worker.told == ["load demo", "reply"]
    desk.do(said.action.click)
    settled(desk)
    assert desk.session.model.label == "small"
    assert said.sentence == "", "the offer has no use any more"


def test_loaded_while_a_reply_is_written_it_waits_for_its_end(desk, tmp_path):
    room, said = desk.session.room, desk.window.middle.saying
    exchange = asking(desk)
    desk.do(lambda: room.queue.ready.emit(str(tmp_path / "small"), True))
    desk.do(said.action.click)
    assert said.sentence == "small is loaded when the reply is written."
    assert not exchange.reply.is_over
    desk.wait(desk.until(lambda: exchange.reply.is_over))
    assert exchange.reply.stop == "eos"
    desk.wait(desk.until(lambda: desk.session.model.label == "small"))
    settled(desk)
    # Another choice meanwhile goes before it.
    asking(desk)
    desk.do(lambda: room.load_when_free("/models/third"))
    desk.do(lambda: room.load("/models/other"))
    settled(desk)
    desk.settle(0.05)
    assert desk.session.model.label == "other"


def test_an_offer_leaves_when_any_load_begins(desk, tmp_path):
    room, said = desk.session.room, desk.window.middle.saying
    room.offer.make("big was not loaded.", str(tmp_path / "big"))
    stages = []
    desk.session.model.changed.connect(lambda: stages.append((room._model.stage, said.sentence)))
    desk.wait(desk.controller.load("/models/other"))
    assert stages[0] == ("loading", "")


def test_after_a_failed_load_the_model_that_worked_is_offered(desk):
    room, said, model = desk.session.room, desk.window.middle.saying, desk.session.model
    desk.wait(desk.controller.load("/models/good"))
    room._loader.is_here = room.offer.is_here = lambda _target: True
    desk.worker._load_failure = "The tokenizer is damaged."
    desk.do(lambda: room.load("/models/bad"))
    settled(desk)
    assert (model.stage, said.sentence) == ("failed", "good was in use before.")
    # Said once more by who asked for it, the way back stays.
    desk.session.failures.reported.emit("The tokenizer is damaged.")
    assert said.sentence == "The tokenizer is damaged. good was in use before."
    desk.worker._load_failure = None
    desk.do(said.action.click)
    settled(desk)
    assert (model.stage, model.label, said.sentence) == ("ready", "good", "")
    desk.worker._load_failure = "Out of memory."
    desk.wait(desk.controller.loader.unload())
    assert said.sentence == "", "nothing has failed"
    desk.do(lambda: room.load("/models/good"))
    settled(desk)
    assert said.sentence == "Demo model is always there."
    desk.window.say("Something else.")
    desk.do(lambda: room.load("demo"))
    settled(desk)
    assert said.sentence == "Something else. good was in use before."
    desk.worker._load_failure = None
    desk.do(said.action.click)
    settled(desk)
    assert (model.label, said.sentence) == ("good", "Something else.")


def test_what_was_said_of_a_failure_leaves_with_it(desk):
    said, model = desk.window.middle.saying, desk.session.model
    desk.worker._load_failure = "The tokenizer is damaged."
    desk.session.room.offer.is_here = lambda _target: False
    desk.wait(desk.controller.load("/models/bad"))
    desk.session.failures.reported.emit("The tokenizer is damaged.")
    assert said.sentence == "The tokenizer is damaged."
    desk.session.room.shelf.failed.mended.emit()
    assert (model.stage, model.failure, said.sentence) == ("none", None, "")
    assert model.offers_load


def test_what_is_being_downloaded_is_no_broken_file(desk, tmp_path):
    room, model = desk.session.room, desk.session.model
    folder = tmp_path / "models--maker--small" / "snapshots" / "0123"
    fetched(desk, "maker/small", verifies=True)
    desk.worker._load_failure = "model.safetensors is a link to a file that is not there."
    desk.wait(desk.controller.load(str(folder)))
    words = "small is being downloaded; load it when all of it is here."
    assert model.failure.sentence == words
    assert "a link to a file" in model.failure.details
    room.downloads.change(1, stage="done")
    desk.do(lambda: room.queue.ready.emit(str(folder), False))
    assert (model.stage, model.failure) == ("none", None)
    desk.wait(desk.controller.load(str(folder)))
    assert model.failure.sentence == desk.worker._load_failure


def test_chosen_in_the_header_the_keyboard_is_in_the_message(desk):
    header, edit = desk.window.header, desk.window.composer.edit
    header.model.setFocus()
    header.model.popup.chosen.emit()
    assert desk.window.focusWidget() is edit


def test_asked_for_again_it_is_loaded_at_once(desk, tmp_path):
    exchange = asking(desk)
    desk.do(lambda: desk.session.room.queue.wanted.emit(str(tmp_path / "small")))
    desk.wait(desk.until(lambda: exchange.reply.is_over))
    settled(desk)
    assert exchange.reply.stop == "cancelled"
    assert desk.session.model.label == "small"


def test_a_model_that_is_gone_does_not_end_the_one_in_use(desk, tmp_path: Path):
    room, said = desk.session.room, desk.window.middle.saying
    room.start()
    settled(desk)
    exchange = asking(desk)
    desk.do(lambda: room.intents.load_requested.emit(str(tmp_path / "gone")))
    desk.wait(desk.until(lambda: exchange.reply.is_over))
    settled(desk)
    assert said.sentence == "gone is not on this machine any more; Demo model stays in use."
    assert exchange.reply.stop == "eos"
    assert desk.worker.told == ["load demo", "reply"]
    assert (desk.session.model.stage, desk.session.model.name) == ("ready", "demo")
    desk.do(lambda: desk.controller.regenerate_with(exchange, str(tmp_path / "gone")))
    settled(desk)
    assert len(exchange.variants) == 1
    # With none in use the engine says what is wrong.
    desk.wait(desk.controller.loader.unload())
    desk.worker._load_failure = "There is no such folder."
    desk.wait(desk.controller.loader.load(str(tmp_path / "gone")))
    assert desk.session.model.failure.sentence == "There is no such folder."


def test_a_model_of_the_command_line_is_listed_and_ticked(desk, tmp_path: Path):
    room = desk.session.room
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        (folder / name).write_text("{}")
    room.start()
    desk.wait(desk.controller.load(str(folder)))
    settled(desk)
    model = room.library.find(str(folder))
    assert model.origin == "folder"
    assert room.parts.is_loaded(model.target)
    assert model.habits.used is not None


def test_two_of_one_title_are_told_apart_in_chats_and_menus(desk, tmp_path: Path):
    room = desk.session.room
    for maker in ("one", "two"):
        folder = tmp_path / "models" / maker / "same"
        folder.mkdir(parents=True)
        for name in ("config.json", "tokenizer.json", "model.safetensors"):
            (folder / name).write_text("{}")
    room.start()
    settled(desk)
    desk.do(lambda: room.shelf.add_folder(str(tmp_path / "models")))
    desk.wait(desk.until(lambda: len(room.library.models) == 3))
    settled(desk)
    desk.wait(desk.controller.load(str(tmp_path / "models" / "two" / "same")))
    desk.ask()
    assert desk.chats.current.model == "two/same"


def test_the_notice_of_a_bad_end_leaves_when_a_model_was_loaded(make_desk):
    desk = make_desk(is_loaded=False)
    session, said = desk.session, desk.window.middle.saying
    left = Left("/models/big")
    session._say_at_start("A notice.", left, ())
    assert said.sentence == (
        "A notice. Draftscope ended unexpectedly while big was in use, so it was not loaded again."
    )
    desk.wait(desk.controller.load("/models/small"))
    assert (said.sentence, said.action.isVisible()) == ("A notice.", False)
    session._say_at_start(None, left, ())
    desk.do(said.action.click)
    settled(desk)
    assert (session.model.label, said.sentence) == ("big", "")
    session._say_at_start(None, left, ())
    desk.window.say("Something else.")
    desk.wait(desk.controller.load("/models/small"))
    assert said.sentence == "Something else."


def test_without_a_model_the_last_one_is_offered(desk):
    chat, model = desk.chats.current, desk.session.model
    state = talk_state(chat, model, None)
    assert (state.offers_load, state.words) == (False, "Demo model")
    desk.wait(desk.controller.loader.unload())
    state = talk_state(chat, model, None)
    assert (state.offers_load, state.title) == (True, "Demo model")
    assert state.words == "No model is loaded"
    assert state.blocked == "No model is loaded; load Demo model, or choose another one above"
    model.name = ""
    state = talk_state(chat, model, None)
    assert (state.offers_load, state.title) == (False, "")
    assert state.blocked == "No model is loaded; choose one above"


def test_a_reply_goes_on_only_with_the_model_that_began_it(desk):
    exchange = asking(desk)
    desk.do(desk.controller.stop)
    desk.wait(desk.until(lambda: exchange.reply.is_over))
    before = exchange.reply.text
    told: list[str] = []
    desk.session.failures.reported.connect(told.append)
    desk.wait(desk.controller.load("/models/other"))
    desk.wait(desk.controller.go_on(desk.chats.current, exchange))
    assert told == [
        "Demo model wrote this reply; load it to let the reply go on, or have it answered again."
    ]
    assert exchange.reply.text == before
    assert exchange.variant.model == "Demo model"
    desk.wait(desk.controller.load("demo"))
    desk.wait(desk.controller.go_on(desk.chats.current, exchange))
    assert len(told) == 1


def test_the_model_of_a_trace_is_known_by_its_name(desk, tmp_path, monkeypatch):
    room, obstacle = desk.session.room, desk.window.compare.obstacle
    folder = str(tmp_path / "added" / "tiny")
    monkeypatch.setattr(room.library, "target_of", lambda name: folder if name == "tiny" else name)
    loaded = []
    room.offer.is_here = lambda target: target == folder
    monkeypatch.setattr(room.offer, "_load", loaded.append)
    assert obstacle.is_here("tiny")
    assert not obstacle.is_here("other")
    obstacle.load_requested.emit("tiny")
    assert loaded == [folder]
