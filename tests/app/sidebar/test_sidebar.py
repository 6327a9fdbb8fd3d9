"""The side bar as a person works it: the list, its keys, its menus, undo, the search."""

import random
import time

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QColor, QShortcut
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit, QMessageBox, QScrollBar, QWidget

from app.models.grouping import Place
from app.models.question import Question
from app.storage import Hit
from app.views.sidebar.undo_bar import SHOWN_MS
from tests.app.sidebar.conftest import from_trace

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def entries(menu):
    """The words of a menu, without keys."""
    return [action.text().split("\t")[0] for action in menu.actions() if action.text()]


def pick(menu, words):
    """Trigger what has these words, in the menu or one below it."""
    for action in menu.actions():
        if action.menu() is not None:
            pick(action.menu(), words)
        elif action.text().split("\t")[0] == words:
            action.trigger()


def editor(bench):
    (found,) = bench.bar.list.findChildren(QLineEdit)
    return found


def question_box(bench):
    (found,) = bench.bar.findChildren(QMessageBox)
    return found


def test_groups_fold_and_archive_and_trash_are_folded_at_first(bench):
    bench.add("one")
    bench.add("older", 3)
    bench.add("kept", is_archived=True)
    bench.add("gone", trashed=1e12)
    shown = ["New chat", "[Today]", "one", "[Previous 7 days]", "older", "[Archived]", "[Trash]"]
    assert bench.shown == shown
    folds = []
    bench.bar.intents.folded_changed.connect(folds.append)
    bench.click(Place("today"))
    assert "one" not in bench.shown
    bench.click(Place("trash"))
    assert bench.shown[-2:] == ["…", "gone"]
    assert folds[-1] == {Place("archived"), Place("today")}
    bench.click(Place("today"))
    assert "one" in bench.shown


def test_a_click_opens_and_arrows_only_go(bench):
    first, second = bench.add("first"), bench.add("second", 1e-6)
    bench.click(second)
    assert bench.chosen == [second]
    assert bench.bar.list.chosen == (second,)
    bench.bar.list.setFocus()
    bench.key(Qt.Key.Key_Up)
    assert bench.bar.list.chosen == (first,)
    assert bench.chosen == [second]
    bench.key(Qt.Key.Key_Space)
    assert bench.chosen == [second, first]
    bench.key(Qt.Key.Key_Up)
    bench.key(Qt.Key.Key_Left)
    assert "first" not in bench.shown
    bench.key(Qt.Key.Key_Right)
    assert "first" in bench.shown


def test_leaving_the_list_selects_what_is_open_again(bench):
    first, second = bench.add("first"), bench.add("second", 1e-6)
    bench.click(first)
    bench.bar.list.setFocus()
    bench.key(Qt.Key.Key_Down)
    assert bench.bar.list.chosen == (second,)
    bench.bar.focus_search()
    assert bench.bar.list.chosen == (first,)


def test_f2_renames_and_escape_does_not(bench):
    chat = bench.add("old name")
    bench.click(chat)
    bench.bar.list.setFocus()
    bench.key(Qt.Key.Key_F2)
    QTest.keyClicks(editor(bench), "new name")
    QTest.keyClick(editor(bench), Qt.Key.Key_Return)
    bench.settle()
    assert chat.title == "new name"
    bench.key(Qt.Key.Key_F2)
    QTest.keyClicks(bench.bar.list.findChildren(QLineEdit)[-1], "never")
    QTest.keyClick(bench.bar.list.findChildren(QLineEdit)[-1], Qt.Key.Key_Escape)
    bench.settle()
    assert chat.title == "new name"
    assert "new name" in bench.shown


def test_a_name_that_is_being_typed_survives_what_happens_meanwhile(bench):
    chat = bench.add("old name", 2)
    bench.bar.list.rename(chat)
    QTest.keyClicks(editor(bench), "typed")
    chat.changed = 1e10
    chat.set_pinned(True)
    QTest.qWait(5)
    assert editor(bench).text() == "typed"
    QTest.keyClick(editor(bench), Qt.Key.Key_Return)
    bench.until(lambda: "[Pinned]" in bench.shown)
    assert chat.title == "typed"
    assert bench.chosen == []
    assert bench.shown[:3] == ["New chat", "[Pinned]", "typed"]


