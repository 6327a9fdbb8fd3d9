"""Versions of a reply chosen by key, from the message field and from a turn."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.models.question import Question
from tests.app.trace_replies import said

ALT = Qt.KeyboardModifier.AltModifier
LEFT, RIGHT = Qt.Key.Key_Left, Qt.Key.Key_Right


@pytest.fixture
def desk(make_desk):
    """A chat of two questions, the second of them answered twice."""
    desk = make_desk()
    desk.ask("first")
    desk.ask("second")
    exchange = desk.chats.current.exchanges[-1]
    desk.chats.current.answer_again(exchange).reply = said("another")
    desk.chats.current.publish(exchange)
    desk.window.activateWindow()
    desk.window.composer.edit.setFocus()
    QApplication.processEvents()
    return desk


def press(desk, key):
    desk.do(lambda: QTest.keyClick(QApplication.focusWidget(), key, ALT))
    desk.settle()


def test_from_the_empty_message_field_the_last_reply_s(desk):
    exchange = desk.chats.current.exchanges[-1]
    assert desk.window.composer.edit.hasFocus()
    assert exchange.variants.index == 1
    press(desk, LEFT)
    assert exchange.variants.index == 0
    press(desk, LEFT)
    assert exchange.variants.index == 0
    press(desk, RIGHT)
    assert exchange.variants.index == 1


def test_not_while_a_message_is_typed(desk):
    exchange = desk.chats.current.exchanges[-1]
    desk.do(lambda: desk.window.composer.edit.show_text("half a thought"))
    press(desk, LEFT)
    assert exchange.variants.index == 1


def test_from_a_turn_only_its_own(desk):
    exchange = desk.chats.current.exchanges[-1]
    turns = desk.window.conversation.turns
    desk.do(lambda: turns[0].reply.row.copy.setFocus())
    press(desk, LEFT)
    assert exchange.variants.index == 1
    desk.do(lambda: turns[1].reply.row.copy.setFocus())
    press(desk, LEFT)
    assert exchange.variants.index == 0


@pytest.mark.parametrize("is_in_reply", [False, True])
def test_beyond_its_answers_the_versions_of_their_question(desk, is_in_reply):
    chat = desk.chats.current
    desk.do(lambda: desk.controller.edit(chat.exchanges[-1], Question("second, edited")))
    desk.settle(0.2)
    if is_in_reply:
        desk.do(desk.window.conversation.turns[-1].reply.row.copy.setFocus)
    press(desk, LEFT)
    assert chat.exchanges[-1].prompt == "second"
    assert desk.window.composer.edit.hasFocus() or is_in_reply
    desk.do(desk.window.composer.edit.setFocus)
    press(desk, LEFT)
    assert chat.exchanges[-1].variants.index == 0
    press(desk, RIGHT)
    assert chat.exchanges[-1].prompt == "second"
    press(desk, RIGHT)
    assert chat.exchanges[-1].prompt == "second, edited"


def test_a_question_that_is_being_edited_stays(desk):
    turn = desk.window.conversation.turns[-1]
    desk.do(turn.question.begin_edit)
    attention = desk.window.conversation.attention
    assert turn.question.editor.field.hasFocus()
    assert attention.version(-1) is None


def test_the_message_field_keeps_the_keys_only_where_it_has_words(desk):
    edit = desk.window.composer.edit

    def is_kept() -> bool:
        event = QKeyEvent(QEvent.Type.ShortcutOverride, LEFT, ALT)
        event.accept()
        edit.event(event)
        return event.isAccepted()

    assert not is_kept()
    desk.do(lambda: edit.show_text("some words"))
    # What Qt itself makes of the keys is its own affair, and another on a Mac.
    assert is_kept()


def test_what_one_key_hid_the_other_brings_back(desk):
    chat = desk.chats.current
    first = chat.exchanges[0]
    chat.edit(first, Question("another first")).reply = said("so")
    desk.settle()
    desk.window.composer.edit.setFocus()
    assert len(chat.exchanges) == 1
    press(desk, LEFT)
    assert chat.exchanges[0] is first
    chat.choose(chat.exchanges[1], next(iter(chat.exchanges[1].variants)))
    assert len(chat.exchanges) == 2
    press(desk, RIGHT)
    assert chat.exchanges[1].variants.index == 1
