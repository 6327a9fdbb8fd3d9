"""What the controller of the side bar does to chats and folders."""

import time

import pytest
from PySide6.QtCore import QObject

from app.controllers.finding import Finder
from app.controllers.organise import Organiser
from app.models.chat_settings import ChatSettings
from app.models.chats import Chats
from app.models.conversation import Conversation
from app.models.duplicate import duplicated
from app.models.grouping import HIDDEN, Place
from app.models.question import Question
from app.models.reply import Piece, Reply
from app.models.search_hit import SearchHit
from app.storage import Hit
from tests.app.sidebar.conftest import DAY, from_trace, stored


class Room:
    """Chats and their organiser, with what it said."""

    def __init__(self, root):
        self.chats = Chats(root)
        self.loaded, self.offers, self.said, self.added = [], [], [], []
        self.organiser = Organiser(self.chats, self.loaded.append, root)
        self.organiser.undoable.connect(self.offers.append)
        self.organiser.said.connect(self.said.append)
        self.organiser.folder_added.connect(self.added.append)

    def add(self, title, days_ago=0.0, **facts):
        chat = stored(title, days_ago, **facts)
        self.chats.take(chat)
        return chat


@pytest.fixture
def room(qapp):
    root = QObject()
    yield Room(root)
    root.deleteLater()


def test_trash_offers_undo_and_opens_the_chat_below(room):
    old, late, shown = room.add("old", 3), room.add("late", 1), room.add("shown", 2)
    archived = room.add("archived", 0, is_archived=True)
    room.chats.open(shown)
    room.chats.remove(room.chats.items[-1])
    room.organiser.trash((shown,))
    assert shown.trashed == pytest.approx(time.time(), abs=5)
    assert room.chats.current is old
    assert room.loaded == [old]
    assert room.offers == ["Moved to Trash"]
    room.organiser.undo()
    assert shown.trashed is None
    assert room.chats.current is shown
    room.organiser.trash((old, late))
    assert room.offers[-1] == "2 moved to Trash"
    assert room.chats.current is shown
    room.organiser.undo()
    room.organiser.undo()
    assert (old.trashed, late.trashed, archived.trashed) == (None, None, None)


def test_at_the_bottom_the_chat_above_is_opened(room):
    upper, lower = room.add("upper", 1), room.add("lower", 2)
    room.chats.open(lower)
    room.organiser.trash((lower,))
    assert room.chats.current is upper
    room.organiser.trash((upper,))
    assert room.chats.current.is_empty
    assert room.chats.current.trashed is None


def test_nothing_in_a_folded_group_is_opened_by_itself(room):
    folder = room.chats.add_folder("Work")
    pinned = room.add("pinned", 0, is_pinned=True)
    inside = room.add("inside", 0, folder=folder.id)
    below, lowest = room.add("below", 2), room.add("lowest", 300)
    room.organiser.set_folded({Place("folder", folder.id), *HIDDEN})
    room.chats.open(pinned)
    room.organiser.trash((pinned, lowest))
    assert room.chats.current is below
    room.organiser.trash((below,))
    assert room.chats.current.is_empty
    room.chats.open(inside)
    room.organiser.undo()
    room.chats.open(inside)
    room.organiser.trash((inside,))
    assert room.chats.current is below


def test_a_chat_that_is_deleted_out_of_the_trash_leaves_the_one_that_changed_last(room):
    old, late = room.add("old", 9), room.add("late", 1)
    gone = room.add("gone", 2, trashed=1.0)
    room.chats.open(gone)
    room.organiser.delete((gone,))
    assert room.chats.current is late
    assert old in room.chats.items


def test_trashing_everything_leaves_a_new_chat(room):
    chats = [room.add("one"), room.add("two")]
    room.chats.open(chats[0])
    room.organiser.trash(tuple(room.chats.items))
    assert room.chats.current.is_empty
    assert room.chats.current.trashed is None
    assert [chat.trashed is not None for chat in chats] == [True, True]
    before = room.chats.current
    room.organiser.trash((before,))
    assert room.chats.current is before
    assert before in room.chats.items
    assert before.trashed is None


