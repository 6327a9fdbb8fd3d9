"""A long chat in the whole window: what needs all of it has all of it, and nothing waits for it."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.arguments import parse_arguments
from app.main.session import Session
from app.models.conversation import Conversation
from app.models.question import Question
from app.settings import Settings
from app.storage import ChatRecord, MessageRecord, Segment, StorageError, Store
from tests.fakes.scripted_worker import ScriptedWorker

NUM_TURNS = 300
CHAT = 7


class Desk:
    """A session over a store with a long chat and a short one."""

    def __init__(self, loop, folder: Path) -> None:
        self.loop, self.worker = loop, ScriptedWorker()
        store = Store.open(folder, lambda _problem: None)
        for chat, num, changed in ((CHAT, NUM_TURNS, 1.0), (CHAT + 1, 1, 2.0)):
            values = True, changed, changed, False, False, None, None, "demo", {}, "", (), None
            store.save_chat(ChatRecord(chat, f"Chat {chat}", *values))
            for n in range(2 * num):
                number = chat * 10_000 + n
                store.save_message(
                    MessageRecord(
                        number, chat, number - 1 if n else None, "assistant" if n % 2 else "user",
                        float(n), "demo", None, (Segment("text", f"said {n}"),),
                    )
                )  # fmt: skip
        assert store.flush(20.0)
        arguments = parse_arguments(["--data-dir", str(folder)], Settings())
        self.session = Session(arguments, Settings(), self.worker, store)
        self.session.window.show()
        self.controller = self.session.controller
        self.do(self.session.bring_back)
        loop.run_until_complete(self.controller.load("demo"))

    @property
    def chat(self) -> Conversation:
        return next(each for each in self.session.chats.items if each.id == CHAT)

    @property
    def view(self):
        return self.session.window.conversation

    def do(self, act: Callable[[], object]) -> None:
        async def acting() -> None:
            act()

        self.loop.run_until_complete(acting())

    def open(self) -> Conversation:
        """The chat, with its end alone; the rest comes when it is asked for."""

        def opening() -> None:
            self.controller.open_chat(self.chat)
            filling = self.session.keeper.filling
            filling._turn.stop()
            while not self.chat.exchanges:
                filling._advance(self.chat)

        self.do(opening)
        assert not self.chat.is_loaded
        return self.chat

    def until(self, is_true: Callable[[], object]) -> None:
        async def waiting() -> None:
            while not is_true():
                await asyncio.sleep(0)

        self.loop.run_until_complete(waiting())


@pytest.fixture
def desk(loop, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(loop, tmp_path / "data")
    yield made
    loop.run_until_complete(made.session.close())


def test_what_is_asked_is_sent_with_all_that_was_said_before(desk) -> None:
    chat = desk.open()
    desk.do(lambda: desk.controller.send("And now?"))
    assert desk.controller.is_busy
    desk.until(lambda: chat.exchanges[-1].reply.is_over)
    messages = desk.worker.requests[-1].messages
    assert [each.content for each in messages[:2]] == ["said 0", "said 1"]
    assert len(messages) == 2 * NUM_TURNS + 1


def test_what_cannot_be_sent_whole_is_not_sent(desk, monkeypatch) -> None:
    chat = desk.open()

    def refuse(*_values: object) -> None:
        raise StorageError("Chats cannot be read: the disk is away.")

    monkeypatch.setattr(desk.session.store, "part", refuse)
    desk.do(lambda: desk.controller.send("And now?"))
    desk.until(lambda: chat.exchanges[-1].reply.is_over)
    failure = chat.exchanges[-1].reply.failure
    assert failure is not None
    assert "cannot be read" in failure.sentence
    assert desk.worker.requests == []
    assert not desk.controller.is_busy


def test_turns_are_left_out_by_what_all_of_the_chat_takes(desk) -> None:
    chat = desk.open()
    desk.do(lambda: desk.session.turns.leave_out(Question("And now?")))
    assert chat.is_loaded
    assert chat.settings.first is not None
    desk.until(lambda: chat.exchanges[-1].reply.is_over)


def test_a_place_that_a_search_found_is_shown_wherever_it_is(desk) -> None:
    desk.do(lambda: desk.session.window.sidebar.hit_chosen.emit(desk.chat, CHAT * 10_000 + 4))
    desk.until(lambda: desk.chat.is_loaded)
    sought = desk.chat.exchanges[2]
    desk.until(lambda: desk.view.stretch.turn_of(sought) is not None)
    assert desk.session.chats.current is desk.chat


def test_an_export_while_it_comes_has_all_of_it(desk, tmp_path: Path) -> None:
    chat = desk.open()
    path = tmp_path / "chat.md"
    desk.loop.run_until_complete(desk.session.porting.export([chat], "markdown", path))
    text = path.read_text(encoding="utf-8")
    assert "said 0\n" in text
    assert f"said {2 * NUM_TURNS - 1}\n" in text


def test_a_copy_that_is_made_while_it_comes_has_all_of_it(desk) -> None:
    chat = desk.open()
    desk.do(lambda: desk.session.organiser.duplicate(chat))
    assert len(desk.session.chats.current.exchanges) == NUM_TURNS


def test_the_inspector_shows_the_last_reply_throughout(desk) -> None:
    chat = desk.open()
    assert desk.session.inspection.reply is chat.last_reply
    desk.session.keeper.filling.open(chat)
    desk.until(lambda: chat.is_loaded)
    assert desk.session.inspection.reply is chat.last_reply
