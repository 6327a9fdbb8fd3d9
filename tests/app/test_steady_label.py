"""Labels that keep the layout around them still."""

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.views.steady_label import SteadyLabel, SteadyWords

STYLE = "#number { font-size: 30px; font-weight: 600; } #small { font-size: 12px; }"
LONG = "Verifying takes most of the time; looking drafts up takes next to none of it. "


class Layouts(QObject):
    """Counts how often a widget was asked to lay out anew."""

    def __init__(self, watched: QWidget) -> None:
        super().__init__(watched)
        self.count = 0
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


@pytest.fixture
def column(qtbot):
    widget = QWidget()
    widget.setStyleSheet(STYLE)
    widget.resize(240, 200)
    QVBoxLayout(widget)
    qtbot.addWidget(widget)
    return widget


def shown(qtbot, column, label):
    column.layout().addWidget(label)
    column.layout().addStretch(1)
    column.show()
    qtbot.waitExposed(column)
    qtbot.wait(20)
    return Layouts(column)


def plain_size(column, words, name, below):
    label = QLabel(words, column)
    label.setObjectName(name)
    label.setContentsMargins(0, 0, 0, below)
    return label.sizeHint()


@pytest.mark.parametrize(("name", "below"), [("number", 0), ("small", 6), ("", 0)])
def test_a_line_is_as_large_as_a_plain_label(qtbot, column, name, below):
    label = SteadyLabel("12.5", column)
    label.setObjectName(name)
    label.setContentsMargins(0, 0, 0, below)
    shown(qtbot, column, label)
    for words in ("12.5", "1,234.5 tok/s", "–", "roll back · carry", "7"):
        label.show_words(words)
        assert label.text() == words
        assert label.size() == plain_size(column, words, name, below)


def test_words_of_the_same_size_leave_the_layout_alone(qtbot, column):
    label = SteadyLabel("12.5", column)
    layouts = shown(qtbot, column, label)
    label.show_words("52.1")
    qtbot.wait(20)
    assert layouts.count == 0
    label.show_words("152.1")
    qtbot.waitUntil(lambda: layouts.count == 1)


def test_what_changed_while_hidden_fits_when_shown(qtbot, column):
    label = SteadyLabel("12.5", column)
    shown(qtbot, column, label)
    label.hide()
    label.show_words("a good deal more")
    label.show()
    assert label.size() == plain_size(column, "a good deal more", "", 0)


def test_wrapped_words_ask_for_room_only_when_they_take_other_lines(qtbot, column):
    words = SteadyWords(column)
    words.show_words(LONG)
    layouts = shown(qtbot, column, words)
    before = words.height()
    words.show_words(LONG.replace("most", "some"))
    qtbot.wait(20)
    assert layouts.count == 0
    assert words.text() == LONG.replace("most", "some")
    words.show_words(LONG * 3)
    qtbot.waitUntil(lambda: layouts.count == 1)
    assert words.height() > before
    assert words.height() >= words.heightForWidth(words.width())
    words.show_words("Short.")
    qtbot.waitUntil(lambda: words.height() < before)