def test_delete_moves_the_selection_to_the_trash_and_undo_brings_it_back(bench):
    chats = [bench.add(name, n / 1e6) for n, name in enumerate(("a", "b", "c"))]
    bench.click(chats[0])
    bench.click(chats[2], SHIFT)
    assert bench.bar.list.chosen == tuple(chats)
    bench.click(chats[1], CONTROL)
    assert bench.bar.list.chosen == (chats[0], chats[2])
    assert bench.chosen == [chats[0]]
    bench.bar.list.setFocus()
    bench.key(Qt.Key.Key_Delete)
    assert [chat.trashed is not None for chat in chats] == [True, False, True]
    assert bench.bar.undo_bar.isVisible()
    assert bench.bar.undo_bar.words.accessibleName() == "2 moved to Trash"
    QTest.mouseClick(bench.bar.undo_bar.button, Qt.MouseButton.LeftButton)
    assert [chat.trashed for chat in chats] == [None, None, None]
    assert not bench.bar.undo_bar.isVisible()
    assert SHOWN_MS == 10_000


def test_backspace_deletes_with_control_only_and_in_the_list_only(bench):
    chat = bench.add("a")
    bench.click(chat)
    for target in (bench.bar, bench.bar.search.field, bench.bar.new):
        for keys in (Qt.KeyboardModifier.NoModifier, CONTROL):
            QTest.keyClick(target, Qt.Key.Key_Backspace, keys)
        QTest.keyClick(target, Qt.Key.Key_Delete)
    bench.bar.list.setFocus()
    bench.key(Qt.Key.Key_Backspace)
    assert chat.trashed is None
    bench.key(Qt.Key.Key_Backspace, CONTROL)
    assert chat.trashed is not None


def test_in_the_trash_delete_asks_once(bench):
    chat, other = bench.add("gone", trashed=1e12), bench.add("gone too", trashed=1e12)
    bench.bar.show_place(Place("trash"))
    bench.bar.list.select((chat,))
    bench.key(Qt.Key.Key_Delete)
    box = question_box(bench)
    assert box.isVisible()
    assert box.windowModality() == Qt.WindowModality.WindowModal
    assert box.text() == "Delete “gone” for ever?"
    QTest.mouseClick(box.button(QMessageBox.StandardButton.Cancel), Qt.MouseButton.LeftButton)
    bench.until(lambda: not bench.bar.findChildren(QMessageBox))
    assert chat in bench.chats.items
    pick(bench.bar.list.menu_at(bench.index(chat)), "Empty Trash…")
    box = question_box(bench)
    assert box.text() == "Delete the 2 chats in the Trash for ever?"
    (delete,) = (b for b in box.buttons() if b.text() == "Delete")
    QTest.mouseClick(delete, Qt.MouseButton.LeftButton)
    bench.settle()
    assert chat not in bench.chats.items
    assert other not in bench.chats.items
    assert "[Trash]" not in bench.shown


def test_menus_offer_what_fits(bench):
    chat, other = bench.add("a"), bench.add("b")
    gone, trace = bench.add("gone", trashed=1e12), from_trace("t")
    bench.chats.take(trace)
    bench.settle()
    bench.bar.show_place(Place("trash"))
    whole = ["Rename", "Pin", "Archive", "Move to folder", "Duplicate", "Export", "Move to Trash"]
    assert entries(bench.bar.list.menu_at(bench.index(chat))) == whole
    bench.bar.list.select((chat, other, gone))
    of_two = ["Pin", "Archive", "Move to folder", "Move to Trash"]
    assert entries(bench.bar.list.menu_at(bench.index(chat))) == of_two
    of_gone = ["Restore", "Delete for ever…", "Empty Trash…"]
    assert entries(bench.bar.list.menu_at(bench.index(gone))) == of_gone
    assert entries(bench.bar.list.menu_at(bench.index(trace))) == ["Close"]
    assert entries(bench.bar.list.menu_at(bench.index(Place("trash")))) == ["Empty Trash…"]
    assert bench.bar.list.menu_at(bench.index(Place("today"))) is None


