"""Loading and leaving models: who goes first, what cancelling, resting and closing leave."""

from pathlib import Path

import pytest

from app.main.marker import Marker
from tests.fakes.scripted_worker import saying


@pytest.fixture
def desk(make_desk):
    return make_desk(saying("word " * 40))


class Heard(list):
    """What a signal said."""

    def __init__(self, signal) -> None:
        super().__init__()
        signal.connect(lambda *values: self.append(values))


def test_loading_says_what_is_loaded_and_how_far(make_desk):
    desk = make_desk(is_loaded=False)
    model, loader = desk.session.model, desk.controller.loader
    loaded, shares = Heard(loader.loaded), []
    model.changed.connect(lambda: shares.append((model.stage, model.done_bytes)))
    desk.wait(loader.load("/models/other"))
    assert ("loading", 40) in shares
    assert (model.stage, model.label, model.name) == ("ready", "other", "/models/other")
    assert loaded == [("/models/other",)]


def test_another_model_ends_the_reply_first_and_its_text_stays(make_desk):
    desk = make_desk(saying("word " * 5_000), pace=0.002)
    exchange = desk.chats.current.ask("go")
    reply = exchange.reply

    async def switch():
        desk.session.failures.start(desk.controller.answer(desk.chats.current, exchange))
        await desk.until(lambda: len(reply.pieces) > 3)
        await desk.controller.loader.load("/models/other")

    desk.wait(switch())
    assert reply.stop == "cancelled"
    assert reply.text.startswith("word")
    assert desk.worker.told == ["load demo", "reply", "load /models/other"]
    assert desk.session.model.label == "other"
    assert not desk.controller.is_busy


def test_a_cancelled_load_leaves_no_model_and_is_no_failure(make_desk):
    desk = make_desk(is_loaded=False, load_seconds=20)
    model, loader = desk.session.model, desk.controller.loader
    gone = Heard(loader.unloaded)

    async def cancel():
        loader.start("/models/slow")
        await desk.until(lambda: model.done_bytes > 0)
        loader.cancel()
        await desk.until(lambda: model.stage != "loading")

    desk.wait(cancel())
    assert (model.stage, model.failure, model.info) == ("none", None, None)
    assert gone == [()]
    assert not desk.controller.can_answer
    desk.worker._load_seconds = 0
    desk.do(loader.reload)
    desk.wait(desk.until(lambda: model.stage == "ready"))
    assert model.label == "slow"


def test_of_two_loads_the_later_one_holds(make_desk):
    desk = make_desk(is_loaded=False, load_seconds=20)
    model, loader = desk.session.model, desk.controller.loader
    loaded = Heard(loader.loaded)

    async def hurry():
        loader.start("/models/first")
        await desk.until(lambda: model.done_bytes > 0)
        desk.worker._load_seconds = 0
        await loader.load("/models/second")

    desk.wait(hurry())
    assert (model.stage, model.label) == ("ready", "second")
    assert loaded == [("/models/second",)]


def test_unloading_and_loading_again(desk):
    model, loader = desk.session.model, desk.controller.loader
    desk.wait(loader.unload())
    assert (model.stage, model.info, model.is_resting) == ("none", None, False)
    assert not desk.controller.can_answer
    desk.do(loader.reload)
    desk.wait(desk.until(lambda: model.stage == "ready"))
    assert desk.worker.told == ["load demo", "unload", "load demo"]


def test_an_idle_model_rests_and_a_question_loads_it_again(desk):
    model, loader = desk.session.model, desk.controller.loader
    assert loader.idle_minutes == 0
    loader.set_idle_minutes(0.001)
    desk.wait(desk.until(lambda: "unload" in desk.worker.told))
    desk.settle(0.05)
    assert model.is_resting
    assert model.stage == "none"
    assert model.context_length == 4096, "the context meter goes on"
    assert desk.controller.can_answer
    loader.set_idle_minutes(0)
    reply = desk.ask()
    assert reply.text.startswith("word")
    assert desk.worker.told == ["load demo", "unload", "load demo", "reply"]
    assert model.stage == "ready"


def test_a_question_in_the_turn_that_the_model_goes_to_rest_is_answered(desk):
    model, loader = desk.session.model, desk.controller.loader

    def ask_and_rest():
        desk.controller.send("Hello")
        loader._rest()

    desk.do(ask_and_rest)
    desk.settle()
    desk.wait(desk.until(lambda: not desk.controller.is_busy))
    assert desk.chats.current.last_reply.failure is None
    assert desk.chats.current.last_reply.text.startswith("word")
    assert model.stage == "ready"


def test_what_cannot_be_loaded_again_fails_the_reply_in_a_sentence(desk):
    desk.controller.loader.set_idle_minutes(0.001)
    desk.wait(desk.until(lambda: desk.session.model.is_resting))
    desk.controller.loader.set_idle_minutes(0)
    desk.worker._load_failure = "The folder is gone; choose another model."
    reply = desk.ask()
    assert reply.failure.sentence == "The folder is gone; choose another model."
    assert desk.session.model.stage == "failed"


