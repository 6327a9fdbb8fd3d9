"""Text cut at its end is what it would be had nothing more come."""

import random
from dataclasses import replace

import pytest
from PySide6.QtGui import QTextCursor

from app.models.reply import Piece
from app.theme import Theme
from app.views.paragraph_style import mark_of
from app.views.paragraphs import SPLIT_UNITS
from app.views.reply_text import ReplyText

WORDS = (
    "word ", "\n", "\n\n", "```", "```python\n", "    return x\n", "", "😀", "x" * 150, "a\nb\nc",
    "`", "- item\n", "\r\n", "y" * (SPLIT_UNITS + 40),
)  # fmt: skip
ORIGINS = ("generated", "accepted", "replayed", "corrected", "bonus")


def pieces_by(dice, number):
    made, first = [], 0
    for _ in range(number):
        width = dice.choice((1, 1, 1, 2, 3))
        origins = tuple(dice.choice(ORIGINS[: dice.choice((1, 5))]) for _ in range(width))
        made.append(Piece(dice.choice(WORDS), first, origins, len(made)))
        first += width
    return made


def looks(text):
    """Everything that is shown, or that what comes next depends on."""
    document, paragraphs = text.document(), text.paragraphs
    blocks, block = [], document.firstBlock()
    while block.isValid():
        how, cursor = block.blockFormat(), QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
        fonts = [font.fontFamilies() for font in (cursor.charFormat(), block.charFormat())]
        margins = how.leftMargin(), how.topMargin(), how.bottomMargin(), how.lineHeight()
        blocks.append((block.position(), block.text(), mark_of(block), margins, fonts))
        block = block.next()
    top = document.rootFrame().frameFormat().topMargin()
    return blocks, vars(paragraphs.places), top, text.height()


@pytest.fixture
def made(qtbot):
    def make(pieces=()):
        widget = ReplyText(Theme("light"))
        qtbot.addWidget(widget)
        widget.resize(420, 100)
        widget.show()
        widget.append_pieces(pieces)
        return widget

    return make


@pytest.mark.parametrize("seed", range(12))
def test_what_is_cut_is_as_if_it_had_never_come(made, seed):
    dice = random.Random(seed)
    pieces = pieces_by(dice, 60)
    text = made(pieces)
    for number in sorted(dice.sample(range(1, 60), 6), reverse=True):
        # As a reply that is grown anew has them: equal, and not the same ones.
        known = [replace(each) for each in pieces[:number]]
        assert text.keep_pieces(known) == number
        assert looks(text) == looks(made(known))
    text.append_pieces(pieces[number:])
    assert looks(text) == looks(made(pieces))


def test_only_what_both_begin_with_stays(made):
    pieces = pieces_by(random.Random(99), 30)
    other = [*pieces[:11], replace(pieces[11], text="other"), *pieces[12:]]
    text = made(pieces)
    assert text.keep_pieces(other) == 11
    assert looks(text) == looks(made(pieces[:11]))
    assert text.keep_pieces([]) == 0
    text.append_pieces(pieces[:3])
    assert looks(text) == looks(made(pieces[:3]))


def test_more_of_the_same_cuts_nothing(made):
    pieces = pieces_by(random.Random(5), 30)
    text = made(pieces[:20])
    assert text.keep_pieces(pieces) == 20
    assert looks(text) == looks(made(pieces[:20]))


def test_text_whose_tokens_are_not_told_is_taken_anew(made):
    pieces = [Piece("from disk ", 0, (), 0), *pieces_by(random.Random(3), 5)]
    text = made(pieces)
    assert text.keep_pieces(pieces[1:]) == 0
    text.append_pieces(pieces[1:])
    assert looks(text) == looks(made(pieces[1:]))