def test_the_menu_does_what_it_says(bench):
    chat, exported = bench.add("a"), []
    bench.bar.export_requested.connect(lambda *what: exported.append(what))

    def choose(words):
        pick(bench.bar.list.menu_at(bench.index(chat)), words)
        bench.settle()

    choose("Pin")
    assert chat.is_pinned
    choose("Unpin")
    assert not chat.is_pinned
    choose("Archive")
    assert chat.is_archived
    QTest.mouseClick(bench.bar.undo_bar.button, Qt.MouseButton.LeftButton)
    bench.settle()
    assert not chat.is_archived
    choose("JSON…")
    choose("Markdown…")
    assert exported == [(chat, "json"), (chat, "markdown")]
    choose("Duplicate")
    assert bench.chats.current.title == "a (copy)"
    choose("New folder…")
    (folder,) = bench.chats.folders
    assert chat.folder == folder.id
    QTest.keyClicks(editor(bench), "Work")
    QTest.keyClick(editor(bench), Qt.Key.Key_Return)
    bench.settle()
    assert folder.name == "Work"
    assert bench.shown[:2] == ["[Work]", "a"]
    choose("None")
    assert chat.folder is None
    choose("Work")
    assert chat.folder == folder.id
    choose("Move to Trash")
    assert chat.trashed is not None


def test_folders_can_be_ordered_and_deleted_by_menu(bench):
    names = ("A", "B", "C")
    folders = [bench.chats.add_folder(name) for name in names]
    bench.settle()

    def choose(folder, words):
        pick(bench.bar.list.menu_at(bench.index(Place("folder", folder.id))), words)
        bench.settle()

    choose(folders[0], "Move down")
    assert bench.shown[1:] == ["[B]", "[A]", "[C]"]
    choose(folders[2], "Move up")
    assert bench.shown[1:] == ["[B]", "[C]", "[A]"]
    choose(folders[0], "Move down")
    choose(folders[1], "Delete folder, keep its chats")
    assert bench.shown[1:] == ["[C]", "[A]"]


def test_marks_and_words_for_who_cannot_see(bench):
    chat, other = bench.add("asked"), bench.add("answered")
    exchange = chat.ask("hello")
    chat.is_loaded = True
    bench.bar.set_running(exchange)
    bench.bar.note_answer(other, None)
    role = Qt.ItemDataRole.AccessibleTextRole
    assert bench.index(chat).data(role) == "asked, being answered, 1 turn, now"
    assert bench.index(other).data(role) == "answered, unread, 1 turn, now"
    assert bench.index(Place("today")).data(role) == "Today, 2 chats, unfolded"
    bench.bar.set_running(None)
    bench.click(other)
    assert bench.index(chat).data(role) == "asked, 1 turn, now"
    assert bench.index(other).data(role) == "answered, 1 turn, now"
    bench.bar.note_answer(other, None)
    assert other not in bench.bar.list.rows.unread


def test_a_draft_shows_and_moves_the_chat_out_of_the_empty_place(bench):
    chat = bench.chats.current
    assert bench.shown == ["New chat"]
    chat.set_draft(Question("half a\nthought"))
    bench.until(lambda: "[Today]" in bench.shown)
    assert bench.shown == ["[Today]", "New chat"]
    assert bench.bar.list.rows.words.facts(chat, 0.0) == "Draft: half a thought"


def hits_of(chat):
    return [Hit(chat.id, 77, chat.title, "about lentils and soup", ((6, 13),), 0.0)]


def test_search_shows_titles_at_once_and_messages_a_moment_later(bench):
    soup, other = bench.add("Lentil soup"), bench.add("Other")
    bench.found = hits_of(other)
    bench.bar.focus_search()
    QTest.keyClicks(bench.bar.search.field, "lentil")
    rows = bench.bar.search.results.rows
    assert bench.bar.stack.currentWidget() is bench.bar.search.results
    assert [rows.data(rows.index(n)) for n in range(rows.rowCount())] == ["Chats", soup.title]
    bench.until(lambda: rows.rowCount() == 4)
    found = [rows.data(rows.index(n)) for n in range(rows.rowCount())]
    assert found == ["Chats", "Lentil soup", "Messages", "Other"]


def test_search_by_keyboard(bench):
    soup, other = bench.add("Lentil soup"), bench.add("Other")
    bench.found = hits_of(other)
    chosen = []
    bench.bar.hit_chosen.connect(lambda *what: chosen.append(what))
    field, results = bench.bar.search.field, bench.bar.search.results
    bench.bar.focus_search()
    QTest.keyClicks(field, "len")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert chosen == [(soup, None)]
    QTest.keyClick(field, Qt.Key.Key_Down)
    assert results.hasFocus()
    QTest.keyClick(results, Qt.Key.Key_Down)
    QTest.keyClick(results, Qt.Key.Key_Return)
    assert chosen == [(soup, None), (other, 77)]
    QTest.keyClick(results, Qt.Key.Key_Up)
    QTest.keyClick(results, Qt.Key.Key_Up)
    assert field.hasFocus()
    QTest.keyClick(field, Qt.Key.Key_Down)
    QTest.keyClick(results, Qt.Key.Key_Escape)
    assert field.hasFocus()
    assert field.text() == ""
    assert bench.bar.stack.currentWidget() is bench.bar.list