def test_no_model_rests_while_a_reply_is_written(make_desk):
    desk = make_desk(saying("word " * 60), pace=0.004)
    loader = desk.controller.loader
    desk.controller.running_changed.connect(
        lambda owner: loader.set_idle_minutes(0 if owner is None else 0.001)
    )
    reply = desk.ask()
    assert reply.stop == "eos"
    assert desk.worker.told == ["load demo", "reply"]


def test_a_smaller_context_reaches_the_request(desk):
    model = desk.session.model
    desk.ask()
    model.set_context(1000)
    assert model.context_length == 1000
    desk.ask()
    model.set_context(10**6)
    assert model.context_length == 4096, "never more than the model has"
    desk.ask()
    assert [each.context_limit for each in desk.worker.requests] == [None, 1000, 4096]
    desk.controller.loader.context_of = {"/models/b": 512}.get
    desk.wait(desk.controller.loader.load("/models/b"))
    assert model.context_length == 512
    desk.wait(desk.controller.loader.load("/models/b", 600))
    assert model.context_length == 600


def test_answering_again_with_another_model_keeps_both_and_stays(desk):
    desk.ask("the question")
    exchange = desk.chats.current.exchanges[0]
    desk.do(lambda: desk.controller.regenerate_with(exchange, "/models/other"))
    desk.wait(desk.until(lambda: len(exchange.variants) == 2 and exchange.reply.is_over))
    assert [each.model for each in exchange.variants] == ["Demo model", "other"]
    assert desk.worker.told == ["load demo", "reply", "load /models/other", "reply"]
    assert desk.session.model.label == "other"
    first, second = desk.worker.requests
    assert second.sampling.seed not in (0, first.sampling.seed)
    assert [each.content for each in second.messages] == ["the question"]
    desk.do(lambda: desk.controller.regenerate_with(exchange, "/models/other"))
    desk.wait(desk.until(lambda: len(exchange.variants) == 3 and exchange.reply.is_over))
    assert desk.worker.told.count("load /models/other") == 1, "it was there already"


def test_another_model_that_cannot_be_loaded_adds_no_answer(desk):
    desk.ask("the question")
    exchange = desk.chats.current.exchanges[0]
    told = Heard(desk.session.failures.reported)
    desk.worker._load_failure = "The weights are damaged; download the model again."
    desk.do(lambda: desk.controller.regenerate_with(exchange, "/models/other"))
    desk.wait(desk.until(lambda: desk.session.model.stage == "failed"))
    desk.settle(0.05)
    assert len(exchange.variants) == 1
    assert told == [("The weights are damaged; download the model again.",)]


def test_a_mark_is_there_while_a_model_is_and_gone_after_a_good_end(make_desk, tmp_path: Path):
    desk = make_desk(is_loaded=False)
    loader = desk.controller.loader
    loader.marker = marker = Marker(tmp_path / "mark.json")
    desk.wait(loader.load("/models/big"))
    assert marker.read().name == "big"
    desk.wait(loader.load("demo"))
    assert marker.read() is None
    desk.wait(loader.load("/models/big"))
    desk.wait(loader.unload())
    assert marker.read() is None
    desk.worker._load_failure = "No."
    desk.wait(loader.load("/models/big"))
    assert marker.read() is None
    desk.worker._load_failure = ""
    desk.wait(loader.load("/models/big"))
    assert marker.read() is not None
    loader.close()
    assert marker.read() is None


def test_a_mark_that_cannot_be_written_is_told_once(make_desk, tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    desk = make_desk(is_loaded=False)
    loader = desk.controller.loader
    loader.marker = Marker(tmp_path / "file" / "mark.json")
    told = Heard(loader.said)
    for name in ("/models/a", "/models/b"):
        desk.wait(loader.load(name))
    assert desk.session.model.label == "b"
    ((sentence,),) = told
    assert "cannot be noted" in sentence


def test_what_is_loaded_already_is_left_in_peace(make_desk):
    desk = make_desk(saying("word " * 200), pace=0.001)
    exchange = desk.chats.current.ask("go")

    async def load_again():
        desk.session.failures.start(desk.controller.answer(desk.chats.current, exchange))
        await desk.until(lambda: len(exchange.reply.pieces) > 3)
        await desk.controller.loader.load("demo", 2048)
        await desk.until(lambda: exchange.reply.is_over)

    desk.wait(load_again())
    assert exchange.reply.stop == "eos"
    assert desk.worker.told == ["load demo", "reply"]
    assert desk.session.model.context_length == 2048


def test_loading_on_a_closed_engine_is_a_failure(desk):
    desk.worker.close()
    desk.wait(desk.controller.loader.load("/models/a"))
    assert desk.session.model.stage == "failed"
    assert "closed" in desk.session.model.failure.sentence
