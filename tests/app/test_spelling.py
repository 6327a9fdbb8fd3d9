"""Excluded tokens by their text, through the window, the bridge and a worker."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.views.flags.excluded import ExtraField


@pytest.fixture
def typed(make_desk):
    """A desk whose settings are open, and how a text is added to what is excluded."""

    def make(**options):
        desk = make_desk(**options)
        desk.window.show_pane("settings")
        row = desk.window.flags.rows["extra_excluded"]
        assert isinstance(row.field, ExtraField)

        def add(text):
            row.field.line.setText(text)
            desk.do(lambda: QTest.keyClick(row.field.line, Qt.Key.Key_Return))
            return row

        return desk, add

    return make


def labels(row):
    return [chip.text() for chip in row.field.chips.items]


def test_a_text_is_looked_up_in_a_fresh_chat(typed):
    desk, add = typed()
    row = add("·cat")
    desk.wait(desk.until(lambda: labels(row)))
    assert labels(row) == ["7004 ·cat  ×"]
    assert desk.session.speculation.params.extra_excluded == (7004,)
    row = add("two words")
    desk.wait(desk.until(lambda: bool(row.problem.text())))
    assert "not one token of this model but “two” (id 7003)" in row.problem.text()


def test_an_id_gets_its_word(typed):
    desk, add = typed()
    row = add("1918")
    desk.wait(desk.until(lambda: labels(row) == ["1918 ·word1918  ×"]))


def test_without_a_model_it_says_what_to_do(typed):
    desk, add = typed(is_loaded=False)
    row = add("·cat")
    assert row.problem.text() == "A text is looked up by a model; load one, or give the token's id."
    row = add("1918")
    assert labels(row) == ["1918  ×"]
    desk.load()
    desk.wait(desk.until(lambda: labels(row) == ["1918 ·word1918  ×"]))


def test_while_a_reply_is_written_it_waits_and_says_so(typed):
    desk, add = typed(pace=0.01)
    exchange = desk.chats.current.ask("Hello")
    desk.do(
        lambda: desk.session.failures.start(desk.controller.answer(desk.chats.current, exchange))
    )
    row = add("·cat")
    assert row.problem.text() == "The model is at work; this is looked up when it is done."
    assert exchange.reply is not None
    desk.wait(desk.until(lambda: labels(row)))
    assert exchange.reply.is_over
    assert (labels(row), row.problem.text()) == (["7004 ·cat  ×"], "")