def test_escape_clears_the_search_before_the_window_hears_it(bench):
    heard = []
    shortcut = QShortcut(Qt.Key.Key_Escape, bench.bar, lambda: heard.append(1))
    field = bench.bar.search.field
    bench.bar.focus_search()
    QTest.keyClicks(field, "x")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert heard == []
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert heard == [1]
    shortcut.deleteLater()


def test_nothing_found_is_said(bench):
    bench.add("one")
    QTest.keyClicks(bench.bar.search.field, "zzz")
    nothing = bench.bar.search.nothing
    bench.until(lambda: bench.bar.stack.currentWidget() is nothing)
    assert bench.bar.stack.currentWidget() is nothing


@pytest.mark.parametrize("query", ["'\"*-", "NEAR(", "😀", "日", "a" * 5_000, "%s{0}\x00"])
def test_any_query_is_harmless(bench, query):
    bench.add("日本 😀 title")
    bench.bar.search.field.setText(query)
    bench.bar.search.field.search_now()
    bench.bar.search.results.grab()
    assert bench.bar.stack.currentIndex() > 0


def test_show_archived_and_trash_from_the_head(bench):
    head = bench.bar.head
    head.menu.aboutToShow.emit()
    assert not head.archived.isEnabled()
    bench.add("kept", is_archived=True)
    head.menu.aboutToShow.emit()
    assert head.archived.isEnabled()
    head.archived.trigger()
    assert bench.shown[-2:] == ["[Archived]", "kept"]


def test_selection_and_scroll_outlive_a_regrouping(bench):
    chats = [bench.add(f"chat {n}", n / 10) for n in range(60)]
    bar = bench.bar.list.verticalScrollBar()
    bench.bar.list.select((chats[30], chats[31]))
    flag = QItemSelectionModel.SelectionFlag.NoUpdate
    bench.bar.list.selectionModel().setCurrentIndex(bench.index(chats[31]), flag)
    bar.setValue(900)
    chats[40].changed = 1e10
    chats[40].set_pinned(True)
    chats[31].set_pinned(True)
    bench.settle()
    assert set(bench.bar.list.chosen) == {chats[30], chats[31]}
    assert bench.bar.list.currentIndex() == bench.index(chats[31])
    assert bar.value() == 900
    assert bench.chosen == []


def test_an_open_chat_does_not_vanish_into_a_folded_group(bench):
    bench.add("older")
    bench.bar.list.fold(Place("today"), True)
    chat = bench.chats.current
    chat.ask("a first question")
    bench.until(lambda: "older" in bench.shown)
    assert bench.shown == ["[Today]", "a first question", "older"]
    bench.bar.list.fold(Place("today"), True)
    assert bench.shown == ["[Today]"]
    chat.rename("named")
    QTest.qWait(20)
    assert bench.shown == ["[Today]"]


def test_an_archived_open_chat_does_not_unfold_the_archive(bench):
    chat = bench.add("one")
    bench.click(chat)
    bench.organiser.archive((chat,), True)
    bench.until(lambda: "one" not in bench.shown)
    assert bench.shown == ["[Archived]"]
    assert bench.chats.current is chat


def test_the_head_asks_for_what_it_says(bench):
    asked = []
    bench.bar.import_requested.connect(lambda: asked.append("import"))
    bench.bar.new_requested.connect(lambda: asked.append("new"))
    pick(bench.bar.head.menu, "Import…")
    bench.bar.new.click()
    assert asked == ["import", "new"]
    pick(bench.bar.head.menu, "New folder")
    QTest.keyClicks(editor(bench), "Work")
    QTest.keyClick(editor(bench), Qt.Key.Key_Return)
    bench.until(lambda: "[Work]" in bench.shown)
    assert bench.shown == ["New chat", "[Work]"]


