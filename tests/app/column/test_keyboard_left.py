"""Where the keyboard goes when what had it in the column goes away."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication


@pytest.fixture
def desk(make_desk):
    """A chat of two questions; what the column lets go is caught by the message field."""
    desk = make_desk()
    desk.ask("first")
    desk.ask("second")
    edit = desk.window.composer.edit
    desk.window.activateWindow()
    edit.setFocus()
    desk.settle(0.05)
    return desk


@pytest.mark.parametrize("number", [0, 1])
def test_after_an_edit_the_message_field_is_typed_into(desk, number):
    question = desk.window.conversation.turns[number].question
    desk.do(question.begin_edit)
    desk.settle(0.05)
    field = question.editor.field
    assert field.hasFocus()
    desk.do(lambda: QTest.keyClicks(field, " more"))
    desk.do(lambda: QTest.keyClick(field, Qt.Key.Key_Return))
    desk.settle(0.2)
    assert desk.chats.current.exchanges[-1].prompt.endswith(" more")
    assert desk.window.composer.edit.hasFocus()
    desk.do(lambda: QTest.keyClicks(QApplication.focusWidget(), "next one"))
    assert desk.window.composer.edit.text == "next one"


@pytest.mark.parametrize("number", [0, 1])
def test_an_edit_that_is_left_keeps_the_keyboard_at_its_pencil(desk, number):
    question = desk.window.conversation.turns[number].question
    desk.do(question.begin_edit)
    field, heard = question.editor.field, []
    desk.window.conversation.attention.pushed_out.connect(lambda: heard.append(1))
    desk.do(lambda: QTest.keyClick(field, Qt.Key.Key_Escape))
    desk.settle(0.05)
    assert question.edit.hasFocus()
    assert not heard


@pytest.mark.parametrize("number", [0, 1])
def test_after_another_answer_was_asked_for_too(desk, number):
    turn = desk.window.conversation.turns[number]
    desk.do(turn.reply.row.again.setFocus)
    assert turn.reply.row.again.hasFocus()
    desk.do(turn.reply.row._again)
    desk.settle(0.2)
    assert len(desk.chats.current.exchanges[number].variants) == 2
    assert desk.window.composer.edit.hasFocus()


def test_a_button_that_cannot_be_pressed_any_more_hands_on_to_its_neighbour(desk):
    exchange = desk.chats.current.exchanges[-1]
    desk.do(lambda: desk.controller.regenerate(exchange))
    desk.settle(0.2)
    switch = desk.window.conversation.turns[-1].reply.row.switch
    desk.do(switch.previous.setFocus)
    desk.do(lambda: QTest.keyClick(switch.previous, Qt.Key.Key_Space))
    desk.settle(0.05)
    assert not switch.previous.isEnabled()
    assert desk.window.conversation.turns[-1].isAncestorOf(QApplication.focusWidget())


def test_what_the_reader_leaves_by_himself_stays_left(desk):
    turn, heard = desk.window.conversation.turns[-1], []
    desk.window.conversation.attention.pushed_out.connect(lambda: heard.append(1))
    desk.do(turn.reply.row.copy.setFocus)
    desk.do(desk.window.sidebar.list.setFocus)
    assert desk.window.sidebar.list.hasFocus()
    assert not heard
