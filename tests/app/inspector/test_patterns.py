"""Kinds are told apart without colour, in both themes."""

from itertools import combinations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from app.theme import Theme
from app.views.inspector.bars import SHORTEST, Part, PartsBar, widths
from app.views.inspector.patterns import PatternLegend, Patterns
from engine import ORIGINS

SIDE = 24
FAR = 40


def gray(theme, kind):
    """A bar in shades of grey, as a list of them."""
    image = QImage(SIDE, SIDE, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.palette.raised))
    painter = QPainter(image)
    Patterns(theme).fill(painter, kind, QRectF(0, 0, SIDE, SIDE))
    painter.end()
    image = image.convertToFormat(QImage.Format.Format_Grayscale8)
    return [image.pixelColor(x, y).red() for x in range(SIDE) for y in range(SIDE)]


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize(
    "kinds",
    [(*ORIGINS, "rejected", "excluded"), ("interface", "draft", "verify", "rollback", "emit")],
)
def test_a_grey_picture_still_tells_the_kinds_apart(qapp, name, kinds):
    theme = Theme(name)
    bars = {kind: gray(theme, kind) for kind in kinds}
    for one, other in combinations(kinds, 2):
        pairs = zip(bars[one], bars[other], strict=True)
        differing = sum(abs(a - b) >= FAR for a, b in pairs) / SIDE**2
        assert differing > 0.1, (one, other, differing)


def test_every_part_that_took_time_is_seen():
    found = widths([0.00003, 0.0412, 0.0, 0.0004], 300)
    assert found[0] == SHORTEST
    assert found[2] == 0
    assert sum(found) == pytest.approx(300)
    assert widths([0.0, 0.0], 300) == [0.0, 0.0]


def test_a_bar_names_the_part_under_the_mouse(qtbot, theme):
    bar = PartsBar(theme, "Time")
    qtbot.addWidget(bar)
    bar.resize(300, 20)
    bar.show_parts(
        (Part("draft", 1, "draft 1"), Part("verify", 3, "verify 3"), Part("emit", 0, "x"))
    )
    places = [rect.center().toPoint() for rect in bar.rects()[:2]]
    assert [bar.words_at(place) for place in places] == ["draft 1", "verify 3"]
    assert bar.accessibleDescription() == "draft 1, verify 3"
    assert not bar.grab().isNull()


def test_the_legend_wraps(qtbot, theme):
    legend = PatternLegend(theme, tuple((origin, origin) for origin in ORIGINS))
    qtbot.addWidget(legend)
    assert legend.heightForWidth(120) > legend.heightForWidth(600)
    assert legend.accessibleName() == ", ".join(ORIGINS)
    assert not legend.grab().isNull()
