"""A narrow window: what stands beside the conversation, and the header's badge."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QPushButton, QWidget

from app.models.conversation import Conversation
from app.models.display import TokenDisplay
from app.theme import Theme
from app.views.header import Header
from app.views.inspector.dock import INSPECTOR_WIDTH
from app.views.sidebar import SIDEBAR_WIDTH
from app.views.sides import MIN_CONVERSATION, Sides
from app.views.stylesheet import style_sheet

LEAST = MIN_CONVERSATION + INSPECTOR_WIDTH
WORDS = "Speculation on · 1.1× plain"


class Screen:
    """As much of one as is asked for."""

    def __init__(self, width):
        self.width = width

    def availableGeometry(self):  # noqa: N802
        return QRect(0, 0, self.width, 700)


class Window(QWidget):
    """A window that fits its sides when its width changes."""

    def __init__(self, screen=2000):
        super().__init__()
        self._screen = Screen(screen)
        self.sidebar, self.inspector = QWidget(self), QWidget(self)
        self.button: QAbstractButton = QPushButton(self)
        self.button.setCheckable(True)
        self.sides = Sides(self, self.sidebar, self.inspector, self.button)
        self.resize(640, 480)
        self.show()

    @property
    def beside(self):
        return not self.sidebar.isHidden(), not self.inspector.isHidden()

    def screen(self):
        return self._screen

    def resizeEvent(self, event):
        self.sides.fit()


@pytest.fixture
def make_window(qtbot):
    def make(**options):
        window = Window(**options)
        qtbot.addWidget(window)
        return window

    return make


def test_asked_for_the_inspector_makes_room_for_itself(make_window):
    window = make_window()
    assert window.beside == (True, False)
    window.sides.set_wants_inspector(True, is_asked=True)
    assert window.width() == LEAST
    assert window.beside == (False, True)
    assert window.button.isChecked()
    assert window.inspector.width() == INSPECTOR_WIDTH
    window.sides.set_wants_inspector(False)
    assert window.width() == LEAST
    assert window.beside == (True, False)
    assert not window.button.isChecked()


def test_a_window_that_grows_stays_on_the_screen(make_window):
    window = make_window(screen=1000)
    window.move(360, 20)
    window.sides.set_wants_inspector(True, is_asked=True)
    assert (window.width(), window.y()) == (LEAST, 20)
    assert window.x() < 360
    assert window.frameGeometry().right() <= 999


@pytest.mark.parametrize("is_refused", [False, True])
def test_without_room_the_inspector_takes_what_there_is(make_window, monkeypatch, is_refused):
    window = make_window(screen=2000 if is_refused else LEAST - 1)
    if is_refused:
        # Some systems decide themselves how wide a window is.
        monkeypatch.setattr(window, "resize", lambda *_size: None)
    window.sides.set_wants_inspector(True, is_asked=True)
    assert window.width() == 640
    assert window.beside == (False, True)
    assert window.inspector.width() == 320
    window.sides.fit()
    assert window.beside == (False, True)
    window.sides.set_wants_sidebar(True)
    assert window.beside == (True, False)


def test_a_maximised_window_keeps_its_size(make_window, monkeypatch):
    window = make_window()
    monkeypatch.setattr(window, "isMaximized", lambda: True)
    window.sides.set_wants_inspector(True, is_asked=True)
    assert window.width() == 640
    assert window.beside == (False, True)


def test_opened_in_a_wide_window_it_gives_way_in_a_narrow_one(make_window):
    window = make_window()
    window.resize(LEAST + SIDEBAR_WIDTH, 480)
    window.sides.set_wants_inspector(True, is_asked=True)
    assert window.width() == LEAST + SIDEBAR_WIDTH
    assert window.beside == (True, True)
    window.resize(LEAST + SIDEBAR_WIDTH - 1, 480)
    assert window.beside == (True, False)
    window.resize(LEAST + SIDEBAR_WIDTH, 480)
    assert window.beside == (True, True)


@pytest.fixture
def header(qtbot, qapp):
    theme = Theme("light")
    host = QWidget()
    qtbot.addWidget(host)
    host.setStyleSheet(style_sheet(theme.palette))
    made = Header(theme, TokenDisplay(True, host), host)
    row = QHBoxLayout(host)
    row.setContentsMargins(0, 0, 0, 0)
    row.addWidget(made)
    chat = Conversation(host)
    made.show_chat(chat)
    chat.rename("A long title about the history of speculative decoding and what came of it")
    host.resize(900, 52)
    host.show()
    yield made
    theme.deleteLater()


def test_the_badge_shortens_before_the_title_does(header):
    badge, host = header.badge, header.parentWidget()
    badge.show_state(WORDS, "good", "as it was measured")
    forms = []
    for width in range(900, 340, -1):
        host.resize(width, 52)
        if not forms or badge.text() != forms[-1]:
            forms.append(badge.text())
        host.layout().activate()
        header.layout().activate()
        if badge.text() != "●":
            assert header.title.width() >= 155
        assert badge.accessibleName() == f"{WORDS}. as it was measured"
        assert badge.toolTip().endswith("as it was measured")
    assert forms == [WORDS, "Speculation on", "●"]
    assert badge.toolTip() == f"{WORDS}. as it was measured"
    host.resize(900, 52)
    assert badge.text() == WORDS
    assert badge.toolTip() == "as it was measured"


def test_a_short_title_leaves_more_to_the_badge(header):
    badge, host = header.badge, header.parentWidget()
    badge.show_state(WORDS, "good")
    host.resize(480, 52)
    long_title = badge.text()
    header._chat.rename("Soup")
    assert len(badge.text()) > len(long_title)


def test_a_state_that_comes_while_it_is_narrow_is_short_at_once(header):
    header.parentWidget().resize(390, 52)
    for words, tone in ((WORDS, "good"), ("Speculation off", "caution")):
        header.badge.show_state(words, tone, "why")
        assert header.badge.text() == "●"
        assert header.badge.property("tone") == tone
        assert header.badge.accessibleName() == f"{words}. why"
