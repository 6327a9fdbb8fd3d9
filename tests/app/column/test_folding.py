"""What is folded away in a question, and what a reply without words says."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from app.models.question import Attachment, Question
from app.models.reply import Piece, Reply
from app.views.messages import FOLD_CHARACTERS, PromptBubble
from app.views.reply_text import SourceRange
from tests.app.trace_replies import reply_of, said, trace

CODE = Attachment("orders & more.py", "def total(x):\n    return x\n" * 30, "code", "python")
PASTE = Attachment("", "Pasted words. " * 300)


def words_of(widget):
    return [label.text() for label in widget.findChildren(QLabel)]


def test_attachments_are_named_and_folded_away(make_column):
    desk = make_column()
    exchange = desk.chat.ask(Question("What is this?", (CODE, PASTE)))
    exchange.reply = said("A file.")
    desk.open()
    bubble = desk.turns[0].bubble
    assert bubble.body.toPlainText() == "What is this?"
    assert words_of(bubble.fold) == ["orders & more.py", "810 B", "Pasted text", "4 KB"]
    chips = bubble.fold.chips
    for width in (760, 430):
        desk.resize(width, 800)
        desk.settle()
        assert all(chips.rect().contains(chip.geometry()) for chip in chips.items)
    bubble.fold.button.click()
    desk.settle()
    assert not bubble.is_folded
    text = bubble.body.paragraphs.plain_text(0, bubble.body.paragraphs.end)
    assert text == exchange.prompt


def test_a_source_in_an_attachment_unfolds_it(make_column):
    desk = make_column()
    exchange = desk.chat.ask(Question("What?", (CODE,)))
    exchange.reply = said("A file.")
    desk.open()
    bubble = desk.turns[0].bubble
    bubble.show_source([SourceRange(0, 4)])
    bubble.reveal_source()
    assert bubble.is_folded
    start = exchange.prompt.index("return")
    bubble.show_source([SourceRange(start, start + 6)])
    assert bubble.is_folded
    bubble.reveal_source()
    assert not bubble.is_folded
    ((low, high, _),) = bubble.body.sources
    assert bubble.body.paragraphs.plain_text(low, high) == "return"


def test_without_words_only_the_names_are_there(make_column):
    desk = make_column()
    exchange = desk.chat.ask(Question("  ", tuple([CODE] * 12)))
    exchange.reply = said("Files.")
    desk.open()
    bubble = desk.turns[0].bubble
    assert not bubble.body.isVisible()
    assert words_of(bubble.fold)[-1] == "and 4 more"
    bubble.unfold()
    desk.settle()
    assert bubble.body.isVisible()
    assert bubble.num_shown == len(exchange.prompt)


@pytest.mark.parametrize("blank", [" ", "\n"])
def test_a_long_text_is_cut_between_words(make_column, blank):
    desk = make_column()
    text = blank.join(["longword"] * FOLD_CHARACTERS)
    bubble = PromptBubble(text, desk.theme, desk)
    assert bubble.is_folded
    assert set(bubble.body.toPlainText().split()) == {"longword"}
    bubble.unfold()
    bubble.reveal(len(text))
    assert bubble.body.paragraphs.plain_text(0, bubble.body.paragraphs.end) == text


def finished(text: str) -> Reply:
    reply = Reply()
    reply.phase = "finished"
    if text:
        reply.pieces.append(Piece(text, 0, (), 0))
    return reply


@pytest.mark.parametrize(
    ("text", "in_markdown", "in_tokens"),
    [
        ("", True, True),
        (" \n", True, True),
        ("<think>\n\n</think>\n\n", True, False),
        ("yes", False, False),
        ("<think>hm</think>", False, False),
    ],
)
def test_a_reply_without_text_says_so(make_column, text, in_markdown, in_tokens):
    desk = make_column()
    exchange = desk.chat.ask("hello")
    exchange.reply = finished(text)
    desk.open()
    view = desk.turns[0].reply
    assert view.nothing.isVisible() is in_markdown
    desk.display.set_on(True)
    desk.settle()
    assert view.nothing.isVisible() is in_tokens


def test_details_are_offered_where_there_is_a_trace(make_column):
    desk = make_column()
    exchange = desk.chat.ask("hello")
    exchange.reply = finished("imported")
    desk.open()
    details = desk.turns[0].reply.row.details
    assert not details.isVisible()
    desk.display.set_on(True)
    desk.settle()
    assert not details.isVisible()
    exchange.variant.is_stored = True
    desk.chat.publish(exchange)
    assert details.isVisible()
    exchange.variant.is_stored = False
    exchange.reply = reply_of(trace("local"))
    desk.chat.publish(exchange)
    assert details.isVisible()


def test_the_focus_frame_is_outside_of_the_letters(make_column):
    desk = make_column(is_tokens=True)
    exchange = desk.chat.ask("hello")
    exchange.reply = reply_of(trace("local"))
    desk.open()
    desk.activateWindow()
    text, ring = desk.turns[0].reply.text, desk.view.attention._ring
    assert not ring.isVisible()
    text.setFocus(Qt.FocusReason.TabFocusReason)
    QApplication.processEvents()
    inside = text.rect().translated(text.mapTo(ring.parentWidget(), text.rect().topLeft()))
    assert ring.isVisible()
    assert ring.geometry().adjusted(4, 3, -4, -3).contains(inside)
    assert ring.parentWidget().rect().contains(ring.geometry())
    desk.resize(600, 700)
    desk.settle()
    assert ring.width() - text.width() == 18
    desk.inspection.show_reply(exchange.reply)
    desk.inspection.select_token(3)
    assert not ring.isVisible()
