"""A question that is edited, or was: its size, its width, and the room below it."""

from app.models.question import Attachment, Question
from app.views.messages import BUBBLE_WIDTH
from tests.app.trace_replies import said

WORDS = "A question of some words, enough of them to be broken into lines at any width. " * 2


def opened(make_column, width: int = 1_000):
    desk = make_column()
    desk.resize(width, 800)
    desk.say(WORDS, "An answer.")
    desk.open()
    question = desk.turns[0].question
    question.begin_edit()
    desk.settle()
    return desk, question


def test_an_edit_has_the_size_of_the_bubble_and_follows_it(make_column):
    desk, question = opened(make_column)
    field = question.editor.field
    assert field.fontInfo().pixelSize() == question.bubble.pixels == desk.size_of_text.pixels
    desk.size_of_text.grow(4)
    desk.settle()
    assert field.fontInfo().pixelSize() == question.bubble.pixels == desk.size_of_text.pixels


def test_an_edit_is_no_wider_than_is_well_read_and_stands_where_the_bubble_did(make_column):
    _, question = opened(make_column)
    assert BUBBLE_WIDTH <= question.editor.width() < question.width()
    assert question.editor.geometry().right() == question.rect().right()


def test_in_a_narrow_column_an_edit_takes_what_there_is(make_column):
    _, question = opened(make_column, 480)
    assert question.editor.width() == question.width()


def test_below_the_versions_the_reply_keeps_its_distance(make_column):
    desk = make_column()
    plain = desk.say("one", "An answer.")
    edited = desk.chat.edit(desk.say("two", "Another."), Question("three"))
    edited.reply = said("A third.")
    desk.open()
    first, second = desk.turns
    assert (first.exchange, second.exchange) == (plain, edited)

    def gap(turn, above):
        return turn.reply.y() - above.mapTo(turn, above.rect().bottomLeft()).y()

    assert second.question.row.switch.isVisible()
    assert gap(second, second.question.row) > gap(first, first.question.row)
    assert gap(second, second.question.row.switch.place) > 16


def test_a_short_attachment_offers_no_number_of_characters(make_column):
    desk = make_column()
    file = Attachment("a.txt", "hello world", "text")
    exchange = desk.chat.ask(Question("And this?", (file,)))
    exchange.reply = said("Eleven.")
    desk.open()
    words = desk.turns[0].bubble.fold.button.text()
    assert "characters" not in words
    assert "attached" in words
