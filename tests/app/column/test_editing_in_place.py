"""Editing a question in the whole window leaves every other widget alive, however it ends."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.controllers.records import chat_from, chat_record


@pytest.mark.parametrize("end", ["escape", "return"])
def test_an_edit_with_the_focus_in_it_ends(make_desk, end):
    desk = make_desk()
    desk.ask("Hello there")
    question = desk.window.conversation.stretch.turns[-1].question
    question.begin_edit()
    desk.settle(0.05)
    field = question.editor.field
    field.setFocus()
    desk.settle(0.05)
    key = Qt.Key.Key_Escape if end == "escape" else Qt.Key.Key_Return
    desk.do(lambda: QTest.keyClick(field, key))
    desk.settle(0.3)
    desk.window.grab()
    assert desk.window.header.traces.save.text()
    shown = desk.window.conversation.stretch.turns[-1]
    assert shown.bubble.body.document().characterCount() > 1
    assert len(desk.chats.current.exchanges[-1].siblings) == (1 if end == "escape" else 2)


def test_copy_with_the_focus_in_the_list_of_chats_copies_nothing(make_desk):
    desk = make_desk()
    desk.ask("Hello there")
    desk.window.sidebar.list.setFocus()
    desk.settle(0.05)
    assert desk.session.habits.commands.run("copy")
    desk.settle(0.05)
    assert desk.window.sidebar.list.isVisible()


def test_words_of_an_edit_outlive_another_chat_and_end_with_it(make_desk):
    desk = make_desk()
    desk.ask("Hello there")
    chat = desk.chats.current
    question = desk.window.conversation.stretch.turns[-1].question
    question.begin_edit()
    desk.do(lambda: QTest.keyClicks(question.editor.field, " again"))
    desk.controller.new_chat()
    desk.controller.open_chat(chat)
    desk.settle(0.05)
    again = desk.window.conversation.stretch.turns[-1].question
    assert again is not question
    assert again.editor.field.toPlainText() == "Hello there again"
    kept = chat_from(chat_record(chat))
    assert kept.edits == {chat.exchanges[-1].id: "Hello there again"}
    again.cancel_edit()
    assert chat.edits == {}
    assert chat_from(chat_record(chat)).edits == {}
    kept.deleteLater()


def test_an_edit_that_was_only_opened_is_not_kept(make_desk):
    desk = make_desk()
    desk.ask("Hello there")
    desk.window.conversation.stretch.turns[-1].question.begin_edit()
    assert desk.chats.current.edits == {}
