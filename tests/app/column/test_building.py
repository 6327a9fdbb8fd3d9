"""A long chat: only a stretch of it is built, and what is read does not move."""

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from shiboken6 import Shiboken

from app.models.conversation import Conversation
from app.models.reply import Piece
from app.views.column.stretch import MOST, READY
from tests.app.column.conftest import Desk
from tests.app.trace_replies import said


def test_a_long_chat_opens_at_its_end_with_a_few_turns(make_column):
    desk = make_column()
    exchanges = desk.fill(300)
    desk.view.show_chat(desk.chat)
    assert 0 < len(desk.turns) < READY
    desk.show()
    desk.settle()
    assert desk.turns[-1].exchange is exchanges[-1]
    assert READY <= len(desk.turns) < 2 * READY
    assert desk.bar.value() == desk.bar.maximum()


def test_scrolling_up_builds_more_and_moves_nothing(make_column):
    desk = make_column()
    exchanges = desk.fill(60)
    desk.open()
    for _ in range(40):
        before = desk.view.stretch.first
        desk.bar.setValue(max(desk.bar.value() - 500, 0))
        shown = next(turn for turn in desk.turns if desk.is_on_screen(turn))
        top = desk.top_of(shown)
        desk.settle()
        assert desk.top_of(shown) == top
        if not before:
            break
    assert desk.turns[0].exchange is exchanges[0]
    assert len(desk.turns) <= MOST + 1


def test_what_is_far_is_let_go_and_comes_back(make_column):
    desk = make_column()
    exchanges = desk.fill(150)
    desk.open()
    for _ in range(120):
        if not desk.view.stretch.first:
            break
        desk.bar.setValue(0)
        desk.settle()
    assert desk.turns[0].exchange is exchanges[0]
    assert len(desk.turns) < 80
    assert not desk.view.stretch.has_end
    assert desk.view.floating.to_end.isVisible()
    desk.view.floating.to_end.click()
    desk.settle()
    assert desk.turns[-1].exchange is exchanges[-1]
    assert desk.bar.value() == desk.bar.maximum()
    assert not desk.view.floating.to_end.isVisible()


@pytest.mark.parametrize("number", [0, 1, 77, 298, 299])
def test_revealing_builds_only_what_is_around(make_column, number):
    desk = make_column()
    exchanges = desk.fill(300)
    desk.open()
    desk.view.show_exchange(exchanges[number])
    desk.settle()
    turn = desk.view.stretch.turn_of(exchanges[number])
    assert desk.is_on_screen(turn)
    assert len(desk.turns) <= 2 * READY
    order = [exchanges.index(turn.exchange) for turn in desk.turns]
    assert order == list(range(order[0], order[-1] + 1))
    tops = [desk.top_of(turn) for turn in desk.turns]
    assert tops == sorted(tops)


def test_a_growing_end_yields_to_the_reader(make_column):
    desk = make_column()
    desk.fill(8)
    exchange = desk.chat.ask("more")
    desk.open()
    exchange.reply.phase = "streaming"

    def grow(count):
        for _ in range(count):
            exchange.reply.pieces.append(Piece("Line of text.\n\n", 0, (), 0))
        desk.chat.publish(exchange)
        desk.settle()

    grow(20)
    assert desk.bar.value() == desk.bar.maximum()
    assert not desk.view.floating.to_end.isVisible()
    desk.bar.setValue(desk.bar.maximum() - 600)
    desk.settle()
    value = desk.bar.value()
    grow(20)
    assert desk.bar.value() == value
    assert desk.view.floating.to_end.isVisible()
    desk.view.floating.to_end.click()
    grow(20)
    assert desk.bar.value() == desk.bar.maximum()
    exchange.reply.phase = "finished"
    desk.chat.publish(exchange)


@pytest.mark.parametrize("number", [-1, 2])
def test_a_reply_that_goes_on_is_shown_where_it_grows_once(make_column, number):
    desk = make_column()
    exchange = desk.fill(8)[number]
    for n in range(60):
        exchange.reply.pieces.append(Piece(f"Line {n} of text.\n\n", 0, (), 0))
    desk.chat.publish(exchange)
    desk.open()
    desk.view.show_exchange(exchange)
    desk.settle()
    row = desk.view.stretch.turn_of(exchange).reply.row
    assert not desk.is_on_screen(row)
    exchange.reply.reopen()
    desk.chat.publish(exchange)
    desk.settle()
    assert desk.is_on_screen(row)
    assert (desk.bar.value() == desk.bar.maximum()) is (number == -1)
    desk.view.show_exchange(exchange)
    exchange.reply.pieces.append(Piece("More.", 0, (), 0))
    desk.chat.publish(exchange)
    desk.settle()
    assert not desk.is_on_screen(row)
    exchange.reply.phase = "finished"
    desk.chat.publish(exchange)
    desk.settle()
    assert not desk.is_on_screen(row)


def test_asking_from_far_above_goes_to_the_end(make_column):
    desk = make_column()
    desk.fill(100)
    desk.open()
    desk.view.show_exchange(desk.chat.exchanges[0])
    desk.settle()
    fresh = desk.say("and now?", "this")
    desk.settle()
    assert desk.turns[-1].exchange is fresh
    assert desk.bar.value() == desk.bar.maximum()


