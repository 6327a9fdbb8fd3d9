"""What can be asked for under a question and a reply, by mouse and by key."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.models.chat_settings import ChatSettings
from app.models.conversation import Conversation
from app.models.question import Attachment, Question
from app.views.column.link_card import real_target
from engine import SamplingParams
from tests.app.trace_replies import reply_of, said, trace


def focus(widget):
    widget.setFocus(Qt.FocusReason.TabFocusReason)
    QApplication.processEvents()


@pytest.fixture
def desk(make_column):
    desk = make_column()
    desk.fill(3)
    desk.open()
    desk.activateWindow()
    # The mouse may still be where another test left it.
    QTest.mouseMove(desk, QPoint(2, 2))
    QApplication.processEvents()
    return desk


def test_the_row_is_drawn_at_the_last_reply_and_where_the_focus_is(desk):
    rows = [turn.reply.row for turn in desk.turns]
    assert [row.is_drawn for row in rows] == [False, False, True]
    focus(rows[0].copy)
    assert [row.is_drawn for row in rows] == [True, False, True]
    focus(desk.turns[1].question.copy)
    assert [row.is_drawn for row in rows] == [False, False, True]
    assert desk.turns[1].question.row.is_drawn
    desk.say("one more", "yes")
    assert [turn.reply.row.is_drawn for turn in desk.turns] == [False, False, False, True]


def test_every_action_has_a_name_and_is_reached_by_tab(desk):
    turn = desk.turns[0]
    buttons = [turn.question.copy, turn.question.edit]
    buttons += [turn.reply.row.copy, turn.reply.row.again, turn.reply.row.remove]
    for button in buttons:
        assert button.isVisible()
        assert button.accessibleName()
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus


def test_copying_takes_the_source_without_the_thinking(desk):
    exchange = desk.say("hello", "<think>hm</think>\n\nSome **words**.")
    desk.settle()
    desk.turns[-1].reply.row.copy.click()
    assert QGuiApplication.clipboard().text() == "Some **words**."
    desk.turns[-1].question.copy.click()
    assert QGuiApplication.clipboard().text() == exchange.prompt


def test_answering_again_asks_with_a_fresh_or_the_same_seed(desk, heard):
    exchange = desk.chat.exchanges[-1]
    exchange.reply = reply_of(trace("local"))
    desk.chat.publish(exchange)
    intents, row = desk.view.intents, desk.turns[-1].reply.row
    again, other = heard(intents.regenerate_requested), heard(intents.settings_requested)
    desk.chat.set_settings(ChatSettings(sampling=SamplingParams(temperature=0.7)))
    row.open_menu()
    assert row._menu.actions()[0].text() == "With a new seed"
    fresh, same, others, _, settings = row._menu.actions()
    assert not others.isEnabled()
    for action in (fresh, same, settings):
        action.trigger()
    assert again == [(exchange, None), (exchange, exchange.reply.started.seed)]
    assert other == [(exchange,)]
    row._menu.close()


def test_with_greedy_no_seed_is_offered(desk, heard):
    exchange = desk.chat.exchanges[-1]
    exchange.reply = reply_of(trace("local"))
    desk.chat.publish(exchange)
    again, row = heard(desk.view.intents.regenerate_requested), desk.turns[-1].reply.row
    row.open_menu()
    fresh, same = row._menu.actions()[:2]
    assert "Greedy" in fresh.text()
    assert not same.isVisible()
    fresh.trigger()
    assert again == [(exchange, None)]
    row._menu.close()
    desk.chat.set_settings(ChatSettings(sampling=SamplingParams(temperature=1.0)))
    row.open_menu()
    assert "Greedy" not in fresh.text()
    assert same.isVisible()
    row._menu.close()


def test_answering_again_with_another_model_says_which(desk, heard):
    exchange, intents = desk.chat.exchanges[-1], desk.view.intents
    intents.other_models = lambda: [("Small & quick", "demo"), ("m" * 300, "/models/long")]
    asked, row = heard(intents.regenerate_with_requested), desk.turns[-1].reply.row
    row.open_menu()
    first, second = row._models.actions()
    assert (first.text(), second.toolTip()) == ("Small && quick", "m" * 300)
    assert len(second.text()) < 100
    second.trigger()
    assert asked == [(exchange, "/models/long")]
    row._menu.close()
    intents.other_models = lambda: [("Other", "/models/other")]
    row.open_menu()
    assert [action.text() for action in row._models.actions()] == ["Other"]
    row._menu.close()


@pytest.mark.parametrize(
    ("stop", "can_go_on"),
    [("cancelled", True), ("max_tokens", True), ("eos", False), ("stop_string", False)],
)
def test_a_reply_that_was_cut_can_go_on(desk, heard, stop, can_go_on):
    exchange = desk.chat.exchanges[-1]
    exchange.reply.stop = stop
    desk.chat.publish(exchange)
    asked = heard(desk.view.intents.resume_requested)
    resume = desk.turns[-1].reply.row.resume
    assert resume.isVisible() is can_go_on
    resume.click()
    assert asked == [(exchange,)]


def test_nothing_is_asked_while_a_reply_is_written_or_of_a_trace(desk):
    intents, turn = desk.view.intents, desk.turns[-1]
    buttons = turn.reply.row.again, turn.reply.row.remove, turn.question.edit
    names = [each.toolTip() for each in buttons]
    intents.set_allowed(can_answer=False, can_choose=False)
    assert not any(each.isEnabled() for each in buttons)
    assert {each.toolTip() for each in buttons} == {"Wait until the reply is written"}
    intents.set_allowed(can_answer=True, can_choose=True)
    assert all(each.isEnabled() for each in buttons)
    assert [each.toolTip() for each in buttons] == names
    intents.set_allowed(is_read_only=True)
    assert not turn.reply.row.again.isVisible()
    assert not turn.reply.row.remove.isVisible()
    assert not turn.question.edit.isVisible()
    assert turn.reply.row.copy.isVisible()


def test_without_a_model_another_one_answers_and_what_is_there_is_changed(desk, heard):
    intents, turn = desk.view.intents, desk.turns[-1]
    intents.other_models = lambda: [("Small", "/models/small")]
    intents.set_allowed(can_answer=False)
    desk.chat.set_settings(ChatSettings(sampling=SamplingParams(temperature=0.7)))
    row = turn.reply.row
    assert row.remove.isEnabled()
    removed = heard(intents.delete_requested)
    row.remove.click()
    assert removed == [(desk.chat.exchanges[-1].variant,)]
    row.open_menu()
    can_be = {each.text(): each.isEnabled() for each in row._menu.actions() if each.text()}
    assert not can_be["With a new seed"]
    assert not can_be["With the same seed"]
    assert can_be["With another model"]
    row._menu.close()
    turn.question.edit.click()
    editor = turn.question.editor
    assert not editor.send.isEnabled()
    assert editor.send.toolTip() == "Load a model to ask this"
    intents.set_allowed(can_answer=True)
    assert editor.send.isEnabled()
    row.open_menu()
    assert row._seeds[0].isEnabled()
    row._menu.close()


def test_answers_are_chosen_by_button_and_by_key(desk, heard):
    exchange = desk.chat.exchanges[-1]
    variants = [exchange.variant]
    # What few ever need is not made.
    assert not desk.turns[-1].reply.row.switch.findChildren(QWidget)
    for text in ("second", "third"):
        variants.append(desk.chat.answer_again(exchange))
        variants[-1].reply = said(text)
        desk.chat.publish(exchange)
    desk.settle()
    switch = desk.turns[-1].reply.row.switch
    assert switch.isVisible()
    assert switch.place.text() == "3/3"
    assert not switch.next.isEnabled()
    asked = heard(desk.view.intents.choose_requested)
    desk.view.intents.choose_requested.connect(desk.chat.choose)
    switch.previous.click()
    assert asked == [(exchange, variants[1])]
    assert switch.place.text() == "2/3"
    assert desk.turns[-1].reply.body.prose.source == "second"
    focus(desk.turns[-1].reply.row.copy)
    desk.view.attention.choose_version(-1)
    assert asked[-1] == (exchange, variants[0])
    desk.view.attention.choose_version(1)
    desk.view.attention.choose_version(1)
    assert exchange.variant is variants[2]


def test_choosing_a_version_needs_no_model_but_no_reply_being_written(desk, heard):
    exchange = desk.chat.exchanges[-1]
    desk.chat.answer_again(exchange).reply = said("second")
    desk.chat.publish(exchange)
    desk.settle()
    intents, row = desk.view.intents, desk.turns[-1].reply.row
    asked = heard(intents.choose_requested)
    intents.set_allowed(can_answer=False)
    assert row.switch.previous.isEnabled()
    row.switch.previous.click()
    focus(row.copy)
    desk.view.attention.choose_version(-1)
    assert len(asked) == 2
    intents.set_allowed(can_choose=False)
    assert not row.switch.previous.isEnabled()
    row.choose_beside(-1)
    desk.view.attention.choose_version(-1)
    assert len(asked) == 2


def test_who_answered_is_named_where_it_was_not_always_the_same(desk):
    exchange = desk.chat.exchanges[-1]
    exchange.reply = reply_of(trace("local"))
    exchange.variant.model = "Small-1B"
    desk.chat.publish(exchange)
    desk.settle()
    numbers = desk.turns[-1].reply.numbers
    assert not numbers.text().startswith("Small-1B")
    assert numbers.toolTip() == "Answered by Small-1B"
    other = desk.chat.answer_again(exchange)
    other.reply, other.model = reply_of(trace("local")), "Large-9B"
    desk.chat.publish(exchange)
    desk.settle()
    assert numbers.text().startswith("Large-9B · ")
    desk.chat.choose(exchange, next(iter(exchange.variants)))
    desk.settle()
    assert numbers.text().startswith("Small-1B · ")


def test_edits_are_chosen_under_the_question(desk, heard):
    old = desk.chat.exchanges[-1]
    fresh = desk.chat.edit(old, Question("asked otherwise"))
    fresh.reply = said("answered otherwise")
    desk.chat.publish(fresh)
    desk.settle()
    turn = desk.turns[-1]
    assert turn.question.row.switch.place.text() == "2/2"
    asked = heard(desk.view.intents.choose_requested)
    focus(turn.question.copy)
    desk.view.attention.choose_version(-1)
    assert asked == [(old, None)]


def test_a_question_is_edited_in_its_place(desk, heard):
    attached = Attachment("a.py", "x = 1", "code", "python")
    exchange = desk.chat.ask(Question("what is this?", (attached,)))
    exchange.reply = said("code")
    desk.chat.publish(exchange)
    desk.settle()
    view, asked = desk.turns[-1].question, heard(desk.view.intents.edit_requested)
    view.edit.click()
    desk.settle()
    assert view.editor.field.toPlainText() == "what is this?"
    assert "a.py" in view.editor.note.text()
    assert not view.bubble.isVisible()
    QTest.keyClicks(view.editor.field, " Say more.")
    QTest.keyClick(view.editor.field, Qt.Key.Key_Escape)
    assert view.editor is None
    assert view.bubble.isVisible()
    assert asked == []
    view.edit.click()
    QTest.keyClicks(view.editor.field, " Say it all.")
    QTest.keyClick(view.editor.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(view.editor.field, "Please.")
    QTest.keyClick(view.editor.field, Qt.Key.Key_Return)
    assert asked == [(exchange, Question("what is this? Say it all.\nPlease.", (attached,)))]
    assert view.editor is None


def test_an_empty_edit_cannot_be_sent(desk, heard):
    view, asked = desk.turns[0].question, heard(desk.view.intents.edit_requested)
    view.begin_edit()
    view.editor.field.setPlainText("  \n ")
    assert not view.editor.send.isEnabled()
    view.editor.submit()
    assert asked == []
    desk.view.intents.set_allowed(can_answer=False)
    view.editor.field.setPlainText("words")
    assert not view.editor.send.isEnabled()
    assert view.editor.send.toolTip()


def test_deleting_can_be_undone_for_a_while(desk, heard):
    exchange = desk.chat.exchanges[-1]
    asked = heard(desk.view.intents.delete_requested)
    undone = heard(desk.view.intents.undo_requested)
    desk.turns[-1].reply.row.remove.click()
    assert asked == [(exchange.variant,)]
    assert not desk.view.floating.undo.isVisible()
    removed = desk.chat.remove(exchange.variant)
    assert desk.view.floating.undo.isVisible()
    assert desk.turns[-1].exchange is not exchange
    desk.view.floating.undo.undo.click()
    assert len(undone) == 1
    assert not desk.view.floating.undo.isVisible()
    desk.chat.put_back(removed)
    desk.settle()
    assert desk.turns[-1].exchange is exchange


def test_the_offer_to_undo_goes_with_the_chat(desk):
    desk.chat.remove(desk.chat.exchanges[-1])
    assert desk.view.floating.undo.isVisible()
    desk.view.show_chat(Conversation(desk))
    assert not desk.view.floating.undo.isVisible()


def test_turns_that_are_not_sent_are_told_apart(desk, heard):
    second = desk.chat.exchanges[1]
    desk.chat.set_settings(replace(desk.chat.settings, first=second.id))
    desk.settle()
    cut = desk.turns[1]._cut
    assert [turn._cut is not None for turn in desk.turns] == [False, True, False]
    asked = heard(desk.view.intents.first_cleared)
    cut.clear.click()
    assert len(asked) == 1
    desk.chat.set_settings(replace(desk.chat.settings, first=None))
    assert [turn._cut for turn in desk.turns] == [None] * 3


def test_details_are_for_a_reply_whose_making_is_known(desk, heard):
    told = desk.turns[-1]
    assert not told.reply.row.details.isVisible()
    exchange = desk.chat.exchanges[-1]
    exchange.reply = reply_of(trace("local"))
    desk.chat.publish(exchange)
    asked = heard(desk.view.intents.details_requested)
    told.reply.row.details.click()
    assert asked == [(exchange,)]


def test_a_link_is_shown_in_full_before_it_opens(desk, heard):
    exchange = desk.say("where?", "Here: [a bank](https://xn--bnk-rna.example/login?next=1)")
    desk.settle()
    card, opened = desk.view.floating.link, heard(desk.view.floating.link.opened)
    body = desk.view.stretch.turn_of(exchange).reply.body
    body.prose.link_requested.emit("https://bänk.example/login?next=1")
    assert card.isVisible()
    assert card.target.toPlainText() == "https://xn--bnk-qla.example/login?next=1"
    assert opened == []
    card.copy.click()
    assert QGuiApplication.clipboard().text() == card.target.toPlainText()
    card.open.click()
    assert opened == [(QUrl("https://bänk.example/login?next=1"),)]
    assert not card.isVisible()


@pytest.mark.parametrize(
    "target",
    ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "ftp://a.example", "https://",
     "", "//a.example", "vbscript:x"],
)  # fmt: skip
def test_what_may_not_be_opened_cannot_be(desk, target):
    assert real_target(target) is None
    desk.view.intents.link_requested.emit(target)
    card = desk.view.floating.link
    assert card.isVisible()
    assert not card.open.isVisible()
    QTest.keyClick(card.copy, Qt.Key.Key_Escape)
    assert not card.isVisible()


@pytest.mark.parametrize(
    "target", ["http://a.example", "HTTPS://A.example/x", "mailto:a@b.example"]
)
def test_pages_and_mail_may_be_opened(target):
    assert real_target(target) is not None
