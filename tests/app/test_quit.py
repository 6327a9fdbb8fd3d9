"""Quitting, however it comes, keeps what was typed and shown up to that moment."""

import asyncio

import pytest
from PySide6.QtWidgets import QMessageBox

from app.arguments import parse_arguments
from app.controllers.keeping import Keeper
from app.main.session import Session
from app.models.chats import Chats
from app.settings import Settings
from app.storage import NoStore, Store
from tests.fakes.scripted_worker import ScriptedWorker, saying


def kept(folder):
    """The chats on disk, each with what was said in it."""
    problems = []
    store = Store.open(folder, problems.append)
    chats = Chats()
    keeper = Keeper(store, chats)
    keeper.restore()
    found = [chat for chat in chats.items if chat is not chats.current]
    for chat in found:
        keeper.load(chat)
    assert keeper.close()
    assert problems == []
    return found


def session_in(loop, folder, worker, settings=None):
    problems = []
    store = Store.open(folder, problems.append)
    arguments = parse_arguments(["--theme", "light", "--data-dir", str(folder)], Settings())
    session = Session(arguments, settings or Settings(), worker, store)
    session.window.show()

    async def bring_back():
        session.bring_back()

    loop.run_until_complete(bring_back())
    return session


def test_what_was_typed_a_moment_ago_is_kept(loop, tmp_path):
    session = session_in(loop, tmp_path, ScriptedWorker())
    session.window.composer.edit.insertPlainText("half a thou")
    loop.run_until_complete(session.close())
    (chat,) = kept(tmp_path)
    assert chat.draft.text == "half a thou"


def test_a_reply_in_the_middle_is_kept_as_far_as_it_was_shown(loop, tmp_path):
    session = session_in(loop, tmp_path, ScriptedWorker(saying("word " * 50_000), pace=0.002))
    run = loop.run_until_complete
    run(session.controller.load("demo"))

    async def ask_and_quit():
        session.controller.send("go")
        reply = session.chats.current.last_reply
        while len(reply.pieces) < 20:
            await asyncio.sleep(0.005)
        shown = reply.text
        await session.close()
        return shown

    shown = run(ask_and_quit())
    (chat,) = kept(tmp_path)
    assert chat.exchanges[0].prompt == "go"
    assert chat.exchanges[0].reply.text.startswith(shown)
    # Nobody stopped it: it says that the program ended.
    assert chat.exchanges[0].reply.stop is None


def test_the_same_chat_is_open_again(loop, tmp_path):
    session = session_in(loop, tmp_path, ScriptedWorker())
    run = loop.run_until_complete
    run(session.controller.load("demo"))
    first = session.chats.current
    run(session.controller.answer(first, first.ask("first")))
    second = session.chats.new()
    run(session.controller.answer(second, second.ask("second")))
    session.controller.open_chat(first)
    number = first.id
    run(session.close())
    again = session_in(loop, tmp_path, ScriptedWorker(), Settings(chat=number))
    assert again.chats.current.title == "first"
    run(again.close())


class FullDisk(NoStore):
    """Takes everything, and gets nothing onto the disk."""

    def __init__(self, path):
        super().__init__("")
        self.notices, self.path = (), path

    def flush(self, timeout):
        return False


@pytest.mark.parametrize("answer", ["Quit anyway", "Cancel"])
def test_closing_on_what_is_not_saved_asks_first(loop, tmp_path, answer):
    arguments = parse_arguments(["--theme", "light"], Settings())
    session = Session(arguments, Settings(), ScriptedWorker(), FullDisk(tmp_path / "chats.db"))
    closed = []
    session.window.closed.connect(lambda: closed.append(True))
    session.window.show()
    session.window.composer.edit.insertPlainText("half a thou")
    assert not session.window.close()
    assert closed == []
    (box,) = session.window.findChildren(QMessageBox)
    assert "could not be saved" in box.informativeText()
    next(each for each in box.buttons() if each.text().replace("&", "") == answer).click()
    assert closed == ([True] if answer == "Quit anyway" else [])
    loop.run_until_complete(session.close())
