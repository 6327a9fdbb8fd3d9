"""The legend under a reply: a second row before words are dropped, and its counts."""

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.models.display import TokenDisplay
from app.theme import Theme
from app.views.legend import Legend
from engine import ORIGINS


@pytest.fixture
def legend(qtbot):
    host = QWidget()
    qtbot.addWidget(host)
    theme = Theme("light", host)
    made = Legend(theme, TokenDisplay(True, host), host)
    column = QVBoxLayout(host)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(made)
    column.addStretch(1)
    host.show()
    yield made
    host.hide()


def set_width(legend, width):
    legend.parentWidget().resize(width, 200)
    legend.parentWidget().layout().activate()


def rows(legend):
    return sorted({item.y() for item in legend.items.values()})


def has_words(legend):
    return [item.width() >= item.full_width() for item in legend.items.values()]


def test_a_second_row_comes_before_words_go(legend):
    whole = legend.sizeHint().width()
    set_width(legend, whole)
    assert (rows(legend), legend.height()) == ([0], 24)
    set_width(legend, whole - 1)
    assert (rows(legend), legend.height()) == ([0, 24], 48)
    assert all(has_words(legend))
    assert all(item.geometry().right() < legend.width() for item in legend.items.values())
    set_width(legend, 200)
    assert (rows(legend), legend.height()) == ([0], 24)
    assert not any(has_words(legend))


def test_a_count_that_grows_past_the_row_opens_another(legend):
    set_width(legend, legend.sizeHint().width() + 2)
    legend.show_counts(dict.fromkeys(ORIGINS, 99))
    assert rows(legend) == [0]
    legend.show_counts(dict.fromkeys(ORIGINS, 100_000))
    legend.parentWidget().layout().activate()
    assert rows(legend) == [0, 24]
    assert all(has_words(legend))
    assert legend.height() == 48
