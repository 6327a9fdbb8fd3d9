"""Editing a question in the whole window leaves every other widget alive, however it ends."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest


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
