"""A card covers nothing that it speaks of wherever a window has the room for that."""

import random

import pytest
from PySide6.QtCore import QPoint, QRect, QSize

from app.views.card_place import GAP, spot_beside

CARD = QSize(348, 230)
LINE_HEIGHT = 20


def placed(size, room, target, spared):
    spot, is_clear = spot_beside(size, room, target, spared)
    return QRect(spot, size), is_clear


@pytest.mark.parametrize("window", [(640, 480), (1000, 640), (1440, 900)])
@pytest.mark.parametrize("corner", [(0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0.5)])
def test_in_each_corner_neither_the_line_nor_the_source_is_covered(window, corner):
    room = QRect(QPoint(0, 0), QSize(*window))
    line = QRect(0, 0, window[0], LINE_HEIGHT)
    line.moveTop(round(corner[1] * (window[1] - LINE_HEIGHT)))
    target = QRect(round(corner[0] * (window[0] - 30)), line.top(), 30, LINE_HEIGHT)
    source = QRect(window[0] // 2, 0, 200, 3 * LINE_HEIGHT)
    source.moveTop(50 if line.top() > 200 else window[1] - 110)
    card, is_clear = placed(CARD, room, target, [line, source])
    assert room.contains(card)
    if is_clear:
        assert not any(card.intersects(each) for each in (target, line, source))
    # Only in the middle of the small window neither half is high enough.
    assert is_clear or (window == (640, 480) and corner == (0.5, 0.5))
    assert not card.intersects(target)


def test_below_comes_first_then_above_then_beside():
    room, target = QRect(0, 0, 1000, 800), QRect(300, 400, 40, LINE_HEIGHT)
    assert placed(CARD, room, target, [])[0].topLeft() == QPoint(300, 420 + GAP)
    below = QRect(0, 430, 1000, LINE_HEIGHT)
    assert placed(CARD, room, target, [below])[0].topLeft() == QPoint(300, 400 - GAP - 230)
    above = QRect(0, 380, 1000, LINE_HEIGHT)
    card, is_clear = placed(CARD, room, target, [above, below])
    assert (card.topLeft(), is_clear) == (QPoint(300, 380 - GAP - 230), True)
    high = QRect(0, 500, 1000, 300), QRect(0, 0, 1000, 300)
    wide = QRect(0, 400, 360, LINE_HEIGHT)
    card, is_clear = placed(CARD, room, target, [*high, wide])
    assert is_clear is False
    assert not card.intersects(target)
    low = [QRect(0, 300, 330, 300)]
    card, is_clear = placed(QSize(348, 560), room, target, low)
    assert is_clear
    assert card.left() == 340 + GAP


def is_any_free(size, room, kept):
    """By trying every place, the gap around what is kept included."""
    grown = [each.adjusted(-GAP, -GAP, GAP, GAP) for each in kept]
    return any(
        not any(QRect(x, y, size.width(), size.height()).intersects(each) for each in grown)
        for x in range(room.width() - size.width() + 1)
        for y in range(room.height() - size.height() + 1)
    )


def test_a_free_place_is_found_wherever_there_is_one():
    dice = random.Random(7)
    size, room = QSize(14, 10), QRect(0, 0, 28, 24)
    seen = set()
    for _ in range(60):
        kept = [
            QRect(
                dice.randrange(28), dice.randrange(24), dice.randrange(1, 24), dice.randrange(1, 8)
            )
            for _ in range(dice.randrange(1, 5))
        ]
        card, is_clear = placed(size, room, kept[0], kept[1:])
        assert room.contains(card)
        assert is_clear == (not any(card.intersects(each) for each in kept))
        if is_any_free(size, room, kept):
            assert is_clear
        seen.add(is_clear)
    assert seen == {True, False}


def test_without_room_the_least_important_is_covered():
    room, target = QRect(0, 0, 400, 250), QRect(10, 0, 30, LINE_HEIGHT)
    line, source = QRect(0, 0, 400, LINE_HEIGHT), QRect(0, 200, 400, LINE_HEIGHT)
    card, is_clear = placed(QSize(348, 220), room, target, [line, source])
    assert not is_clear
    assert not card.intersects(line)
    assert card.intersects(source)
