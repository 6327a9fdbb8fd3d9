"""A box that lays its children out in lines is as high as its lines are, at every width."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from app.theme import Theme
from app.views.controls import Switch
from app.views.flags.flow import FlowBox


@pytest.fixture
def box(qtbot) -> FlowBox:
    """Three switches in a column that scrolls, as in the inspector."""
    area, theme = QScrollArea(), Theme("light")
    qtbot.addWidget(area)
    area.setWidgetResizable(True)
    inner = QWidget(area)
    made = FlowBox(12, 4, inner)
    for words in ("Speculation", "Replay", "Exclusions"):
        made.add(Switch(words, theme, made))
    column = QVBoxLayout(inner)
    column.addWidget(made)
    column.addStretch(1)
    area.setWidget(inner)
    area.resize(420, 500)
    area.show()
    yield made
    theme.deleteLater()


@pytest.mark.parametrize("widths", [(300, 420), (160, 300), (420, 160), (420, 300, 420, 300)])
def test_every_child_is_in_sight_at_once_whatever_the_width_was_before(box, widths):
    # The layout keeps the hint that it is given at this width.
    box.rearrange()
    box.parentWidget().layout().itemAt(0).sizeHint()
    for width in widths:
        box.window().resize(width, 500)
        assert box.height() == box.heightForWidth(box.width())
        whole = QRect(0, 0, box.width(), box.height())
        assert all(whole.contains(item.geometry()) for item in box.items)
