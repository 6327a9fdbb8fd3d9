"""Another theme reaches everything in a window, what is seen first, and looks as from the start."""

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QMainWindow,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.theme import DARK, LIGHT, Theme
from app.views import restyling as module
from app.views.markdown.view import MarkdownView
from app.views.restyling import Restyling
from app.views.stylesheet import style_sheet, theme_mark, window_sheet


class Bare(QMainWindow):
    """A window with a bit of everything, some of it hidden."""

    def __init__(self, name):
        super().__init__()
        self.theme = Theme(name, self)
        self.body = QWidget(self)
        self.body.setObjectName("sidebar")
        self.setCentralWidget(self.body)
        column = QVBoxLayout(self.body)
        self.label, self.button = QLabel("words", self.body), QPushButton("Send", self.body)
        self.label.setObjectName("muted")
        self.button.setObjectName("send")
        self.hidden = QLabel("hidden", self.body)
        self.hidden.setObjectName("error_title")
        for widget in (self.label, self.button, self.hidden):
            column.addWidget(widget)
        self.button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hidden.hide()
        self.restyling = Restyling(self.theme, self)
        self.resize(300, 200)


@pytest.fixture
def make_window(qtbot):
    def make(name="light"):
        window = Bare(name)
        qtbot.addWidget(window)
        window.show()
        qtbot.waitExposed(window)
        return window

    return make


def settle(qtbot, window):
    qtbot.waitUntil(lambda: not window.restyling.isActive())


def text_color(widget):
    widget.ensurePolished()
    return widget.palette().color(widget.foregroundRole()).name()


@pytest.mark.parametrize(("first", "then"), [("light", "dark"), ("dark", "light")])
def test_it_looks_as_one_that_was_made_in_this_theme(make_window, qtbot, first, then):
    window, expected = make_window(first), make_window(then)
    other = window.grab().toImage()
    window.theme.choose(then)
    settle(qtbot, window)
    assert window.updatesEnabled()
    assert window.grab().toImage() == expected.grab().toImage()
    assert window.grab().toImage() != other
    window.hidden.show()
    expected.hidden.show()
    assert window.grab().toImage() == expected.grab().toImage()


def test_what_is_hidden_comes_last_and_a_slice_a_turn(make_window, qtbot, monkeypatch):
    monkeypatch.setattr(module, "SLICE_SECONDS", 0.0)
    window = make_window()
    done = []
    monkeypatch.setattr(
        module, "_restyle", lambda widget: done.append(widget) or widget.style().polish(widget)
    )
    window.theme.choose("dark")
    assert done == []
    assert not window.updatesEnabled()
    window.restyling.timeout.emit()
    assert done == [window]
    settle(qtbot, window)
    assert done.index(window.body) < done.index(window.label) < done.index(window.hidden)
    assert text_color(window.label) == DARK.muted
    assert text_color(window.hidden) == DARK.error


def test_the_last_of_several_themes_holds(make_window, qtbot, monkeypatch):
    monkeypatch.setattr(module, "SLICE_SECONDS", 0.0)
    window = make_window()
    for name in ("dark", "light", "dark", "light"):
        window.theme.choose(name)
        window.restyling.timeout.emit()
    settle(qtbot, window)
    assert window.updatesEnabled()
    assert text_color(window.label) == LIGHT.muted
    assert text_color(window.hidden) == LIGHT.error


def test_a_dialog_over_the_window_follows_and_a_new_one_begins_so(make_window, qtbot):
    window = make_window()
    open_one = QDialog(window)
    words = QLabel("words", open_one)
    words.setObjectName("muted")
    open_one.show()
    window.theme.choose("dark")
    fresh = QLabel("fresh", window.body)
    fresh.setObjectName("muted")
    fresh.show()
    assert text_color(fresh) == DARK.muted
    settle(qtbot, window)
    assert open_one.updatesEnabled()
    assert text_color(words) == DARK.muted


def test_what_is_gone_meanwhile_is_left_out(make_window, qtbot):
    window = make_window()
    sheet = QDialog(window)
    sheet.show()
    window.theme.choose("dark")
    for widget in (sheet, window.label):
        widget.setParent(None)
        widget.deleteLater()
    qtbot.wait(0)
    settle(qtbot, window)
    assert window.updatesEnabled()
    assert text_color(window.button) == DARK.on_accent or not window.button.isEnabled()


def test_the_sheet_of_a_window_has_every_rule_of_every_theme():
    sheet = window_sheet()
    for palette in (LIGHT, DARK):
        mark = f"#{theme_mark(palette)} "
        assert style_sheet(palette).count("{") + 1 == sum(
            line.startswith(mark) for line in sheet.split("\n")
        )
        assert f"{mark}QPushButton:hover {{ background: {palette.hover}; }}" in sheet
        both = f"{mark}QFileDialog QToolButton:hover, {mark}QFileDialog QToolButton:checked {{"
        assert both in sheet


def test_markdown_that_nobody_sees_waits(make_window, qtbot, monkeypatch):
    window = make_window()
    seen, unseen = MarkdownView(window.theme, window.body), MarkdownView(window.theme, window.body)
    for view, place in ((seen, QPoint(0, 0)), (unseen, QPoint(0, 900))):
        view.resize(200, 50)
        view.set_source("> words", is_over=True)
        view.move(place)
        view.show()
    told = []
    for view in (seen, unseen):
        for column in view.columns():
            monkeypatch.setattr(column, "restyle", lambda view=view: told.append(view))
    window.theme.choose("dark")
    assert told == [seen]
    qtbot.waitUntil(lambda: told == [seen, unseen])
    settle(qtbot, window)


class Painted(QObject):
    """How often a widget was painted."""

    def __init__(self, widget):
        super().__init__(widget)
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched, event):
        self.times += event.type() == QEvent.Type.Paint
        return False


def test_the_window_is_painted_again_though_a_request_came_while_it_stood_still(make_window, qtbot):
    window = make_window()
    qtbot.wait(50)
    window.theme.choose("dark")
    assert not window.updatesEnabled()
    # As a system does that asks for what is to be painted at its own pace.
    window.label.update()
    QApplication.sendEvent(window, QEvent(QEvent.Type.UpdateRequest))
    settle(qtbot, window)
    painted = Painted(window.label)
    window.label.setText("more")
    qtbot.waitUntil(lambda: painted.times > 0, timeout=2_000)
