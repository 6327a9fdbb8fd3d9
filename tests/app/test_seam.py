"""What is painted again when a text grows: all that looks different, and little more."""

import numpy as np
import pytest
from PySide6.QtGui import QImage

from app.models.reply import Piece
from app.theme import Theme
from app.views.reply_text import ReplyText
from app.views.seam import changed_from, seam_of
from engine import ORIGINS

PROSE = "Some words to read, and others after them, which are many and go on for a while. " * 5
CODE = "\n\n```python\ndef amount(item):\n    return item.price * 2\n```\nand on it goes, "
TEXTS = (PROSE, PROSE + CODE + PROSE, CODE + CODE, "def amount(item):\n\treturn 2\n" * 3, "W" * 300)


@pytest.fixture
def text(qtbot):
    view = ReplyText(Theme("light"))
    qtbot.addWidget(view)
    view.resize(400, 100)
    view.show()
    return view


def pieces_of(text, size=7):
    parts = [text[at : at + size] for at in range(0, len(text), size)]
    return [Piece(part, n, (ORIGINS[n % len(ORIGINS)],), n) for n, part in enumerate(parts)]


def picture(view) -> QImage:
    return view.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def rows(image: QImage) -> np.ndarray:
    flat = np.frombuffer(image.constBits(), np.uint8)
    return flat.reshape(image.height(), -1).astype(int)


def first_difference(before: QImage, after: QImage) -> int:
    """The first row of pixels in which two pictures of a growing text differ to the eye."""
    height = min(before.height(), after.height())
    # The outline of a taller card is rounded to other shades, one or two levels away.
    differs = (abs(rows(before)[:height] - rows(after)[:height]) > 6).any(axis=1)
    return int(differs.argmax()) if differs.any() else height


@pytest.mark.parametrize("whole", TEXTS)
def test_nothing_above_the_seam_looks_different(text, whole):
    before, document = picture(text), text.document()
    for piece in pieces_of(whole):
        seam = seam_of(document)
        text.append_pieces([piece])
        after = picture(text)
        assert first_difference(before, after) >= int(changed_from(document, seam))
        before = after


def test_of_a_long_paragraph_only_the_end_is_painted_again(text):
    text.append_pieces(pieces_of(PROSE))
    document = text.document()
    seam = seam_of(document)
    text.append_pieces(pieces_of("a word"))
    line = document.lastBlock().layout().boundingRect().height()
    line /= document.lastBlock().layout().lineCount()
    assert document.size().height() - changed_from(document, seam) < 3 * line


def test_a_height_alone_lays_nothing_out_again(text):
    text.append_pieces(pieces_of(PROSE))
    height = text.document().size().height()
    text.setFixedHeight(text.height() + 40)
    assert text.document().size().height() == height
    text.setFixedWidth(200)
    assert text.document().size().height() > height


@pytest.mark.parametrize("whole", TEXTS)
def test_what_is_on_screen_is_what_a_whole_painting_gives(text, qapp, whole):
    for piece in pieces_of(whole):
        text.append_pieces([piece])
        qapp.processEvents()
    shown = qapp.primaryScreen().grabWindow(text.winId()).toImage()
    shown = shown.convertToFormat(QImage.Format.Format_RGB32)
    painted = picture(text)
    assert shown.size() == painted.size()
    assert first_difference(shown, painted) == painted.height()