def test_delete_is_for_ever_but_not_of_a_chat_that_is_answered(room):
    gone, busy = room.add("gone", trashed=1.0), room.add("busy", trashed=1.0)
    exchange = busy.ask("a question")
    removed = []
    room.chats.removed.connect(removed.append)
    room.organiser.set_running(exchange)
    room.organiser.empty_trash()
    assert removed == [gone]
    assert busy in room.chats.items
    assert room.said == ["“busy” is being answered: stop the reply, then delete the chat."]
    room.organiser.set_running(None)
    room.organiser.empty_trash()
    assert removed == [gone, busy]


def test_deleting_the_open_chat_opens_another_with_its_messages(room):
    other, shown = room.add("other"), room.add("shown", trashed=1.0)
    room.chats.open(shown)
    room.organiser.delete((shown,))
    assert room.chats.current is other or room.chats.current.is_empty
    assert room.loaded == [room.chats.current]
    assert shown not in room.chats.items


def test_what_was_deleted_cannot_be_undone(room):
    chat = room.add("gone")
    room.organiser.trash((chat,))
    room.organiser.delete((chat,))
    room.organiser.undo()
    assert chat not in room.chats.items


def test_purge_removes_what_was_in_the_trash_for_thirty_days(room):
    now = time.time()
    old = room.add("old", trashed=now - 30 * DAY - 5)
    young = room.add("young", trashed=now - 30 * DAY + 5)
    kept = room.add("kept", 400)
    assert room.organiser.purge(now) == 1
    assert old not in room.chats.items
    assert young in room.chats.items
    assert kept in room.chats.items


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (Place("pinned"), (True, False, False, True)),
        (Place("archived"), (True, True, False, True)),
        (Place("today"), (False, False, False, False)),
        (Place("year", 2024), (False, False, False, False)),
        (Place("traces"), (True, True, True, True)),
    ],
)
def test_a_drop_puts_a_chat_into_the_group(room, place, expected):
    folder = room.chats.add_folder("Work")
    chat = room.add("one", is_pinned=True, is_archived=True, trashed=5.0, folder=folder.id)
    room.organiser.place((chat,), place)
    pinned, archived, trashed, in_folder = expected
    if place.kind == "archived":
        assert chat.is_archived
    else:
        assert (chat.is_pinned, chat.is_archived) == (pinned, archived)
    assert (chat.trashed is not None) is trashed
    assert (chat.folder == folder.id) is in_folder


def test_drop_on_a_folder_and_on_the_trash(room):
    folder = room.chats.add_folder("Work")
    chat = room.add("one", is_pinned=True)
    room.organiser.place((chat,), Place("folder", folder.id))
    assert (chat.folder, chat.is_pinned) == (folder.id, False)
    room.organiser.place((chat,), Place("trash"))
    assert chat.trashed is not None


def test_folders_are_made_named_ordered_and_deleted_with_undo(room):
    chat = room.add("one")
    room.organiser.add_folder((chat,))
    (folder,) = room.added
    assert chat.folder == folder.id
    room.organiser.rename_folder(folder, "  My \n work ")
    assert folder.name == "My work"
    room.organiser.rename_folder(folder, "   ")
    assert folder.name == "My work"
    second, third = room.chats.add_folder("second"), room.chats.add_folder("third")

    def order():
        return [each.name for each in sorted(room.chats.folders, key=lambda one: one.position)]

    room.organiser.move_folder(third, folder)
    assert order() == ["third", "My work", "second"]
    room.organiser.move_folder(third, None)
    assert order() == ["My work", "second", "third"]
    room.organiser.move_folder(second, second)
    assert order() == ["My work", "second", "third"]
    room.organiser.remove_folder(folder)
    assert chat.folder is None
    assert chat in room.chats.items
    room.organiser.undo()
    assert chat.folder == folder.id
    assert order() == ["My work", "second", "third"]


def test_an_empty_name_goes_back_to_the_first_question(room):
    chat = Conversation()
    room.chats.take(chat)
    chat.ask("What is a draft?")
    room.organiser.rename(chat, "Mine")
    assert (chat.title, chat.is_named) == ("Mine", True)
    assert room.loaded == []
    room.organiser.rename(chat, " ")
    assert (chat.title, chat.is_named) == ("What is a draft?", False)
    assert room.loaded == [chat]


