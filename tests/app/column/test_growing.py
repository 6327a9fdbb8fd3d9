"""When turns beyond the screen are built: not while text is set, and not before anything else."""

from app.models.reply import Piece
from app.views.column.body import MOST_PIECES
from tests.app.trace_replies import said


def say_much(desk, num_pieces):
    """A question with a reply of so many short pieces."""
    exchange = desk.say("question", "answer")
    exchange.reply.pieces += [Piece("x", 0, (), 0)] * num_pieces
    return exchange


def test_a_turn_that_is_built_has_one_helping_of_its_text(make_column):
    desk = make_column(is_tokens=True)
    say_much(desk, 5 * MOST_PIECES)
    desk.show()
    desk.view.show_chat(desk.chat)
    body = desk.turns[-1].reply.body
    assert 0 < body.num_fed <= MOST_PIECES
    # However often it is told of, the rest comes a helping a turn of the event loop.
    for _ in range(5):
        desk.view.stretch.turns[-1].refresh()
    assert body.num_fed <= MOST_PIECES
    desk.settle()
    assert body.is_whole
    assert body.num_fed == 5 * MOST_PIECES + 1
    assert body.text.paragraphs.plain_text(0, 10**9).endswith("x" * 5 * MOST_PIECES)


def test_another_reply_is_shown_at_once_though_a_helping_is_due(make_column):
    desk = make_column(is_tokens=True)
    exchange = say_much(desk, 5 * MOST_PIECES)
    desk.show()
    desk.view.show_chat(desk.chat)
    assert not desk.turns[-1].reply.body.is_whole
    exchange.reply = said("another one")
    desk.turns[-1].refresh()
    assert desk.turns[-1].reply.body.text.paragraphs.plain_text(0, 10**9) == "another one"
    desk.settle()
    assert desk.turns[-1].reply.body.text.paragraphs.plain_text(0, 10**9) == "another one"


def test_the_next_turn_is_not_built_where_text_has_just_been_set(make_column, monkeypatch):
    monkeypatch.setattr("app.views.column.stretch._HELPING_SECONDS", 0.0)
    desk = make_column(is_tokens=True)
    for _ in range(6):
        say_much(desk, 2 * MOST_PIECES)
    desk.show()
    desk.view.show_chat(desk.chat)
    growth, body = desk.view._growth, desk.turns[-1].reply.body
    assert len(desk.turns) == 1
    growth._grow()
    assert len(desk.turns) == 1
    while not body.is_whole:
        body._rest.stop()
        body._feed()
    growth._grow()
    assert len(desk.turns) == 1
    growth._grow()
    assert len(desk.turns) == 2
    desk.settle()
    assert len(desk.turns) == 6


def test_what_is_on_screen_is_built_at_once_and_the_rest_with_pauses(make_column):
    desk = make_column()
    desk.fill(60)
    desk.open()
    growth, height = desk.view._growth, desk.view.viewport().height()
    desk.bar.setValue(height)
    assert desk.view.stretch.first > 0
    assert not growth.is_settled
    assert growth._next.interval() > 0
    desk.bar.setValue(0)
    assert not growth.is_settled
    assert growth._next.interval() == 0
    desk.settle()
    assert desk.bar.value() > height
    assert growth.is_settled
