"""Tokens of text that goes from right to left, or both ways: each has its mark and is reached."""

import pytest
from PySide6.QtCore import QPointF

from app.models.reply import Piece
from app.theme import Theme
from app.views.token_text import TokenText

TEXTS = {
    "hebrew": ["שלום", " לכל", " העולם", ", מה", " שלומך", "?"],
    "arabic": ["مر", "حبا", " بالعالم", "، كيف", " الحال", "؟"],
    "inside": ["Say ", "שלום", " לכולם", " and", " go", "."],
    "around": ["المكتبة", " Py", "Side", " نسخة", " 6", " جديدة"],
    "lines": ["שלום", " עולם", "\n", "abc", " def", "\n", "مرحبا", " 12"],
    "left": ["abc", " def", " 12"],
}


@pytest.fixture
def make(qtbot, qapp):
    def build(words, origin="accepted", *, width=640, tail=0):
        text = TokenText(Theme("light"))
        qtbot.addWidget(text)
        text.resize(width, 100)
        pieces = [Piece(word, number, (origin,), 0) for number, word in enumerate(words)]
        pieces += [Piece("", len(words) + number, (origin,), 0) for number in range(tail)]
        text.append_pieces(pieces)
        text.num_tokens = len(pieces)
        text.show()
        qapp.processEvents()
        return text

    return build


def rects_of(text, token):
    return text.lines.token_rects(token, token)


@pytest.mark.parametrize("width", [640, 90])
@pytest.mark.parametrize("name", TEXTS)
def test_every_token_has_a_place_of_its_own_and_is_found_there(make, name, width):
    text = make(TEXTS[name], width=width)
    taken = []
    for token, word in enumerate(TEXTS[name]):
        rects = rects_of(text, token)
        assert all(rect.width() > 0 for rect in rects)
        if word == "\n":
            continue
        for rect in rects:
            assert 0 <= rect.left() <= rect.right() <= width
            assert text.lines.token_at(rect.center()) == token
            assert not any(rect.adjusted(1, 1, -1, -1).intersects(other) for other in taken)
        taken += rects


@pytest.mark.parametrize("name", TEXTS)
def test_the_marks_cover_the_words(make, name):
    text = make(TEXTS[name])
    color = text._theme.origin("accepted").rgb()
    image = text.viewport().grab().toImage()
    for token, word in enumerate(TEXTS[name]):
        for rect in rects_of(text, token) if word != "\n" else ():
            low = int(rect.bottom()) - 1
            found = {image.pixel(x, low) for x in range(int(rect.left()) + 1, int(rect.right()))}
            assert found == {color}


def test_the_marks_go_with_text_that_moves(make, qapp):
    text = make([*TEXTS["hebrew"], "\n", "abc"])
    color = text._theme.origin("accepted").rgb()
    for width in (640, 500, 640):
        text.resize(width, 100)
        qapp.processEvents()
        image = text.viewport().grab().toImage()
        rect = rects_of(text, 0)[0]
        assert rect.right() > width - 20
        assert image.pixel(int(rect.center().x()), int(rect.bottom()) - 1) == color


def test_the_end_of_a_reply_stands_where_its_line_ends(make):
    text = make(TEXTS["hebrew"], tail=2)
    ends = [rect for _, _, rect in text.lines.tail()]
    left = rects_of(text, 5)[0].left()
    assert left > ends[0].right() > ends[0].left() > ends[1].right()
    assert text.lines.token_at(ends[1].center()) == 7
    usual = [rect for _, _, rect in make(TEXTS["left"], tail=2).lines.tail()]
    assert usual[0].right() < usual[1].left()


def test_home_end_and_the_lines_above_and_below(make):
    text = make(TEXTS["lines"])
    assert text.lines.line_ends(0) == (0, 2)
    assert text.lines.line_ends(4) == (3, 5)
    assert text.lines.beside(0, 1, rects_of(text, 0)[0].center().x()) in (4, 5)
    assert text.lines.beside(4, 1, 5) == 7
    assert text.lines.token_at(QPointF(320, rects_of(text, 0)[0].center().y())) is None
