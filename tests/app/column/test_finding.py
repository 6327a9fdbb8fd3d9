"""Words found in a chat, whether built or not, in either look."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.models.question import Attachment, Question
from app.views.column.hits import all_hits, hits_of
from app.views.column.shown_words import ShownWords
from app.views.markdown.code import CodeBlock
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


def test_how_many_there_are_is_told_before_one_is_shown(make_column):
    desk = make_column()
    bar = desk.view.floating.find
    bar.field.setText("needle")
    told = []
    for count in (1, 2):
        bar.show_place(-1, count)
        told.append(bar.place.text())
    assert told == ["1 match", "2 matches"]


def test_nothing_found_says_so(make_column):
    desk = make_column()
    desk.fill(2)
    desk.open()
    find(desk, "zebra")
    bar = desk.view.floating.find
    assert bar.place.text() == "No matches"
    assert not bar.next.isEnabled()


MARKED = """<think>
A needle in thoughts.
</think>

See [this](https://needle.example/needle), and a **nee**dle.

![a needle](https://needle.example/a.png)

```needle
a needle = "needle"
```

| needle | b |
|---|---|
| `needle` | needle needle |

- one needle
  > another needle
"""


def lit_in(body):
    """The words that are lit up in the Markdown look."""
    lights = [
        light
        for piece in body.prose.pieces()
        for light in (piece.text if isinstance(piece, CodeBlock) else piece).extraSelections()
    ]
    return [light.cursor.selectedText().lower() for light in lights]


def test_in_markdown_what_is_shown_counts_and_in_tokens_what_is_written(make_column):
    desk = make_column()
    exchange = desk.say("hello", MARKED)
    desk.fill(2)
    desk.open()
    find(desk, "needle")
    body = desk.view.stretch.turn_of(exchange).reply.body
    assert lit_in(body) == ["needle"] * 12
    assert len(desk.view.finder.hits) == len(body.prose.matches("needle")) == 12
    assert desk.view.floating.find.place.text() == "1 of 12"
    desk.display.set_on(True)
    desk.settle()
    count = MARKED.count("needle")
    assert desk.view.floating.find.place.text() == f"1 of {count}"
    desk.display.set_on(False)
    desk.settle()
    assert desk.view.floating.find.place.text() == "1 of 12"


def test_words_only_in_the_source_are_not_found(make_column):
    desk = make_column()
    desk.say("hello", "See [this](https://needle.example/needle).")
    desk.open()
    find(desk, "needle")
    assert desk.view.floating.find.place.text() == "No matches"


@pytest.mark.parametrize(
    "text",
    [
        MARKED,
        "word" * 3_000 + " and a word",
        "\n".join(f"- word {n}\n  1. `word` [word](http://word.example)" for n in range(400)),
        "```\n" + "word " * 2_000 + "\nword\n```\nword",
        "|word|" * 70 + "\n" + "|---|" * 70 + "\n" + "|word|" * 70,
        "| a | word |\n|---|---|\n" + "| word | b |\n" * 200,
        "a\u00a0word word\u00a0word\r\nword  \nword $word$ \\\nword &amp; <b>word</b>",
        "<think>\n\n</think>\n\nword",
        "word *word **word*** ~~word~~ # word\n# word #\n***\n1. [x] word\n2. [ ] word",
    ],
)
@pytest.mark.parametrize("needle", ["word", "d w", "word word", "\u00e4", "o"])
def test_as_much_is_counted_as_is_lit(make_column, text, needle):
    desk = make_column()
    exchange = desk.say("hello", text)
    desk.open()
    body = desk.view.stretch.turn_of(exchange).reply.body
    found = [hit for hit in hits_of(exchange, needle, ShownWords()) if hit.is_reply]
    assert [hit.number for hit in found] == list(range(len(found)))
    assert len(found) == len(body.prose.matches(needle))


def test_a_long_reply_is_read_in_helpings_and_once(make_column):
    desk = make_column()
    exchange = desk.say("hello", "Some words and `more`.\n\n" * 4_000)
    shown = ShownWords()
    helpings = list(all_hits([exchange], "more", shown))
    assert len(helpings) > 100
    assert sum(map(len, helpings)) == 4_000
    assert [len(found) for found in all_hits([exchange], "more", shown)] == [0, 4_000]
    exchange.reply = said("more")
    assert sum(map(len, all_hits([exchange], "more", shown))) == 1


def test_another_search_in_the_same_chat_keeps_the_place(make_column):
    desk = make_column()
    for number in range(30):
        desk.say(f"question {number}", "a needle\n\n" + "Some words. " * 60)
    desk.open()
    find(desk, "needle")
    for _ in range(4):
        desk.view.finder.move(1)
        desk.settle()
    shown, value = desk.view.finder.current, desk.bar.value()
    desk.view.finder.search_again()
    desk.until(lambda: desk.view.finder.is_settled)
    assert desk.view.finder.current == shown
    assert desk.bar.value() == value


def test_words_in_an_attachment_are_lit_once_they_are_unfolded(make_column):
    desk = make_column()
    question = Question("needle", (Attachment("a.py", "the needle = 1", "code", "python"),))
    exchange = desk.chat.ask(question)
    exchange.reply = said("yes")
    desk.open()
    find(desk, "needle")
    bubble = desk.turns[0].bubble
    assert bubble.is_folded
    assert desk.view.floating.find.place.text() == "1 of 2"
    bubble.unfold()
    lit = [light.cursor.selectedText() for light in bubble.body.extraSelections()]
    # The one that is shown is lit once more, over the others.
    assert lit == ["needle"] * 3