def test_the_model_is_sound_whatever_happens_to_chats(bench):
    chance = random.Random(7)
    rows = bench.bar.list.rows
    tester = QAbstractItemModelTester(rows, bench.bar)
    folders = [bench.chats.add_folder(name) for name in "AB"]
    chats = [bench.add(f"chat {n}", n * 3) for n in range(25)]
    for _ in range(150):
        chat = chance.choice(chats)
        act = chance.randrange(6)
        if act == 0:
            chat.changed = time.time() - chance.random() * 9e7
        elif act == 1:
            chat.set_pinned(not chat.is_pinned)
        elif act == 2:
            chat.set_folder(chance.choice([None, *(folder.id for folder in folders)]))
        elif act == 3:
            chat.set_trashed(None if chat.trashed else 1e12)
        elif act == 4 and len(chats) > 5:
            chats.remove(chat)
            bench.chats.remove(chat)
        else:
            place = rows.place_at(rows.index(chance.randrange(rows.rowCount()), 0))
            rows.fold(place, place not in rows.folded)
        bench.bar.list.regroup()
        bench.bar.list.grab()
        shown = [name for name in bench.shown if name.startswith("chat")]
        assert len(shown) == len(set(shown))
        for each in chats:
            index = bench.index(each)
            assert not index.isValid() or rows.row(index) is each
    rows.folded.clear()
    bench.bar.list.regroup()
    assert {name for name in bench.shown if name.startswith("chat")} == {c.title for c in chats}
    del tester


def test_tab_goes_from_the_head_to_the_search_to_the_list(bench):
    bench.add("one")
    bench.bar.head.more.setFocus()
    for widget in (bench.bar.new, bench.bar.search.field, bench.bar.list):
        QTest.keyClick(bench.bar.focusWidget(), Qt.Key.Key_Tab)
        assert widget.hasFocus()


def test_every_control_has_a_name(bench):
    bench.bar.offer_undo("Moved to Trash")
    controls = [
        widget
        for widget in bench.bar.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus and not isinstance(widget, QScrollBar)
    ]
    assert len(controls) >= 6
    unnamed = [
        widget
        for widget in controls
        if not (widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text()))
    ]
    assert unnamed == []


def test_return_renames_where_the_system_has_it_so(bench, monkeypatch):
    chat = bench.add("old name")
    bench.bar.list.select((chat,))
    flag = QItemSelectionModel.SelectionFlag.NoUpdate
    bench.bar.list.selectionModel().setCurrentIndex(bench.index(chat), flag)
    monkeypatch.setattr("app.views.sidebar.chat_list._RENAMES_ON_RETURN", True)
    bench.key(Qt.Key.Key_Return)
    assert bench.chosen == []
    QTest.keyClicks(editor(bench), "new name")
    QTest.keyClick(editor(bench), Qt.Key.Key_Return)
    bench.until(lambda: chat.title == "new name")
    assert chat.title == "new name"
    bench.until(lambda: not bench.bar.list.is_editing)
    bench.key(Qt.Key.Key_Space)
    assert bench.chosen == [chat]


def test_the_undo_bar_goes_by_itself(bench):
    bench.bar.undo_bar._timer.setInterval(20)
    bench.bar.offer_undo("Archived")
    assert bench.bar.undo_bar.isVisible()
    bench.until(lambda: not bench.bar.undo_bar.isVisible())
    assert not bench.bar.undo_bar.isVisible()


def test_marks_stay_in_place_over_breaks_and_beyond_the_plane(bench):
    other = bench.add("Other")
    text = "😀 one\ntwo\u2028three lentil " + "x" * 300
    start = text.index("lentil")
    bench.found = [Hit(other.id, 77, "", text, ((start, start + 6),), 0.0)]
    bench.bar.search.field.setText("lentil")
    bench.bar.search.field.search_now()
    rows = bench.bar.search.results.rows
    row = rows.row(rows.index(1))
    assert row.snippet[slice(*row.ranges[0])] == "lentil"
    picture = bench.bar.search.results.grab().toImage()
    mark = QColor(bench.theme.palette.selection).rgb()
    assert any(
        picture.pixel(x, y) == mark
        for x in range(0, picture.width(), 2)
        for y in range(min(picture.height(), 110))
    )


def test_the_open_chat_is_renamed_from_outside_even_if_it_is_out_of_sight(bench):
    chat = bench.add("one")
    bench.click(chat)
    bench.bar.list.fold(Place("today"), True)
    bench.bar.search.field.setText("zzz")
    bench.bar.rename_chat(chat)
    QTest.keyClicks(editor(bench), "two")
    QTest.keyClick(editor(bench), Qt.Key.Key_Return)
    bench.until(lambda: chat.title == "two")
    assert "two" in bench.shown
