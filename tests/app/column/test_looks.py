"""The two looks of a reply: fed one at a time, switched in place, kept over a change of reply."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from app.models.reply import Piece, Reply
from app.views.column.thinking_time import thinking_seconds
from tests.app.trace_replies import reply_of, said, trace


def test_only_the_look_that_is_shown_is_built(make_column):
    desk = make_column()
    desk.say("hello", "Some **words**.")
    desk.open()
    body = desk.turns[0].reply.body
    assert body.prose is not None
    assert body.prose.plain_text() == "Some words."
    assert body.text.toPlainText() == ""
    desk.display.toggle()
    desk.settle()
    assert body.text.toPlainText() == "Some **words**."
    assert body.text.isVisible()
    assert not body.prose.isVisible()


def test_tokens_first_builds_no_markdown(make_column):
    desk = make_column(is_tokens=True)
    desk.say("hello", "Some **words**.")
    desk.open()
    assert desk.turns[0].reply.body.prose is None
    desk.display.set_on(False)
    desk.settle()
    assert desk.turns[0].reply.body.prose.isVisible()


def test_a_growing_reply_feeds_the_look_that_is_shown(make_column):
    desk = make_column()
    exchange = desk.chat.ask("hello")
    desk.open()
    reply = exchange.reply
    reply.phase = "streaming"
    for word in ("One ", "two ", "three"):
        reply.pieces.append(Piece(word, 0, (), 0))
        desk.chat.publish(exchange)
        desk.settle()
    body = desk.turns[0].reply.body
    assert body.prose.source == "One two three"
    assert body.text.toPlainText() == ""
    desk.display.toggle()
    desk.settle()
    reply.pieces.append(Piece(" four", 0, (), 0))
    desk.chat.publish(exchange)
    desk.settle()
    assert body.text.toPlainText() == "One two three four"
    assert body.prose.source == "One two three"
    desk.display.toggle()
    desk.settle()
    assert body.prose.source == "One two three four"


@pytest.mark.parametrize("is_tokens", [True, False])
def test_switching_keeps_the_place(make_column, is_tokens):
    desk = make_column(is_tokens=is_tokens)
    desk.fill(5)
    desk.say("long", "\n\n".join(f"Paragraph {n} with a few words." for n in range(200)))
    desk.fill(3)
    desk.open()
    body = desk.turns[5].reply.body
    desk.bar.setValue(desk.bar.value() + desk.top_of(body) + body.height() // 2)
    desk.settle()
    for _ in range(2):
        desk.display.toggle()
        desk.settle()
        share = -desk.top_of(body) / body.height()
        assert share == pytest.approx(0.5, abs=0.03)


def test_the_end_stays_the_end_over_a_switch(make_column):
    desk = make_column()
    desk.fill(6)
    desk.open()
    for _ in range(2):
        desk.display.toggle()
        desk.settle()
        assert desk.bar.value() == desk.bar.maximum()


def test_tokens_that_come_from_disk_change_nothing_that_is_read(make_column):
    desk = make_column()
    full = reply_of(trace("local"))
    exchange = desk.say("hello", full.text)
    exchange.variant.is_stored = True
    desk.open()
    prose = desk.turns[0].reply.body.prose
    pieces = prose.pieces()
    exchange.variant.is_stored = False
    exchange.reply = full
    desk.chat.publish(exchange)
    desk.settle()
    assert prose.pieces() == pieces
    desk.display.set_on(True)
    desk.settle()
    assert desk.turns[0].reply.text.paragraphs.num_tokens == full.log.num_tokens


def test_tokens_of_a_stored_reply_are_asked_for_once_when_they_are_looked_at(make_column, heard):
    desk = make_column()
    exchanges = desk.fill(6)
    for exchange in exchanges:
        exchange.variant.is_stored = True
    asked = heard(desk.view.intents.tokens_wanted)
    desk.open()
    assert asked == []
    desk.display.set_on(True)
    desk.settle()
    on_screen = [turn.exchange for turn in desk.turns if desk.is_on_screen(turn)]
    assert {exchange for (exchange,) in asked} >= set(on_screen)
    assert len(asked) == len(set(asked))
    assert len(asked) < len(exchanges)


def test_an_inspected_stored_reply_is_asked_for_in_either_look(make_column, heard):
    desk = make_column()
    (exchange,) = desk.fill(1)
    exchange.variant.is_stored = True
    asked = heard(desk.view.intents.tokens_wanted)
    desk.open()
    desk.inspection.show_reply(exchange.reply)
    assert asked == [(exchange,)]


@pytest.mark.parametrize("is_tokens", [True, False])
def test_a_continued_reply_that_dropped_its_tail_is_told_right(make_column, heard, is_tokens):
    desk = make_column(is_tokens=is_tokens)
    exchange = desk.say("go on", "")
    reply = exchange.reply
    reply.pieces = [Piece("One ", 0, (), 0), Piece("tw\ufffd", 1, (), 1)]
    desk.open()
    body = desk.turns[0].reply.body
    restarted = heard(body.restarted)
    # What was cut is whole now, and more came before anybody looked.
    reply.pieces = [reply.pieces[0], Piece("two ", 1, (), 1), Piece("three", 2, (), 2)]
    reply.phase = "streaming"
    desk.chat.publish(exchange)
    desk.settle()
    assert restarted
    shown = body.text.toPlainText() if is_tokens else body.prose.source
    assert shown == "One two three"


def test_another_reply_in_place_of_a_failed_one_begins_anew(make_column):
    desk = make_column()
    exchange = desk.say("hello", "the first answer")
    desk.open()
    exchange.reply = Reply()
    desk.chat.publish(exchange)
    desk.settle()
    view = desk.turns[0].reply
    assert not view.body.isVisible()
    assert view.head.waiting.isVisible()
    exchange.reply.phase = "streaming"
    exchange.reply.pieces.append(Piece("another", 0, (), 0))
    desk.chat.publish(exchange)
    desk.settle()
    assert view.body.prose.source == "another"


def test_thinking_is_timed_by_its_steps():
    source = trace("local")
    reply = reply_of(source)
    assert thinking_seconds(reply) is None
    cut = 12
    marked = [replace(piece) for piece in reply.pieces]
    marked[0] = replace(marked[0], text="<think>" + marked[0].text)
    marked[cut] = replace(marked[cut], text="</think>" + marked[cut].text)
    reply.pieces = marked
    seconds = thinking_seconds(reply)
    last = reply.log[marked[cut - 1].step].time
    assert seconds == pytest.approx(last - source.started.prefill_seconds)
    assert thinking_seconds(said("<think>a</think>b")) is None


def test_the_size_of_text_reaches_what_is_built_and_what_is_built_later(make_column):
    desk = make_column()
    desk.fill(2)
    desk.open()
    heights = [turn.reply.body.height() for turn in desk.turns]
    desk.size_of_text.set_pixels(22)
    desk.settle()
    assert all(t.reply.body.height() > h for t, h in zip(desk.turns, heights, strict=True))
    desk.size_of_text.set_pixels(400)
    assert desk.size_of_text.pixels == 24
    desk.size_of_text.reset()
    desk.settle()
    assert [turn.reply.body.height() for turn in desk.turns] == heights


def test_a_paragraph_runs_as_its_first_strong_letter_does(make_column):
    desk = make_column(is_tokens=True)
    desk.say("שלם\nhello", "English first.\nשלם first, then English.\n123 שלם")
    desk.open()
    for text in (desk.turns[0].reply.text, desk.turns[0].bubble.body):
        block, found = text.document().firstBlock(), []
        while block.isValid():
            line = block.layout().lineAt(0)
            is_right = block.textDirection() == Qt.LayoutDirection.RightToLeft
            rect = line.naturalTextRect()
            assert (rect.right() if is_right else line.width() - rect.left()) >= line.width() - 2
            found.append(is_right)
            block = block.next()
        assert found == ([False, True, True] if text is desk.turns[0].reply.text else [True, False])


def test_the_token_view_and_the_questions_follow_the_size_of_text(make_column):
    desk = make_column(is_tokens=True)
    exchange = desk.say("A question of a few words", "")
    exchange.reply = reply_of(trace("local"))
    desk.chat.publish(exchange)
    desk.open()
    text, bubble = desk.turns[0].reply.text, desk.turns[0].bubble
    small = text.height(), bubble.width(), bubble._bubble.width()
    desk.size_of_text.set_pixels(22)
    desk.settle()
    assert text.height() > small[0]
    assert bubble._bubble.width() > small[2]
    for token in range(exchange.reply.log.num_tokens):
        rect = text.lines.token_rects(token, token)[0]
        assert text.lines.token_at(rect.center()) == token
        assert rect.height() > 22
