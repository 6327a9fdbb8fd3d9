"""A long chat comes back with its end first; whatever is done meanwhile, it ends up as one chat."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.controllers.filling import FEW
from app.controllers.keeping import Keeper
from app.controllers.kept_tree import Tree
from app.models.chats import Chats
from app.models.context_meter import context_use
from app.models.conversation import Conversation
from app.models.porting.told import told_of
from app.models.question import Question
from app.storage import ChatRecord, MessageRecord, RunRecord, Segment, StorageError, Store

CHAT = 7
NUM_TURNS = 300


def message(number: int, parent: int | None, text: str = "", choice: int | None = None):
    role = "assistant" if number % 2 else "user"
    segments = (Segment("text", text or f"{role} {number}"),)
    return MessageRecord(number, CHAT, parent, role, float(number), "demo", choice, segments)


def straight(num_turns: int = NUM_TURNS) -> list[MessageRecord]:
    """One question after the other; even numbers are questions."""
    last = 1_000 + 2 * num_turns - 1
    return [
        message(n, n - 1 if n > 1_000 else None, choice=n + 1 if n < last else None)
        for n in range(1_000, last + 1)
    ]


class Room:
    """Chats over a store, and what the keeper said."""

    def __init__(self, folder: Path) -> None:
        self.problems: list[str | None] = []
        self.said: list[str] = []
        self.store = Store.open(folder, self.problems.append)
        self.chats = Chats()
        self.keeper = Keeper(self.store, self.chats)
        self.keeper.said.connect(self.said.append)
        self.keeper.restore()

    @property
    def chat(self) -> Conversation:
        return next(each for each in self.chats.items if each.id == CHAT)

    def open(self) -> Conversation:
        """Open the chat, as far as its end; no event has come yet that brings more."""
        self.keeper.filling.open(self.chat)
        while not self.chat.exchanges:
            self.keeper.filling._advance(self.chat)
        return self.chat

    def finish(self) -> Conversation:
        """Let all of it come."""
        while not self.chat.is_loaded:
            QApplication.processEvents()
        return self.chat


@pytest.fixture
def rooms(qapp, tmp_path) -> Callable[..., Room]:
    made: list[Room] = []

    def enter(messages: list[MessageRecord] | None = None, choice: int | None = None) -> Room:
        while made:
            assert made.pop().keeper.close(5.0)
        if messages is not None:
            store = Store.open(tmp_path / "data", lambda _problem: None)
            values = True, 1.0, 1.0, False, False, None, None, "demo", {}, "", (), choice
            store.save_chat(ChatRecord(CHAT, "Long", *values))
            for each in messages:
                store.save_message(each)
                if each.role == "assistant":
                    store.save_run(RunRecord(each.id, 0, 1, "eos", None, None, {}))
            assert store.flush(20.0)
            store.close()
        made.append(Room(tmp_path / "data"))
        return made[-1]

    yield enter
    for room in made:
        room.keeper.close(5.0)


def ids(chat: Conversation) -> list[tuple[int, str]]:
    """What is shown."""
    return [(each.id, each.reply.text) for each in chat.exchanges]


def tree(chat: Conversation) -> list[object]:
    """All of it, and what is chosen."""
    return [
        (
            each.id, each.prompt, each.parent.id if each.parent is not None else None,
            each.siblings.index, each.variants.index, [v.reply.text for v in each.variants],
        )
        for each in chat.every_exchange()
    ]  # fmt: skip


def branching(seed: int) -> list[MessageRecord]:
    """A long chat with edits and further answers anywhere, and any of them chosen."""
    chance, messages = random.Random(seed), straight(60)
    number = messages[-1].id + 1
    for _ in range(40):
        other = chance.choice(messages)
        messages.append(message(number, other.parent) if not other.id % 2 else other)
        if messages[-1] is other:
            messages.pop()
            number += 1
            messages.append(message(number, other.parent))
        number += 1
    below: dict[int | None, list[int]] = {}
    for each in messages:
        below.setdefault(each.parent, []).append(each.id)
    choices = {each.id: [None, *below.get(each.id, [])] for each in messages}
    # Nearly always the long way on.
    return [
        replace(m, choice=chance.choice(choices[m.id])) if chance.random() < 0.1 else m
        for m in messages
    ]


def test_the_end_is_there_first_and_the_rest_follows(rooms) -> None:
    chat = rooms(straight()).chat
    room = rooms()
    chat = room.open()
    shown = list(chat.exchanges)
    assert 0 < len(shown) < NUM_TURNS
    assert shown[-1].reply.text == f"assistant {1_000 + 2 * NUM_TURNS - 1}"
    assert not chat.is_loaded
    assert chat.choice is None
    room.finish()
    assert len(chat.exchanges) == NUM_TURNS
    assert chat.exchanges[-len(shown) :] == shown
    assert chat.choice == 1_000
    assert room.said == []


def test_a_short_chat_is_there_at_once(rooms) -> None:
    room = rooms(straight(FEW))
    room.keeper.filling.open(room.chat)
    assert room.chat.is_loaded
    assert len(room.chat.exchanges) == FEW


@pytest.mark.parametrize("seed", range(6))
def test_in_two_parts_it_is_the_same_chat_as_at_once(rooms, seed: int) -> None:
    room = rooms(branching(seed))
    room.keeper.load(room.chat)
    at_once = ids(room.chat), tree(room.chat)
    room = rooms()
    room.keeper.filling.open(room.chat)
    room.finish()
    assert (ids(room.chat), tree(room.chat)) == at_once


def test_versions_at_the_end_are_counted_before_the_rest_is_there(rooms) -> None:
    messages = straight()
    last = messages[-1].id
    messages += [message(last + 1, messages[-3].id), message(last + 4, messages[-2].id)]
    chat = rooms(messages).open()
    shown = chat.exchanges[-1]
    assert (len(shown.siblings), shown.siblings.index) == (2, 0)
    assert (len(shown.variants), shown.variants.index) == (2, 0)
    assert not chat.is_loaded


def test_what_is_done_at_the_end_meanwhile_stays(rooms) -> None:
    room = rooms(straight())
    chat = room.open()
    chat.edit(chat.exchanges[0], Question("edited"))
    asked = chat.ask("one more")
    room.keeper.write()
    assert room.store.flush(5.0)
    room.finish()
    assert [each.prompt for each in chat.exchanges][-2:] == ["edited", "one more"]
    assert chat.exchanges[-1] is asked
    assert chat.exchanges[0].id == 1_000
    assert len(chat.exchanges[-2].siblings) == 2
    before = ids(chat), tree(chat)
    room = rooms()
    room.open()
    assert (ids(room.finish()), tree(room.chat)) == before


def test_what_is_removed_meanwhile_is_gone_and_can_be_put_back(rooms) -> None:
    room = rooms(straight())
    chat = room.open()
    removed = chat.remove(chat.exchanges[-1])
    chat.put_back(removed)
    chat.remove(chat.exchanges[-2])
    room.finish()
    assert len(chat.exchanges) == NUM_TURNS - 2
    room = rooms()
    room.open()
    assert len(room.finish().exchanges) == NUM_TURNS - 2


def test_what_is_asked_below_nothing_belongs_below_what_comes(rooms) -> None:
    room = rooms(straight())
    chat = room.open()
    num_shown = len(chat.exchanges)
    chat.remove(chat.exchanges[0])
    asked = chat.ask("instead")
    assert chat.is_loaded
    assert len(chat.exchanges) == NUM_TURNS - num_shown + 1
    assert asked.parent is not None
    assert chat.title == "Long"


def test_who_needs_all_of_it_gets_all_of_it(rooms) -> None:
    room = rooms(straight())
    chat = room.open()
    room.keeper.load(chat)
    assert len(told_of(chat).messages) == 2 * NUM_TURNS


def test_who_needs_all_of_it_can_have_it_in_slices(rooms) -> None:
    room = rooms(straight())
    assert len(list(room.keeper.filling.finishing(room.chat))) > 3
    assert len(told_of(room.chat).messages) == 2 * NUM_TURNS


def test_the_context_in_use_is_known_from_the_end(rooms) -> None:
    """Where the last reply was counted; else it is made out of what is there."""
    room = rooms(straight())
    chat = room.open()
    few = context_use(chat, 100_000).used
    assert 0 < few < context_use(room.finish(), 100_000).used


def test_what_cannot_be_read_is_said_and_tried_again(rooms, monkeypatch) -> None:
    room = rooms(straight())
    chat = room.open()
    with monkeypatch.context() as patch:

        def refuse(*_values: object) -> None:
            raise StorageError("Chats cannot be read: the disk is away.")

        patch.setattr(room.store, "part", refuse)
        while not room.said:
            QApplication.processEvents()
        assert room.said == ["Chats cannot be read: the disk is away."]
        assert chat.exchanges
        assert not chat.is_loaded
    shown = list(chat.exchanges)
    room.keeper.filling.open(chat)
    room.finish()
    assert chat.exchanges[-len(shown) :] == shown
    chat.ask("heard once")
    assert len(room.keeper._waiting.news[chat].exchanges) == 2


def test_a_chat_that_is_deleted_meanwhile_comes_no_further(rooms) -> None:
    room = rooms(straight())
    chat = room.open()
    room.chats.remove(chat)
    for _ in range(20):
        QApplication.processEvents()
    assert room.said == []
    assert len(rooms().chats.items) == 1


def test_the_one_that_was_opened_last_comes_first(rooms, monkeypatch) -> None:
    room = rooms(straight())
    part, read = room.store.part, list[int]()

    def noted(chat: int, *more):
        read.append(chat)
        return part(chat, *more)

    monkeypatch.setattr(room.store, "part", noted)
    monkeypatch.setattr("app.controllers.filling._FIRST_SECONDS", 0.0)
    other = Conversation(room.chats, id=8)
    other.is_loaded, other.num_stored = False, FEW + 1
    for chat in (room.chat, other):
        room.keeper.filling.open(chat)
    assert read == []
    room.finish()
    assert read[0] == 8
    assert read[-1] == CHAT
    assert other.is_loaded
    assert len(room.chat.exchanges) == NUM_TURNS


def test_where_the_file_is_gone_the_end_is_kept_as_a_chat(rooms) -> None:
    room = rooms(straight())
    chat = room.open()
    shown = ids(chat)
    room.keeper.note_everything()
    assert chat.is_loaded
    assert ids(chat) == shown
    assert all(each.parent is None for each in chat.roots)


def test_an_answer_that_is_here_takes_the_place_of_the_one_on_disk() -> None:
    messages = straight(3)
    whole = Tree(None)
    list(whole.growing(list(messages), {}))
    joint = next(iter(whole.roots)).variant
    fresh = Tree(None, joint)
    joint.exchange = None
    list(fresh.growing(list(messages), {}))
    assert fresh.is_joined
    assert next(iter(fresh.roots)).variant is joint
    assert len(joint.followers) == 1
