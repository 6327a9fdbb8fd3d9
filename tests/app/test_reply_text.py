"""Text that streams: tints under the right characters, soft splits, copies as plain text."""

import statistics
import time

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from app.models.reply import Piece
from app.theme import Theme
from app.views.paragraphs import SPLIT_UNITS
from app.views.reply_text import ReplyText


@pytest.fixture
def text(qtbot):
    widget = ReplyText(Theme("light"))
    qtbot.addWidget(widget)
    widget.resize(640, 100)
    widget.show()
    return widget


def piece(text, first=0, *origins):
    return Piece(text, first, origins or ("accepted",), 0)


def copied(widget):
    widget.selectAll()
    return widget.createMimeDataFromSelection().text()


def runs(widget):
    return list(widget.paragraphs.places.runs_between(0, 10**9))


def test_runs_follow_origins_and_neighbours_of_one_kind_join(text):
    text.append_pieces([piece("ab"), piece("cd"), piece("e", 2, "corrected")])
    text.append_pieces([piece("f", 3, "corrected"), piece("g", 4, "generated")])
    assert runs(text) == [
        (0, 4, ("accepted",)),
        (4, 6, ("corrected",)),
        (6, 7, ("generated",)),
    ]


def test_a_character_of_several_tokens_shows_each_origin(text):
    text.append_pieces([piece("a"), piece("😀", 1, "accepted", "accepted", "bonus"), piece("b", 4)])
    assert runs(text)[1] == (1, 3, ("accepted", "accepted", "bonus"))
    assert text.paragraphs.places.piece_at(2).first == 1
    assert text.paragraphs.places.piece_at(3).first == 4


def test_a_copy_is_the_plain_text(text):
    said = "Here:\n\n```python\nx = 1\n\treturn 😀\n```\nnbsp\u00a0done  "
    text.append_pieces([piece(character) for character in said])
    assert copied(text) == said


def test_a_part_can_be_copied(text):
    text.append_pieces([piece("first line\nsecond line")])
    cursor = text.textCursor()
    cursor.setPosition(6)
    cursor.setPosition(17, QTextCursor.MoveMode.KeepAnchor)
    text.setTextCursor(cursor)
    assert text.createMimeDataFromSelection().text() == "line\nsecond"


def test_long_paragraphs_split_softly_and_copy_as_one(text):
    said = "x" * 40
    text.append_pieces([piece(said, n, "bonus") for n in range(300)])
    blocks = text.document().blockCount()
    assert 4 <= blocks <= 8
    assert copied(text) == said * 300
    end = runs(text)[-1][1]
    assert end == 40 * 300 + blocks - 1
    assert text.document().characterCount() - 1 == end


def test_one_huge_piece_is_split_too(text):
    text.append_pieces([piece("y" * 25_000)])
    block, longest = text.document().firstBlock(), 0
    while block.isValid():
        longest, block = max(longest, block.length()), block.next()
    assert longest <= SPLIT_UNITS + 1
    assert copied(text) == "y" * 25_000


def test_100_000_unbroken_characters_stay_quick(text, qapp):
    area = QScrollArea()
    area.setWidgetResizable(True)
    column = QWidget()
    QVBoxLayout(column).addWidget(text)
    area.setWidget(column)
    area.resize(660, 700)
    area.show()
    frames = []
    for number in range(2_500):
        begin = time.thread_time()
        text.append_pieces([piece("abcd" * 10, number, "accepted")])
        qapp.processEvents()
        frames.append(time.thread_time() - begin)
    text.setParent(None)
    area.deleteLater()
    assert text.document().characterCount() > 100_000
    # Time of this thread: a busy machine is not a slow paragraph.
    assert statistics.median(frames) < 0.016
    assert statistics.quantiles(frames, n=100)[98] < 0.05
    assert max(frames) < 0.25


def test_tints_are_painted_and_can_be_hidden(text, qapp):
    text.append_pieces([piece("mmmm", 0, "accepted")])
    qapp.processEvents()
    green = Theme("light").origin("accepted").rgb()

    def greens():
        image = text.grab().toImage()
        size = range(image.width()), range(image.height())
        return sum(image.pixel(x, y) == green for x in size[0] for y in size[1])

    assert greens() > 20
    text.show_origins(frozenset({"bonus"}))
    assert greens() == 0


def test_code_in_fences_is_set_in_the_fixed_font(text):
    text.append_pieces([piece("a plain line\n```\nplain too\n```\nafter")])
    document = text.document()
    fonts = []
    for number in range(document.blockCount()):
        cursor = QTextCursor(document.findBlockByNumber(number))
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
        fonts.append("JetBrains Mono" in (cursor.charFormat().fontFamilies() or []))
    assert fonts == [False, True, True, True, False]


def test_other_line_breaks_do_not_shift_the_tints(text):
    text.append_pieces([piece("a\r\nb\u2028c"), piece("tail", 1, "bonus")])
    low, high, _ = runs(text)[-1]
    assert text.paragraphs.plain_text(low, high) == "tail"