def test_a_trace_is_closed_not_trashed(room):
    trace = from_trace("trace")
    room.chats.take(trace)
    room.organiser.trash((trace,))
    assert trace not in room.chats.items
    assert room.offers == []


def finished(text):
    reply = Reply()
    reply.phase = "finished"
    reply.pieces.append(Piece(text, 0, (), 0))
    return reply


def branching_chat():
    """Two edits of a first question, the earlier one shown; two answers, the first one shown."""
    chat = Conversation()
    first = chat.ask(Question("first"))
    first.reply = finished("one")
    chat.answer_again(first).reply = finished("two")
    follow = chat.ask("follow")
    follow.reply = finished("three")
    edit = chat.edit(first, Question("edited"))
    edit.reply = finished("four")
    chat.choose(first, next(iter(first.variants)))
    last = chat.ask("last")
    last.reply = finished("five")
    chat.settings = ChatSettings(system="Be brief.", first=last.id)
    chat.overrides = {"draft_length": 3}
    return chat


def told(chat):
    return [
        (
            exchange.prompt,
            [variant.reply.text for variant in exchange.variants],
            exchange.reply.text,
        )
        for exchange in chat.every_exchange()
    ]


def test_a_copy_says_the_same_under_new_numbers(qapp):
    chat = branching_chat()
    twin = duplicated(chat, "copy")
    assert told(twin) == told(chat)
    assert [each.prompt for each in twin.exchanges] == ["first", "last"]
    ids = [{each.id for each in one.every_exchange()} for one in (chat, twin)]
    assert not ids[0] & ids[1]
    numbers = [
        [variant.id for each in one.every_exchange() for variant in each.variants]
        for one in (chat, twin)
    ]
    assert not set(numbers[0]) & set(numbers[1])
    for exchange in twin.every_exchange():
        assert exchange in exchange.siblings
        above = exchange.parent.id if exchange.parent is not None else 0
        assert above < exchange.id < min(each.id for each in exchange.variants)
    assert twin.settings == ChatSettings(system="Be brief.", first=twin.exchanges[-1].id)
    assert twin.overrides == {"draft_length": 3}
    assert twin.overrides is not chat.overrides
    twin.ask("only here")
    assert told(twin) != told(chat)


def test_a_running_reply_is_copied_as_far_as_it_is(qapp):
    chat = Conversation()
    reply = chat.ask("question").reply
    reply.phase = "streaming"
    reply.pieces.append(Piece("so far", 0, (), 0))
    copy = duplicated(chat, "copy").last_reply
    reply.pieces.append(Piece(" and on", 2, (), 0))
    assert (copy.text, copy.phase, copy.stop) == ("so far", "finished", "cancelled")
    assert (reply.text, reply.phase) == ("so far and on", "streaming")


def test_duplicate_loads_the_chat_and_opens_the_copy(room):
    chat = branching_chat()
    chat.rename("Mine")
    room.chats.take(chat)
    room.organiser.duplicate(chat)
    assert room.loaded == [chat]
    assert room.chats.current.title == "Mine (copy)"
    assert room.chats.current is not chat


def test_finder_gives_titles_then_messages_and_nothing_of_the_trash(room):
    fresh, other = room.add("draft length", 1), room.add("other", 2)
    trashed = room.add("draft", trashed=1.0)
    hits = [
        Hit(other.id, 5, "old title", "the draft is", ((4, 9),), 0.0),
        Hit(trashed.id, 6, "draft", "draft", (), 0.0),
        Hit(123, 7, "gone", "draft", (), 0.0),
        Hit(fresh.id, None, "draft length", "draft length", ((0, 5),), 0.0),
        Hit(other.id, None, "old title", "old title", (), 0.0),
    ]
    finder = Finder(lambda _query: hits, room.chats)
    assert finder.search("draft") == [
        SearchHit(fresh.id, None, "draft length", "", ((0, 5),)),
        SearchHit(other.id, None, "other", "", ()),
        SearchHit(other.id, 5, "other", "the draft is", ((4, 9),)),
    ]
    assert finder.search("  ") == []
