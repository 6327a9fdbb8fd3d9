"""What stays as it was while the side bar takes over what has changed, and what that asks for."""

import sys

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.models.grouping import Place
from app.views.sidebar.chat_list import ChatList

NEWEST = 1e10


@pytest.fixture
def layouts(monkeypatch):
    """Says how often the list was laid out: a side bar made later counts."""
    told = []

    def lay_out(self):
        told.append(self.rows.rowCount())
        super(ChatList, self).doItemsLayout()

    monkeypatch.setattr(ChatList, "doItemsLayout", lay_out, raising=False)
    return told


def many(bench, num=60):
    return [bench.add(f"chat {n}", n / 10) for n in range(num)]


def test_a_layout_asks_python_twice_a_row_and_no_more(bench):
    many(bench, 200)
    rows, calls = bench.bar.list.rows, []

    def note(frame, event, _argument):
        if event == "call":
            calls.append(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        bench.bar.list.doItemsLayout()
    finally:
        sys.setprofile(None)
    assert len(calls) >= rows.rowCount()
    assert len(calls) <= 2 * rows.rowCount() + 20


def test_the_open_chat_goes_to_the_top_and_all_is_laid_out_once(layouts, request):
    bench = request.getfixturevalue("bench")
    chats = many(bench)
    bench.click(chats[10])
    bar = bench.bar.list.verticalScrollBar()
    bar.setValue(900)
    layouts.clear()
    chats[10].changed = NEWEST
    bench.bar.list.regroup()
    QTest.qWait(5)
    assert len(layouts) == 1
    assert bench.shown[:2] == ["[Today]", "chat 10"]
    assert bench.bar.list.currentIndex() == bench.index(chats[10])
    assert bench.bar.list.chosen == (chats[10],)
    assert bar.value() == 900


def test_rows_that_come_and_go_at_both_ends_leave_the_view_where_it_was(bench):
    chats = many(bench)
    bench.bar.list.select((chats[20], chats[30]))
    flag = QItemSelectionModel.SelectionFlag.NoUpdate
    bench.bar.list.selectionModel().setCurrentIndex(bench.index(chats[30]), flag)
    bar = bench.bar.list.verticalScrollBar()
    bar.setValue(700)
    bench.add("new above", -1e-3)
    bench.add("new below", 50)
    chats[59].set_trashed(1e12)
    chats[0].set_pinned(True)
    bench.settle()
    assert bench.shown[:3] == ["New chat", "[Pinned]", "chat 0"]
    assert bench.shown[-2:] == ["new below", "[Trash]"]
    assert bench.bar.list.chosen == (chats[20], chats[30])
    assert bench.bar.list.currentIndex() == bench.index(chats[30])
    assert bar.value() == 700


def test_keys_still_scroll_to_where_they_lead(bench):
    chats = many(bench)
    bench.click(chats[0])
    chats[50].set_pinned(True)
    bench.settle()
    bench.bar.list.setFocus()
    bench.key(Qt.Key.Key_End)
    index = bench.bar.list.currentIndex()
    assert index == bench.index(chats[59])
    assert bench.bar.list.viewport().rect().contains(bench.bar.list.visualRect(index).center())


def test_a_name_is_typed_on_while_chats_come_in(bench):
    chats = many(bench, 30)
    bench.bar.list.rename(chats[3])
    (editor,) = bench.bar.list.findChildren(QLineEdit)
    QTest.keyClicks(editor, "half")
    for number in range(20):
        bench.add_unseen(f"taken in {number}")
        QTest.qWait(1)
    QTest.keyClicks(editor, " a name")
    assert editor.text() == "half a name"
    assert "taken in 0" not in bench.shown
    QTest.keyClick(editor, Qt.Key.Key_Return)
    bench.until(lambda: "taken in 19" in bench.shown)
    assert chats[3].title == "half a name"
    assert bench.bar.list.rows.row(bench.index(chats[3])) is chats[3]


def test_a_drag_goes_on_while_chats_come_in(bench):
    folder = bench.chats.add_folder("Work")
    chat, other = bench.add("one"), bench.add("other", 1e-6)
    bench.drag(chat, bench.at(other), drops=False)
    for number in range(5):
        bench.add(f"taken in {number}", -1e-3)
    assert bench.bar.list.drag.is_on
    assert bench.bar.list.drag.dragged.chats == (chat,)
    to = bench.at(Place("folder", folder.id))
    view = bench.bar.list.viewport()
    bench.move(to - QPoint(0, 2))
    bench.move(to)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, to)
    bench.settle()
    assert chat.folder == folder.id


def test_a_heading_of_another_count_and_the_trash_note_are_as_high_as_they_were(bench):
    bench.add("gone", trashed=1e12)
    bench.bar.show_place(Place("trash"))
    rows, view = bench.bar.list.rows, bench.bar.list
    heights = [view.visualRect(rows.index(n, 0)).height() for n in range(rows.rowCount())]
    assert bench.shown == ["New chat", "[Trash]", "…", "gone"]
    assert heights == [46, 30, 38, 46]
