"""What is on disk is what was said: every change of a chat, brought back by another keeper."""

import asyncio
import sqlite3
import time
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from app.controllers.keeping import Keeper
from app.controllers.records import CUT_OFF
from app.models.chats import Chats
from app.models.conversation import Conversation
from app.models.question import Attachment, Question
from app.models.summary import summary_line
from app.storage import ChatRecord, MessageRecord, StorageError, Store
from app.views.sidebar.chat_words import ChatWords
from engine import (
    Failed,
    GenerationRequest,
    Message,
    Notice,
    Trace,
    parse_trace,
    read_trace,
    replay_trace,
)
from tests.fakes.scripted_worker import reply_events, steps_of, tokens_of

TRACES = Path(__file__).parents[1] / "traces"
TEXT = "def amount(item):\n    return item.price * 2\n"


def recorded(name: str = "local") -> Trace:
    return read_trace(TRACES / f"{name}.jsonl")


def live(chat: Conversation, trace: Trace, upto: int | None = None):
    """Ask, and let the reply live through a recorded run; yields after each event."""
    exchange = chat.ask("count")
    for event in list(replay_trace(trace))[:upto]:
        exchange.reply.apply(event)
        chat.publish(exchange)
        yield exchange


def open_store(folder: Path) -> Store:
    problems: list[str | None] = []
    return Store.open(folder, problems.append)


class Room:
    """Chats with a keeper over a store."""

    def __init__(self, folder: Path) -> None:
        self.store, self.chats = open_store(folder), Chats()
        self.keeper = Keeper(self.store, self.chats)
        self.keeper.restore()

    @property
    def chat(self) -> Conversation:
        return self.chats.current

    def write(self) -> None:
        self.keeper.write()
        assert self.store.flush(5.0)

    def close(self) -> None:
        assert self.keeper.close(5.0)

    def kept(self) -> Conversation:
        """The newest chat that came from disk, with what was said."""
        chat = next(each for each in self.chats.items if each is not self.chats.current)
        self.keeper.load(chat)
        return chat


@pytest.fixture
def rooms(qapp, tmp_path):
    made: list[Room] = []

    def enter() -> Room:
        for room in made:
            room.close()
        made.clear()
        made.append(Room(tmp_path / "data"))
        return made[-1]

    yield enter
    for room in made:
        room.close()


def answer(chat: Conversation, prompt: str, text: str = TEXT, *, upto: int | None = None):
    """Ask, and let the reply grow as a worker's events make it."""
    exchange = chat.ask(prompt)
    request = GenerationRequest(messages=(Message("user", prompt),))
    exchange.reply.request = request
    events = list(reply_events(1, request, steps_of(tokens_of(text))))
    for event in events[:upto]:
        exchange.reply.apply(event)
        chat.publish(exchange)
    return exchange


def test_a_chat_comes_back_as_it_was_left(rooms) -> None:
    room = rooms()
    chat = room.chat
    answer(chat, "first", "<think>Hm.</think>\nYes.")
    answer(chat, "second")
    file = Attachment("a.py", "x = 1", "code", "python")
    chat.edit(chat.exchanges[1], Question("edited", (file,)))
    chat.rename("Mine")
    chat.set_pinned(True)
    folder = room.chats.add_folder("Work")
    chat.set_folder(folder.id)
    chat.overrides["draft_length"] = 5
    chat.set_draft(Question("half a thou", (Attachment("paste", "long text"),)))
    back = rooms().kept()
    assert (back.title, back.is_named, back.is_pinned) == ("Mine", True, True)
    assert back.folder == folder.id
    assert back.overrides == {"draft_length": 5}
    assert back.draft == chat.draft
    assert [each.prompt for each in back.exchanges] == [each.prompt for each in chat.exchanges]
    assert back.exchanges[1].question == chat.exchanges[1].question
    assert back.exchanges[0].reply.text == "<think>Hm.</think>\nYes."
    assert back.exchanges[0].reply.answer == "Yes."
    edits = [each.prompt for each in back.exchanges[1].siblings]
    assert edits == ["second", chat.exchanges[1].prompt]


def test_the_chosen_branch_is_the_one_that_comes_back(rooms) -> None:
    room = rooms()
    chat = room.chat
    first = answer(chat, "first", "one")
    answer(chat, "below", "two")
    room.write()
    chat.answer_again(first)
    chat.choose(first, next(iter(first.variants)))
    back = rooms().kept()
    assert [each.prompt for each in back.exchanges] == ["first", "below"]
    assert len(back.exchanges[0].variants) == 2


def test_the_side_bar_counts_what_is_shown_before_a_chat_is_opened(rooms) -> None:
    """One question with two answers, and one that was edited, are still two turns."""
    room = rooms()
    chat = room.chat
    first = answer(chat, "first", "one")
    room.write()
    chat.answer_again(first).reply.phase = "finished"
    answer(chat, "second")
    answer(chat, "third")
    chat.edit(chat.exchanges[1], Question("edited"))
    room.write()
    shown = rooms()
    unopened = next(each for each in shown.chats.items if not each.is_loaded)
    words = ChatWords(shown.chats)
    before = words.facts(unopened, time.time())
    shown.keeper.load(unopened)
    assert before == words.facts(unopened, time.time())
    assert "2 turns" in before


