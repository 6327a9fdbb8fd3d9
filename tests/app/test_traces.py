"""Traces in the window: opened as chats to look at, saved and exported; failures are a sentence."""

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from app.controllers.failures import FailureReporter
from app.controllers.traces import TraceController
from app.models.chats import Chats
from app.models.conversation import Conversation
from app.models.reply import Reply
from app.models.trace_chat import exchanges_of, trace_of
from app.models.trace_format import SUFFIXES
from engine import (
    Failed,
    GenerationRequest,
    Message,
    chrome_trace,
    read_trace,
    replay_trace,
    write_trace,
)
from tests.fakes.scripted_worker import reply_events, steps_of

TRACES = sorted((Path(__file__).parents[1] / "traces").glob("*.jsonl"))
LOCAL = next(path for path in TRACES if path.stem == "local")
TURNS = next(path for path in TRACES if path.stem == "eos-in-block")
every_trace = pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)


class Desk:
    """A controller with nothing around it."""

    def __init__(self, loop):
        self.loop, self.chats, self.failures = loop, Chats(), FailureReporter()
        self.controller = TraceController(self.chats, self.failures)
        self.said = []
        self.controller.said.connect(self.said.append)

    def open(self, path):
        return self.loop.run_until_complete(self.controller.open(path))

    def save(self, chat, path, kind="trace"):
        work = self.controller.save(chat, chat.last_reply, path, kind)
        return self.loop.run_until_complete(work)


@pytest.fixture
def desk(loop):
    desk = Desk(loop)
    yield desk
    desk.controller.close()


def fed(trace):
    reply = Reply()
    for event in replay_trace(trace):
        reply.apply(event)
    return reply


def test_a_trace_becomes_a_chat_that_is_only_read(desk):
    trace = read_trace(LOCAL)
    chat = desk.open(LOCAL)
    assert desk.chats.current is chat
    assert desk.chats.items[0] is chat
    assert (chat.title, chat.is_read_only) == ("local.jsonl", True)
    assert [exchange.prompt for exchange in chat.exchanges] == [trace.started.messages[0].content]
    assert chat.last_reply is chat.playback.reply
    assert chat.last_reply.text == fed(trace).text
    assert chat.last_reply.notices == []
    assert desk.said[-1] == ""
    assert not Conversation().is_read_only


def test_earlier_turns_are_told_and_the_last_reply_is_played(desk):
    first, second, third = read_trace(TURNS).started.messages
    chat = desk.open(TURNS)
    assert [exchange.prompt for exchange in chat.exchanges] == [first.content, third.content]
    assert chat.exchanges[0].reply.text == second.content
    assert chat.exchanges[0].reply.is_over
    assert chat.exchanges[1].reply is chat.playback.reply


def test_the_chat_follows_its_playback(desk):
    chat, published = desk.open(LOCAL), []
    chat.exchange_changed.connect(published.append)
    chat.playback.seek_step(4)
    assert chat.last_reply is chat.playback.reply
    assert len(chat.last_reply.log) == 4
    chat.playback.seek_step(6)
    assert published == [chat.exchanges[-1]] * 2
    chat.playback.play()
    desk.chats.new()
    assert not chat.playback.is_playing


def test_messages_in_any_order_make_exchanges():
    started = read_trace(LOCAL).started

    def told(*messages):
        made = exchanges_of(replace(started, messages=tuple(Message(*each) for each in messages)))
        return [(exchange.prompt, exchange.reply.text) for exchange in made]

    assert told(("system", "Be brief."), ("user", "a")) == [("a", "")]
    assert told(("user", "a"), ("user", "b")) == [("a", ""), ("b", "")]
    assert told(("user", "a"), ("assistant", "A")) == [("a", "A"), ("", "")]
    assert told(("assistant", "A"), ("user", "b")) == [("", "A"), ("b", "")]
    assert told() == [(started.prompt_text, "")]
    bare = exchanges_of(replace(started, messages=(), prompt_text="", prompt_ends=()))
    assert bare[0].prompt.startswith(f"{len(started.prompt_ids)} tokens")


def test_the_system_prompt_is_said_first(desk, tmp_path):
    trace, path = read_trace(TURNS), tmp_path / "run.jsonl"
    started = trace.started
    system = Message("system", "Be brief. " * 100)
    messages = (system, *started.messages)
    write_trace(path, replace(started, messages=messages), trace.steps, trace.finished)
    first = desk.open(path).exchanges[0].reply.notices[0]
    assert first.startswith("System prompt: Be brief.")
    assert first.endswith("…")
    write_trace(path, replace(started, messages=messages[::3]), trace.steps, trace.finished)
    chat = desk.open(path)
    assert chat.last_reply.notices[0].startswith("System prompt:")
    chat.playback.seek_step(0)
    assert chat.last_reply.notices[0].startswith("System prompt:")


def test_a_damaged_trace_opens_as_far_as_it_is_sound_and_says_so(desk, tmp_path):
    path = tmp_path / "cut.jsonl"
    path.write_bytes(LOCAL.read_bytes()[:-6_000])
    chat = desk.open(path)
    assert 0 < len(chat.last_reply.log) < 17
    assert "ends before its run does" in chat.last_reply.notices[0]


