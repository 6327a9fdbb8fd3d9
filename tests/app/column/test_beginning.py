"""The beginning of a chat comes above what is shown: nothing moves, and it is read and found."""

from app.models.choices import Choices
from app.models.conversation import Conversation


def opened(make_column):
    """A column with the end of a chat, and what the whole of it is."""
    desk = make_column()
    exchanges = desk.fill(60)
    whole, joint = desk.chat.roots, exchanges[40].variant
    desk.chat = Conversation(desk)
    desk.chat.fill(joint.followers)
    desk.chat.is_loaded = False
    desk.open()
    return desk, whole, exchanges


def test_nothing_moves_and_no_turn_is_made_anew(make_column):
    desk, whole, exchanges = opened(make_column)
    desk.bar.setValue(desk.bar.value() // 2)
    desk.settle()
    turn = next(turn for turn in desk.turns if desk.is_on_screen(turn))
    top, built = desk.top_of(turn), {each.exchange: each for each in desk.turns}
    desk.chat.fill(whole)
    desk.settle()
    assert desk.top_of(turn) == top
    now = {each.exchange: each for each in desk.turns}
    assert all(now[exchange] is each for exchange, each in built.items())
    assert desk.view.stretch.path == exchanges


def test_who_is_at_the_top_of_the_end_reads_on_above(make_column):
    desk, whole, exchanges = opened(make_column)
    while desk.bar.value():
        desk.bar.setValue(0)
        desk.settle()
    first = desk.turns[0]
    assert first.exchange is exchanges[41]
    top = desk.top_of(first)
    desk.chat.fill(whole)
    desk.settle()
    assert desk.view.stretch.first < 41
    assert desk.top_of(first) == top
    assert desk.turns[0].exchange is exchanges[desk.view.stretch.first]


def test_who_is_at_the_end_stays_there(make_column):
    desk, whole, _ = opened(make_column)
    assert desk.bar.value() == desk.bar.maximum()
    desk.chat.fill(whole)
    desk.settle()
    assert desk.bar.value() == desk.bar.maximum()


def test_find_goes_on_into_the_beginning(make_column):
    desk, whole, exchanges = opened(make_column)
    desk.view.find_words("question")
    desk.until(lambda: desk.view.finder.hits)
    desk.settle()
    assert len(desk.view.finder.hits) == 19
    before = desk.view.finder.current
    desk.chat.fill(whole)
    desk.until(lambda: len(desk.view.finder.hits) == len(exchanges))
    desk.settle()
    assert desk.view.finder.current == before


def test_where_the_end_only_comes_nothing_is_offered_instead(make_column):
    desk = make_column()
    desk.chat.is_loaded = False
    desk.open()
    assert desk.view.empty.isHidden()
    desk.chat.fill(Choices())
    assert not desk.view.empty.isHidden()