def test_the_tokens_of_a_reply_come_back_from_its_trace(rooms) -> None:
    loop = asyncio.new_event_loop()
    room = rooms()
    *_, lived = live(room.chat, recorded())
    whole = lived.reply
    stats, origins = whole.final, [record.origins for record in whole.log]
    back_room = rooms()
    back = back_room.kept()
    exchange = back.exchanges[0]
    assert exchange.variant.is_stored
    assert exchange.reply.final == stats
    assert exchange.reply.started is None
    assert loop.run_until_complete(back_room.keeper.bring_back(back, exchange, exchange.variant))
    loop.close()
    reply = exchange.reply
    assert reply.text == whole.text
    assert [record.origins for record in reply.log] == origins
    assert reply.final == stats
    assert reply.request is None


def test_a_reply_that_was_cut_off_comes_back_as_far_as_it_was_shown(rooms) -> None:
    """As after a kill: what grew was written twice a second, and no end was."""
    loop = asyncio.new_event_loop()
    room = rooms()
    exchange = None
    for number, exchange in enumerate(live(room.chat, recorded(), upto=9)):  # noqa: B007
        if number % 3 == 0:
            room.write()
    shown = exchange.reply.text
    back_room = rooms()
    back = back_room.kept()
    found = back.exchanges[0]
    assert found.reply.text == shown
    assert (found.reply.stop, found.reply.notices) == (None, [CUT_OFF])
    assert found.reply.can_go_on
    assert summary_line(found.reply).endswith(" · cut off")
    assert loop.run_until_complete(back_room.keeper.bring_back(back, found, found.variant))
    loop.close()
    assert found.reply.text == shown
    assert len(found.reply.log) == len(exchange.reply.log)
    assert found.reply.is_over


def test_that_nobody_stopped_it_is_told_at_every_later_start(rooms) -> None:
    loop = asyncio.new_event_loop()
    for exchange in live(rooms().chat, recorded(), upto=9):  # noqa: B007
        pass
    figures = exchange.reply.statistics
    for _ in range(3):
        room = rooms()
        chat = room.kept()
        found = chat.exchanges[0]
        loop.run_until_complete(room.keeper.bring_back(chat, found, found.variant))
        assert found.reply.started is not None
        assert (found.reply.stop, found.reply.notices.count(CUT_OFF)) == (None, 1)
        assert found.reply.can_go_on
        assert summary_line(found.reply).endswith(" · cut off")
        assert found.reply.final == figures
    loop.close()


@pytest.mark.parametrize("is_failed", [False, True])
def test_a_trace_that_was_cut_short_leaves_the_figures_as_they_were(rooms, is_failed) -> None:
    loop = asyncio.new_event_loop()
    room = rooms()
    *_, lived = live(room.chat, recorded())
    if is_failed:
        lived.reply.phase, lived.reply.failure = "failed", Failed(1, "It broke.")
        lived.reply.stop = None
    stats, stop, text = lived.reply.final, lived.reply.stop, lived.reply.text
    line = summary_line(lived.reply)
    room.write()
    place = lived.variant.id, 0
    data = room.store.trace(*place)
    room.store.forget_trace(*place)
    room.store.add_trace(*place, 0, lambda: b"".join(data.splitlines(keepends=True)[:3]))
    for _ in range(2):
        room = rooms()
        chat = room.kept()
        found = chat.exchanges[0]
        assert loop.run_until_complete(room.keeper.bring_back(chat, found, found.variant))
        assert 0 < len(found.reply.log) < stats.steps
        assert found.reply.text == text
        assert (found.reply.final, found.reply.stop) == (stats, stop)
        assert summary_line(found.reply) == line
    loop.close()


def test_the_stored_trace_is_the_one_that_would_be_saved(rooms) -> None:
    room = rooms()
    for number, exchange in enumerate(live(room.chat, recorded("multibyte"))):
        if number == 7:
            exchange.reply.apply(Notice(1, "Something was said."))
        if number % 5 == 0:
            room.write()
    room.write()
    data = room.store.trace(exchange.variant.id, 0)
    assert data is not None
    trace = parse_trace(data)
    assert trace.warning is None
    assert trace.steps == tuple(exchange.reply.log)
    assert trace.finished == exchange.reply.finished
    assert [aside.sentence for _, aside in trace.asides if isinstance(aside, Notice)] == [
        "Something was said."
    ]


def test_what_is_removed_stays_until_it_can_no_longer_be_put_back(rooms) -> None:
    room = rooms()
    chat = room.chat
    answer(chat, "first", "one")
    answer(chat, "second", "two")
    room.write()
    removed = chat.remove(chat.exchanges[1])
    room.write()
    chat.put_back(removed)
    back_room = rooms()
    back = back_room.kept()
    assert [each.prompt for each in back.exchanges] == ["first", "second"]
    back.remove(back.exchanges[1])
    assert [each.prompt for each in rooms().kept().exchanges] == ["first"]


