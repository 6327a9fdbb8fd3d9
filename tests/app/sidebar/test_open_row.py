"""Which rows the side bar has, and which one is strong: the open chat's, whatever is selected."""

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.main.commanding import neighbour
from app.models.model_state import ModelState
from app.models.question import Question
from app.views.sidebar.foot import SidebarFoot
from engine import Loaded
from tests.fakes.scripted_worker import INFO


def ground(bench, chat):
    """The colour behind a row, at its left where no words are."""
    view = bench.bar.list.viewport()
    at = bench.bar.list.visualRect(bench.index(chat))
    return view.grab().toImage().pixelColor(at.left() + 6, at.center().y())


def strong(bench, *chats):
    selected = QColor(bench.theme.palette.selected)
    return [chat.title for chat in chats if ground(bench, chat) == selected]


def test_an_empty_chat_shows_only_while_it_is_open(bench):
    chat, empty = bench.add("one"), bench.chats.current
    assert bench.shown == ["New chat", "[Today]", "one"]
    bench.click(chat)
    bench.settle()
    assert bench.shown == ["[Today]", "one"]
    assert empty in bench.chats.items
    bench.chats.new()
    bench.settle()
    assert bench.chats.current is empty
    assert bench.shown == ["New chat", "[Today]", "one"]


def test_a_draft_that_is_handed_in_after_leaving_shows(bench):
    chat, other = bench.chats.current, bench.add("other")
    # The window does so: it has the last word of a draft when another chat is open already.
    bench.chats.current_changed.connect(lambda _chat: chat.set_draft(Question("half a thought")))
    bench.click(other)
    bench.until(lambda: "New chat" in bench.shown)
    assert bench.shown == ["[Today]", "other", "New chat"]


def test_the_open_chat_is_the_strong_row_whatever_is_selected(bench):
    opened, other, third = bench.add("a"), bench.add("b", 1e-6), bench.add("c", 2e-6)
    bench.click(opened)
    assert strong(bench, opened, other, third) == ["a"]
    bench.bar.list.setFocus()
    bench.key(Qt.Key.Key_Down)
    assert bench.bar.list.chosen == (other,)
    assert strong(bench, opened, other, third) == ["a"]
    bench.bar.list.select((other, third))
    assert strong(bench, opened, other, third) == ["a"]
    assert ground(bench, other) == QColor(bench.theme.palette.hover)
    bench.bar.list.select((other,))
    assert ground(bench, other) not in (
        QColor(bench.theme.palette.hover),
        QColor(bench.theme.palette.selected),
    )


def test_pinning_or_renaming_another_chat_leaves_the_open_one_strong(bench):
    opened, other = bench.add("a"), bench.add("b", 1e-6)
    bench.click(opened)
    bench.organiser.pin((other,), True)
    bench.settle()
    assert strong(bench, opened, other) == ["a"]
    bench.bar.list.setFocus()
    bench.bar.list.rename(other)
    (editor,) = bench.bar.list.findChildren(QLineEdit)
    QTest.keyClicks(editor, "renamed")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    bench.settle()
    assert other.title == "renamed"
    assert strong(bench, opened, other) == ["a"]


def test_the_cursor_is_framed_only_while_the_list_has_the_focus(bench):
    opened, other = bench.add("a"), bench.add("b", 1e-6)
    bench.click(opened)
    bench.bar.list.setFocus()
    flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
    bench.bar.list.selectionModel().setCurrentIndex(bench.index(other), flag)

    def is_framed():
        view, at = bench.bar.list.viewport(), bench.bar.list.visualRect(bench.index(other))
        picture = view.grab().toImage()
        edge = [picture.pixelColor(at.left() + x, at.center().y()) for x in range(4)]
        return any(color.blue() - color.red() > 100 for color in edge)

    assert is_framed()
    bench.bar.focus_search()
    assert not is_framed()


def test_an_unread_chat_is_read_by_opening_it(bench):
    opened, other = bench.add("a"), bench.add("b", 1e-6)
    bench.click(opened)
    bench.bar.note_answer(other)
    assert other in bench.bar.list.rows.unread
    bench.click(other)
    assert other not in bench.bar.list.rows.unread
    assert strong(bench, opened, other) == ["b"]


def test_after_the_trash_the_row_below_is_open(bench):
    chats = [bench.add(name, n / 1e6) for n, name in enumerate("abc")]
    bench.click(chats[1])
    bench.organiser.trash((chats[1],))
    bench.settle()
    assert bench.chats.current is chats[2]
    assert strong(bench, chats[0], chats[2]) == ["c"]
    assert bench.shown == ["[Today]", "a", "c", "[Trash]"]


def test_what_loading_is_at_fits_into_the_foot(qtbot, qapp):
    model = ModelState()
    foot = SidebarFoot(model)
    foot.setStyleSheet("* { font-size: 12px; }")
    qtbot.addWidget(foot)
    foot.resize(232, 80)
    foot.show()
    model.begin("demo")
    stages = ("starting the engine", "reading the tokenizer", "comparing blocks with single tokens")
    for stage in stages:
        model.doing = stage
        model.changed.emit()
        assert "…" not in foot.model_facts.text()
    assert foot.model_facts.text() == "Checking how exact it is"
    model.doing = "something that takes far more words than there is room for here"
    model.changed.emit()
    assert foot.model_facts.toolTip() == foot.model_facts.accessibleName()
    assert foot.model_facts.toolTip().startswith("Something that takes")


def test_the_foot_says_where_the_model_runs(qtbot):
    model = ModelState()
    foot = SidebarFoot(model)
    qtbot.addWidget(foot)
    model.apply(Loaded(1, INFO))
    assert foot.model_facts.accessibleName().endswith("-bit · CPU")


def test_going_to_the_next_chat_passes_over_empty_ones(bench):
    upper, lower = bench.add("upper", 1), bench.add("lower", 2)
    empty = bench.chats.current
    bench.chats.open(upper)
    assert empty not in bench.chats.shown
    assert neighbour(bench.chats, -1) is None
    assert neighbour(bench.chats, 1) is lower
