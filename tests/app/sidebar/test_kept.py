"""The side bar's controllers over a real store: what they do is on disk, and found there."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject

from app.controllers.failures import FailureReporter
from app.controllers.finding import Finder
from app.controllers.keeping import Keeper
from app.controllers.organise import Organiser
from app.controllers.porting import PortingController
from app.models.chats import Chats
from app.models.reply import Piece
from app.storage import Store
from tests.app.habits.chatgpt_export import sorting


class Kept:
    """One run of the app on a folder, without a window."""

    def __init__(self, folder: Path) -> None:
        self.root = QObject()
        self.store = Store.open(folder, lambda _sentence: None)
        self.chats = Chats(self.root)
        self.keeper = Keeper(self.store, self.chats, self.root)
        self.organiser = Organiser(self.chats, self.keeper.load, self.root)
        self.finder = Finder(self.store.search, self.chats)
        self.keeper.restore()

    def ask(self, prompt: str, answer: str) -> object:
        chat = self.chats.new()
        reply = chat.ask(prompt).reply
        reply.phase, reply.stop = "finished", "eos"
        reply.pieces.append(Piece(answer, 0, (), 0))
        return chat

    def write(self) -> None:
        self.keeper.write()
        assert self.store.flush(10.0)

    def close(self) -> None:
        self.keeper.close(10.0)
        self.root.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def runs(qapp, tmp_path) -> Iterator[list[Kept]]:
    runs = [Kept(tmp_path)]
    yield runs
    runs[-1].close()


def again(runs: list[Kept], folder: Path) -> Kept:
    """Close, and start anew on the same folder."""
    runs[-1].close()
    runs.append(Kept(folder))
    return runs[-1]


def named(kept: Kept, title: str):
    (chat,) = (chat for chat in kept.chats.items if chat.title == title)
    return chat


def test_places_and_folders_outlive_a_restart(runs, tmp_path):
    kept = runs[0]
    chat = kept.ask("a question about lentils", "boil them")
    kept.organiser.add_folder((chat,))
    kept.organiser.rename_folder(kept.chats.folders[0], "Kitchen")
    kept.organiser.rename(chat, "Soup")
    other = kept.ask("another", "answer")
    kept.organiser.pin((other,), True)
    kept = again(runs, tmp_path)
    chat, (folder,) = named(kept, "Soup"), kept.chats.folders
    assert (folder.name, chat.folder) == ("Kitchen", folder.id)
    assert named(kept, "another").is_pinned
    kept.organiser.remove_folder(folder)
    kept.organiser.undo()
    kept = again(runs, tmp_path)
    assert [each.name for each in kept.chats.folders] == ["Kitchen"]
    assert named(kept, "Soup").folder == kept.chats.folders[0].id


def test_messages_are_found_but_not_in_the_trash(runs):
    kept = runs[0]
    chat = kept.ask("a question", "an answer about lentils")
    kept.write()
    (hit,) = kept.finder.search("lentil")
    assert (hit.chat, hit.message) == (chat.id, chat.exchanges[0].variant.id)
    assert [hit.snippet[start:end].lower() for start, end in hit.ranges] == ["lentil"]
    kept.organiser.trash((chat,))
    assert kept.finder.search("lentil") == []
    kept.write()
    assert kept.finder.search("lentil") == []
    kept.organiser.undo()
    kept.write()
    assert len(kept.finder.search("lentil")) == 1


def test_deleted_for_ever_is_gone_from_disk(runs, tmp_path):
    kept = runs[0]
    chat = kept.ask("a question", "an answer about lentils")
    kept.organiser.trash((chat,))
    kept.write()
    kept.organiser.empty_trash()
    kept.write()
    assert kept.store.chats() == []
    kept = again(runs, tmp_path)
    assert [chat.title for chat in kept.chats.items] == ["New chat"]


def test_a_chat_from_disk_is_copied_with_its_texts(runs, tmp_path):
    runs[0].ask("a question", "an answer about lentils")
    kept = again(runs, tmp_path)
    kept.organiser.duplicate(named(kept, "a question"))
    assert kept.chats.current.title == "a question (copy)"
    kept = again(runs, tmp_path)
    copy = named(kept, "a question (copy)")
    kept.keeper.load(copy)
    assert [(each.prompt, each.reply.text) for each in copy.exchanges] == [
        ("a question", "an answer about lentils")
    ]
    kept.organiser.delete((named(kept, "a question"),))
    kept = again(runs, tmp_path)
    copy = named(kept, "a question (copy)")
    kept.keeper.load(copy)
    assert copy.exchanges[0].reply.text == "an answer about lentils"


def test_what_was_long_in_the_trash_is_gone_at_the_next_start(runs, tmp_path):
    kept = runs[0]
    chat = kept.ask("a question", "an answer")
    kept.organiser.trash((chat,))
    chat.set_trashed(1e9)
    kept = again(runs, tmp_path)
    assert kept.organiser.purge() == 1
    kept.write()
    assert kept.store.chats() == []


def test_an_import_is_known_again_after_a_restart(runs, tmp_path):
    path = tmp_path / "chats.json"
    path.write_text(json.dumps([sorting()]))

    def take_in(kept: Kept) -> list[str]:
        said: list[str] = []
        porting = PortingController(
            kept.chats, FailureReporter(kept.root), kept.keeper.filling.finishing, kept.root
        )
        porting.said.connect(said.append)
        asyncio.run(porting.take_in(path))
        return said[-1:]

    assert take_in(runs[0]) == ["Imported “Sorting”."]
    runs[0].write()
    kept = again(runs, tmp_path)
    assert not named(kept, "Sorting").is_loaded
    assert take_in(kept) == ["“Sorting” was here already."]