def test_another_path_keeps_what_is_above_it(make_column):
    desk = make_column()
    exchanges = desk.fill(6)
    desk.open()
    kept = [desk.view.stretch.turn_of(each) for each in exchanges[:3]]
    fresh = desk.chat.edit(exchanges[3], exchanges[3].question)
    desk.settle()
    assert [turn.exchange for turn in desk.turns] == [*exchanges[:3], fresh]
    assert desk.turns[:3] == kept
    desk.chat.choose(exchanges[3])
    desk.settle()
    assert [turn.exchange for turn in desk.turns] == exchanges


def test_another_answer_shows_in_the_same_turn(make_column):
    desk = make_column()
    exchanges = desk.fill(3)
    desk.open()
    turn = desk.turns[1]
    first = exchanges[1].variant
    second = desk.chat.answer_again(exchanges[1])
    second.reply.phase = "finished"
    second.reply.pieces.append(Piece("quite another", 0, (), 0))
    desk.chat.publish(exchanges[1])
    desk.settle()
    assert [each.exchange for each in desk.turns] == exchanges[:2]
    assert desk.turns[1] is turn
    assert turn.reply.body.prose.source == "quite another"
    desk.chat.choose(exchanges[1], first)
    desk.settle()
    assert [each.exchange for each in desk.turns] == exchanges
    assert turn.reply.body.prose.source.startswith("answer 1")


def test_a_chat_of_nothing_shows_the_examples(make_column):
    desk = make_column()
    desk.open()
    assert desk.view.empty.isVisible()
    assert len(desk.view.empty.buttons) == 3
    desk.say("hello", "hi")
    assert not desk.view.empty.isVisible()
    desk.chat.remove(desk.chat.exchanges[0])
    desk.settle()
    assert desk.view.empty.isVisible()
    assert desk.turns == []


def test_tab_goes_down_the_screen_although_earlier_turns_are_built_later(make_column, qapp):
    desk = make_column()
    desk.fill(10)
    desk.open()
    desk.activateWindow()
    first = desk.turns[0].question.copy
    first.setFocus(Qt.FocusReason.TabFocusReason)
    qapp.processEvents()
    seen = []
    for _ in range(120):
        focus = qapp.focusWidget()
        at = next((n for n, t in enumerate(desk.turns) if t.isAncestorOf(focus)), None)
        if at is None or (at == 0 and 9 in seen):
            break
        seen.append(at)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
        qapp.processEvents()
    assert seen == sorted(seen)
    assert set(seen) == set(range(10))
    text = desk.turns[5].bubble.body
    text.setFocus()
    QTest.keyClick(text, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert desk.turns[4].isAncestorOf(qapp.focusWidget())


def test_one_helping_is_built_in_a_turn_of_the_event_loop(make_column, monkeypatch):
    monkeypatch.setattr("app.views.column.stretch._HELPING_SECONDS", 0.0)
    desk = make_column()
    exchanges = desk.fill(60)
    desk.open()
    desk.view.show_exchange(exchanges[0])
    assert len(desk.turns) == 1
    for _ in range(200):
        before = len(desk.turns)
        desk.view._growth._grow()
        assert len(desk.turns) <= before + 1
        if desk.view._growth.is_settled:
            break
    desk.settle()
    assert len(desk.turns) > 1
    assert desk.is_on_screen(desk.view.stretch.turn_of(exchanges[0]))


def test_a_turn_is_never_deleted_and_built_at_once_and_all_that_left_are_deleted(make_column):
    desk = make_column()
    desk.fill(60)
    desk.open()
    left = list(desk.turns)
    other = Conversation(desk)
    for number in range(60):
        other.ask(f"other {number}").reply = said("Some words. " * 40)
    desk.view.show_chat(other)
    for _ in range(300):
        built, waiting = len(desk.turns), len(desk.view._growth._leaving)
        desk.view._growth._grow()
        is_built = len(desk.turns) != built
        assert not (is_built and len(desk.view._growth._leaving) < waiting)
        QApplication.processEvents()
    desk.settle()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not desk.view._growth._leaving
    assert not any(Shiboken.isValid(turn) for turn in left)
    assert len(desk.turns) >= READY


class Watch(QObject):
    """Counts how often a window was told to paint now."""

    def __init__(self) -> None:
        super().__init__()
        self.num = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.num += event.type() == QEvent.Type.UpdateRequest
        return False


def test_a_width_that_changes_paints_nothing_until_all_has_its_place(make_column):
    """Where a pane is shown beside the text, that pane has not heard yet what it is to show."""
    desk, watch = make_column(), Watch()
    desk.fill(6)
    desk.open()
    for by in (20, 40, 150):
        desk.view.resize(desk.view.width() - by, desk.view.height())
        desk.settle()
    before = desk.bar.maximum()
    desk.installEventFilter(watch)
    desk.view.resize(desk.view.width() - 60, desk.view.height())
    desk.removeEventFilter(watch)
    assert before < desk.bar.maximum() < before + desk.view.height()
    assert desk.bar.value() == desk.bar.maximum()
    assert watch.num == 0


def test_a_window_with_the_keyboard_in_a_turn_can_be_deleted(qapp):
    desk = Desk()
    desk.fill(3)
    desk.open()
    desk.activateWindow()
    desk.turns[-1].question.bubble.body.setFocus()
    QApplication.processEvents()
    desk.close()
    desk.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not Shiboken.isValid(desk)
