"""Chats dragged to groups, folders dragged to an order."""

from PySide6.QtCore import QPoint, Qt

from app.models.grouping import Place
from tests.app.sidebar.conftest import from_trace


def test_a_chat_goes_into_a_folder_and_out_of_it(bench):
    folder = bench.chats.add_folder("Work")
    chat = bench.add("one")
    bench.drag(chat, bench.at(Place("folder", folder.id)))
    assert chat.folder == folder.id
    assert bench.shown == ["New chat", "[Work]", "one"]
    assert bench.chosen == []
    other = bench.add("other")
    bench.drag(chat, bench.at(other))
    assert chat.folder is None


def test_several_go_together_to_pinned(bench):
    bench.add("pinned", is_pinned=True)
    chats = [bench.add(name, n / 1e6) for n, name in enumerate(("a", "b", "c"))]
    bench.click(chats[0])
    bench.click(chats[1], Qt.KeyboardModifier.ControlModifier)
    bench.drag(chats[1], bench.at(Place("pinned")))
    assert [chat.is_pinned for chat in chats] == [True, True, False]


def test_a_chat_can_be_dropped_on_the_trash_and_fetched_from_it(bench):
    chat = bench.add("one")
    bench.add("gone", trashed=1e12)
    bench.drag(chat, bench.at(Place("trash")))
    assert chat.trashed is not None
    assert bench.bar.undo_bar.isVisible()
    bench.add("here")
    bench.bar.show_place(Place("trash"))
    bench.drag(chat, bench.at(Place("today")))
    assert chat.trashed is None


def test_a_click_on_one_of_several_selects_it_alone(bench):
    chats = [bench.add(name, n / 1e6) for n, name in enumerate(("a", "b"))]
    bench.click(chats[0])
    bench.click(chats[1], Qt.KeyboardModifier.ControlModifier)
    bench.click(chats[1])
    assert bench.bar.list.chosen == (chats[1],)
    assert bench.chosen == [chats[0], chats[1]]


def test_escape_ends_a_drag_and_nothing_moves(bench):
    folder = bench.chats.add_folder("Work")
    chat = bench.add("one")
    to = bench.at(Place("folder", folder.id))
    bench.drag(chat, to, drops=False)
    assert bench.bar.list.drag.is_on
    assert bench.bar.list.painter.target == Place("folder", folder.id)
    bench.bar.list.grab()
    bench.key(Qt.Key.Key_Escape)
    assert not bench.bar.list.drag.is_on
    assert bench.bar.list.painter.target is None
    bench.drag(bench.chats.current, to, drops=False)
    bench.key(Qt.Key.Key_Escape)
    assert chat.folder is None


def test_a_trace_stays_where_it_is(bench):
    trace, chat = from_trace("trace"), bench.add("one")
    bench.chats.take(trace)
    bench.settle()
    bench.drag(trace, bench.at(chat), drops=False)
    assert not bench.bar.list.drag.is_on
    bench.drag(chat, bench.at(trace))
    assert "one" in bench.shown
    assert chat.folder is None


def test_folders_are_ordered_by_dragging(bench):
    a, b, c = (bench.chats.add_folder(name) for name in "ABC")
    inside = bench.add("inside", folder=c.id)
    places = {folder.name: Place("folder", folder.id) for folder in (a, b, c)}
    bench.drag(places["C"], bench.at(places["A"]) - QPoint(0, 8))
    assert bench.shown == ["New chat", "[C]", "inside", "[A]", "[B]"]
    bench.drag(places["C"], bench.at(places["B"]) + QPoint(0, 60), drops=False)
    assert bench.bar.list.target.line is not None
    bench.bar.list.grab()
    bench.key(Qt.Key.Key_Escape)
    bench.drag(places["C"], bench.at(places["B"]) + QPoint(0, 60))
    assert bench.shown == ["New chat", "[A]", "[B]", "[C]", "inside"]
    assert inside.folder == c.id