@pytest.mark.parametrize(
    "change",
    [
        lambda chat: chat.set_pinned(True),
        lambda chat: chat.set_archived(True),
        lambda chat: chat.set_trashed(1.0),
        lambda chat: chat.set_folder(None),
        lambda chat: chat.set_draft(Question()),
    ],
)
def test_a_chat_that_is_put_elsewhere_without_being_opened_stays_whole(rooms, change) -> None:
    room = rooms()
    answer(room.chat, "first", "one")
    answer(room.chat, "second", "two")
    unopened = next(each for each in rooms().chats.items if not each.is_loaded)
    assert unopened.num_stored == 2
    change(unopened)
    unopened.facts_changed.emit()
    rooms()
    back = rooms().kept()
    assert [each.reply.text for each in back.exchanges] == ["one", "two"]


def test_a_chat_with_a_draft_alone_comes_back(rooms) -> None:
    rooms().chat.set_draft(Question("half a thou"))
    assert rooms().kept().draft.text == "half a thou"


def test_an_empty_chat_is_not_kept(rooms) -> None:
    rooms()
    assert len(rooms().chats.items) == 1


def test_a_chat_that_was_removed_is_gone(rooms) -> None:
    room = rooms()
    answer(room.chat, "first", "one")
    room.write()
    room.chats.remove(room.chat)
    assert len(rooms().chats.items) == 1


def test_chats_come_back_in_helpings_and_are_told_of_once(rooms, monkeypatch) -> None:
    monkeypatch.setattr("app.controllers.kept_chats._TAKEN_AT_ONCE", 2)
    monkeypatch.setattr("app.controllers.kept_chats._MADE_AT_ONCE", 2)
    room = rooms()
    room.chats.add_folder("Work")
    for number in range(7):
        answer(room.chat if not number else room.chats.new(), f"question {number}", "yes")
    titles = [chat.title for chat in room.chats.items]
    room.write()
    chats, told = Chats(), list[int]()
    chats.folders_changed.connect(lambda: told.append(len(chats.items)))
    keeper = Keeper(room.store, chats)
    assert len(list(keeper.restoring())) >= 7
    assert [chat.title for chat in chats.items[1:]] == titles
    assert told == [8]
    assert [folder.name for folder in chats.folders] == ["Work"]


def test_chats_that_cannot_be_read_are_one_sentence(rooms, monkeypatch) -> None:
    room = rooms()

    def refuse() -> list[ChatRecord]:
        raise StorageError("Chats cannot be read: the disk is away.")

    monkeypatch.setattr(room.store, "chats", refuse)
    said: list[str] = []
    room.keeper.said.connect(said.append)
    room.keeper.restore()
    assert said == ["Chats cannot be read: the disk is away."]
    assert len(room.chats.items) == 1


def test_what_is_written_at_a_beat_is_on_disk_whole_or_not_at_all(rooms, monkeypatch) -> None:
    """So a kill in the middle of an import leaves no half of a chat."""
    room = rooms()
    for number in range(6):
        answer(room.chat if not number else room.chats.new(), f"question {number}", "yes")
    save, seen = room.store.save_said, list[int]()

    def slowly(*records: Any) -> None:
        save(*records)
        time.sleep(0.03)
        with closing(sqlite3.connect(room.store.path)) as database:
            seen.append(database.execute("SELECT count(*) FROM messages").fetchone()[0])

    monkeypatch.setattr(room.store, "save_said", slowly)
    room.write()
    assert set(seen) == {0}
    assert len(seen) == 6


def test_a_long_chat_that_comes_in_is_written_in_slices_and_whole(rooms, monkeypatch) -> None:
    room = rooms()
    monkeypatch.setattr("app.controllers.keeping._TURN_SECONDS", 1.5)
    live, long = room.chat, Conversation()
    for number in range(400):
        answer(long, f"question {number}", "yes")
    save, saved = room.store.save_said, list[tuple[int, int]]()

    def seen(record: ChatRecord, messages: list[MessageRecord], runs: Any) -> None:
        saved.append((record.id, len(messages)))
        save(record, messages, runs)

    monkeypatch.setattr(room.store, "save_said", seen)
    # One step in each turn.
    clock = count()
    monkeypatch.setattr("app.controllers.waiting.perf_counter", lambda: next(clock))
    room.chats.take(long)
    turns = 0
    room.keeper._on_beat()
    while room.keeper._soon.isActive():
        turns += 1
        if turns == 2:
            # What is said meanwhile is on disk before it.
            answer(live, "meanwhile", "yes")
            room.keeper._on_beat()
        if turns == 3:
            answer(long, "one more", "yes")
            room.keeper._on_beat()
        room.keeper._go_on()
    assert turns > 10
    assert [id for id, _ in saved] == [live.id, long.id]
    assert saved[1][1] >= 800
    room.write()
    with closing(sqlite3.connect(room.store.path)) as database:
        query = "SELECT count(*) FROM messages WHERE chat = ?"
        assert database.execute(query, (long.id,)).fetchone()[0] == 802
    assert not room.keeper._beat.isActive()
