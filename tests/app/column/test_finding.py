"""Words found in a chat, whether built or not, in either look."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.views.column.hits import hits_of
from app.views.messages import FOLD_CHARACTERS
from tests.app.trace_replies import said


def find(desk, needle):
    desk.view.open_find()
    desk.view.floating.find.field.clear()
    QTest.keyClicks(desk.view.floating.find.field, needle)
    desk.until(lambda: desk.view.finder.is_settled)
    desk.settle()


def test_case_does_not_matter_and_diacritics_do(make_column):
    desk = make_column()
    exchange = desk.say("Café CAFÉ cafe", "İstanbul café")
    found = [(hit.is_reply, hit.start, hit.end) for hit in hits_of(exchange, "café")]
    assert found == [(False, 0, 4), (False, 5, 9), (True, 9, 13)]
    assert [hit.start for hit in hits_of(exchange, "a.e")] == []


def test_matches_are_counted_over_the_whole_chat_and_gone_through(make_column):
    desk = make_column()
    exchanges = desk.fill(80)
    exchanges[3].reply = said("a Needle here")
    exchanges[70].reply = said("another needle")
    desk.open()
    find(desk, "needle")
    bar = desk.view.floating.find
    assert bar.place.text() == "1 of 2"
    shown = desk.view.finder.current.exchange
    assert desk.is_on_screen(desk.view.stretch.turn_of(shown))
    QTest.keyClick(bar.field, Qt.Key.Key_Return)
    desk.settle()
    other = desk.view.finder.current.exchange
    assert {shown, other} == {exchanges[3], exchanges[70]}
    assert bar.place.text() == "2 of 2"
    assert desk.is_on_screen(desk.view.stretch.turn_of(other))
    QTest.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.place.text() == "1 of 2"


@pytest.mark.parametrize("is_tokens", [True, False])
def test_the_match_is_lit_up_and_scrolled_to(make_column, is_tokens):
    desk = make_column(is_tokens=is_tokens)
    desk.fill(4)
    text = "\n\n".join(f"Paragraph {n}." for n in range(120)) + "\n\nThe needle.\n\n"
    long = desk.say("long", text + "\n\n".join(f"Paragraph {n}." for n in range(120)))
    desk.fill(4)
    desk.open()
    find(desk, "needle")
    body = desk.view.stretch.turn_of(long).reply.body
    if is_tokens:
        (light, current) = body.text.extraSelections()
        assert light.cursor.selectedText() == current.cursor.selectedText() == "needle"
        start = body.text.paragraphs.position_of(text.index("needle"))
        (rect,) = body.text.lines.range_rects(start, start + 6)
        top = desk.top_of(body.text) + rect.top()
    else:
        (_,) = body.prose.matches("needle")
        top = desk.top_of(body.prose) + body.prose.show_match(0).top()
    assert 0 < top < desk.view.viewport().height()


def test_a_match_folded_away_in_a_long_question_is_unfolded(make_column):
    desk = make_column()
    prompt = "word " * FOLD_CHARACTERS + "needle"
    desk.say(prompt, "yes")
    desk.open()
    assert desk.turns[0].bubble.is_folded
    find(desk, "needle")
    desk.until(lambda: not desk.turns[0].bubble.is_folded)
    desk.settle()
    assert desk.turns[0].bubble.body.toPlainText().replace("\n", "").endswith("needle")


def test_switching_the_look_keeps_what_was_found_lit(make_column):
    desk = make_column()
    exchange = desk.say("hello", "a needle and a needle")
    desk.open()
    find(desk, "needle")
    desk.display.set_on(True)
    desk.settle()
    text = desk.view.stretch.turn_of(exchange).reply.text
    assert {light.cursor.selectedText() for light in text.extraSelections()} == {"needle"}


def test_closing_puts_the_lights_out(make_column):
    desk = make_column(is_tokens=True)
    exchange = desk.say("hello", "a needle")
    desk.open()
    find(desk, "needle")
    text = desk.view.stretch.turn_of(exchange).reply.text
    assert text.extraSelections()
    QTest.keyClick(desk.view.floating.find.field, Qt.Key.Key_Escape)
    assert not desk.view.floating.find.isVisible()
    assert text.extraSelections() == []


def test_nothing_found_says_so(make_column):
    desk = make_column()
    desk.fill(2)
    desk.open()
    find(desk, "zebra")
    bar = desk.view.floating.find
    assert bar.place.text() == "No matches"
    assert not bar.next.isEnabled()


def test_words_only_in_the_source_lead_to_their_reply(make_column):
    desk = make_column()
    exchange = desk.say("hello", "See [this](https://needle.example).")
    desk.fill(12)
    desk.open()
    find(desk, "needle")
    assert desk.view.finder.current.exchange is exchange
    assert desk.is_on_screen(desk.view.stretch.turn_of(exchange).reply)