def test_a_newer_trace_opens_and_says_so(desk, tmp_path):
    head, *rest = LOCAL.read_text().splitlines()
    newer = json.loads(head) | {"version": 7, "mood": "good"}
    path = tmp_path / "newer.jsonl"
    path.write_text("\n".join([json.dumps(newer), *rest]))
    chat = desk.open(path)
    assert "newer version (format 7" in chat.last_reply.notices[0]
    assert len(chat.last_reply.log) == 17
    assert chat.last_reply.phase == "finished"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.jsonl", None, "cannot be read (No such file"),
        ("empty.jsonl", b"", "it is empty"),
        ("notes.txt", b"hello\n", "is not a trace"),
        ("picture.png", bytes(range(256)) * 50, "is not a trace"),
        ("a\0b", None, "cannot be read"),
        (".", None, "it is a folder"),
    ],
)
def test_what_cannot_be_opened_is_one_sentence(desk, tmp_path, name, content, words):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    before = list(desk.chats.items)
    assert desk.open(path) is None
    assert words in desk.said[-1]
    assert "\n" not in desk.said[-1]
    assert desk.chats.items == before


def test_a_file_too_large_to_hold_is_refused(desk, monkeypatch):
    monkeypatch.setattr("app.controllers.traces.MAX_TRACE_BYTES", 10_000)
    assert desk.open(LOCAL) is None
    assert "traces up to" in desk.said[-1]


def test_reading_that_takes_long_says_how_far_it_is(desk, monkeypatch):
    def read(path, report):
        report(0.5)
        while not desk.said:
            time.sleep(0.001)
        return read_trace(path)

    monkeypatch.setattr("app.controllers.traces.read_trace", read)
    assert desk.open(LOCAL) is not None
    assert desk.said[0] == "Reading the trace, 50 %"


def test_reading_stops_when_nobody_waits(desk, monkeypatch):
    def read(path, report):
        while True:
            report(0.5)

    monkeypatch.setattr("app.controllers.traces.read_trace", read)

    async def leave():
        desk.controller.open_file(LOCAL)
        await desk.failures.stop_all()

    desk.loop.run_until_complete(leave())
    assert len(desk.chats.items) == 1


@every_trace
def test_the_trace_of_a_reply_in_memory_is_the_trace_it_came_from(path):
    trace = read_trace(path)
    assert trace_of(fed(trace)) == trace


@every_trace
def test_a_saved_trace_is_the_opened_one_wherever_it_is_played_to(desk, path, tmp_path):
    chat = desk.open(path)
    chat.playback.seek_step(1)
    assert desk.save(chat, tmp_path / "copy.jsonl")
    assert (tmp_path / "copy.jsonl").read_bytes() == path.read_bytes()
    assert desk.said[-1] == "Saved as copy.jsonl."


def test_a_reply_is_saved_as_far_as_it_is(desk, tmp_path):
    chat, trace, path = Conversation(), read_trace(LOCAL), tmp_path / "run.jsonl"
    reply = chat.ask("x").reply
    assert not desk.save(chat, path)
    assert "nothing to save" in desk.said[-1]
    assert not path.exists()
    events = list(replay_trace(trace))
    for event in events[:6]:
        reply.apply(event)
    assert desk.save(chat, path)
    part = read_trace(path)
    assert (part.steps, part.finished) == (trace.steps[:5], None)
    reply.apply(Failed(0, "It broke off."))
    assert desk.save(chat, path)
    assert read_trace(path).asides[-1][1].sentence == "It broke off."


def test_a_reply_that_was_just_written_is_saved_with_its_end(desk, tmp_path):
    chat, path = Conversation(), tmp_path / "run.jsonl"
    desk.chats.add(chat)
    exchange = chat.ask("Say all of it again, " * 9)
    asked = GenerationRequest(messages=(Message("user", exchange.prompt),))
    events = list(reply_events(1, asked, steps_of(["so", " far", " it", " goes"])))
    for event in events:
        exchange.reply.apply(event)
    assert desk.save(chat, path)
    read = read_trace(path)
    assert read.finished == events[-1]
    assert [step.emitted for step in read.steps] == [e.record.emitted for e in events[3:-1]]


def test_exports_are_those_of_the_trace(desk, tmp_path):
    chat, trace = desk.open(LOCAL), read_trace(LOCAL)
    assert desk.save(chat, tmp_path / "out.json", "chrome")
    assert json.loads((tmp_path / "out.json").read_text()) == chrome_trace(trace)
    assert desk.save(chat, tmp_path / "out.csv", "csv")
    assert len((tmp_path / "out.csv").read_text().splitlines()) == len(trace.steps) + 1


@pytest.mark.parametrize("kind", SUFFIXES)
def test_what_cannot_be_saved_is_one_sentence(desk, kind, tmp_path):
    chat = desk.open(LOCAL)
    for path in (tmp_path, tmp_path / "none" / "x", tmp_path / "a\0b"):
        assert not desk.save(chat, path, kind)
        assert "cannot be written" in desk.said[-1]
    assert list(tmp_path.iterdir()) == []


def test_a_name_is_suggested_after_the_title(desk):
    chat = desk.open(TURNS)
    assert desk.controller.suggested_name(chat, "trace") == "eos-in-block.jsonl"
    chat.title = "Why? / Who: " + "x" * 90
    assert desk.controller.suggested_name(chat, "csv") == ("Why-Who-" + "x" * 90)[:60] + ".csv"
    chat.title = "?!"
    assert desk.controller.suggested_name(chat, "chrome") == "reply.json"
