"""A narrow window: what stands beside the conversation, and the header's badge."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QEvent, QObject
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
WIDE = LEAST + SIDEBAR_WIDTH
SIDEBAR_FROM = 760
WORDS = "Speculation on · 1.1× plain"


class Window(QWidget):
    """A window that fits its sides when its width changes."""

    def __init__(self):
        super().__init__()
        self.sidebar, self.inspector = QWidget(self), QWidget(self)
        self.button: QAbstractButton = QPushButton(self)
        self.button.setCheckable(True)
        self.opener: QAbstractButton = QPushButton(self)
        self.sides = Sides(self, self.sidebar, self.inspector, self.button, self.opener)
        self.resize(WIDE, 480)
        self.show()

    @property
    def beside(self):
        return not self.sidebar.isHidden(), not self.inspector.isHidden()

    def resizeEvent(self, event):
        self.sides.fit()


@pytest.fixture
def window(qtbot):
    window = Window()
    qtbot.addWidget(window)
    return window


def test_in_a_narrow_window_the_side_bar_hides_and_a_button_brings_it_back(window):
    window.resize(SIDEBAR_FROM, 480)
    assert window.beside == (True, False)
    assert window.opener.isHidden()
    window.resize(SIDEBAR_FROM - 1, 480)
    assert window.beside == (False, False)
    assert not window.opener.isHidden()
    window.resize(640, 480)
    window.opener.click()
    assert window.width() == 640
    assert window.beside == (True, False)
    assert window.opener.isHidden()
    window.resize(639, 480)
    assert window.beside == (False, False)
    window.resize(SIDEBAR_FROM, 480)
    assert window.beside == (True, False)


def test_the_command_hides_what_is_there_and_brings_what_is_not(window):
    window.sides.toggle_sidebar()
    assert (window.beside[0], window.sides.wants_sidebar) == (False, False)
    assert not window.opener.isHidden()
    window.sides.toggle_sidebar()
    assert (window.beside[0], window.sides.wants_sidebar) == (True, True)
    window.resize(640, 480)
    assert (window.beside[0], window.sides.is_sidebar_shown) == (False, False)
    window.sides.toggle_sidebar()
    assert (window.beside[0], window.sides.wants_sidebar) == (True, True)


@pytest.mark.parametrize(("width", "taken"), [(640, 320), (720, 368), (LEAST, 368)])
def test_asked_for_the_inspector_takes_room_and_the_window_does_not_grow(window, width, taken):
    window.resize(width, 480)
    assert not window.button.isChecked()
    window.sides.set_wants_inspector(True, is_asked=True)
    assert window.width() == width
    assert window.beside == (False, True)
    assert window.button.isChecked()
    assert window.inspector.width() == taken
    assert window.opener.isHidden() == (width < LEAST)
    window.sides.fit()
    assert window.beside == (False, True)
    window.sides.set_wants_inspector(False)
    assert window.beside == (width >= SIDEBAR_FROM, False)
    assert not window.button.isChecked()


def test_of_two_that_were_asked_for_the_later_one_stays(window):
    window.resize(640, 480)
    window.sides.set_wants_inspector(True, is_asked=True)
    window.sides.toggle_sidebar()
    assert window.beside == (True, False)
    window.sides.set_wants_inspector(True, is_asked=True)
    assert window.beside == (False, True)


def test_opened_in_a_wide_window_it_gives_way_in_a_narrow_one(window):
    window.sides.set_wants_inspector(True, is_asked=True)
    assert window.width() == WIDE
    assert window.beside == (True, True)
    window.resize(WIDE - 1, 480)
    assert window.beside == (True, False)
    window.resize(WIDE, 480)
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
    assert forms == [WORDS, "1.1× plain", "●"]
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


def test_for_the_title_and_the_models_name_the_badge_goes_and_then_the_switch(make_desk):
    desk = make_desk()
    header = desk.window.header
    desk.ask("Which lamp is good for a long hall?")
    desk.chats.current.rename("Which lamp is good for a long hall?")
    seen = []
    desk.window.show_pane("live")
    for width in (*range(1440, 700, -40), *range(700, 639, -5)):
        desk.window.resize(width, 700)
        if not desk.window.is_inspector_shown:
            desk.window.header.panel.click()
        desk.settle()
        shown = not header._badge_place.isHidden(), not header.tokens.isHidden()
        if shown not in seen:
            seen.append(shown)
        assert header.title.width() >= 80, width
        assert header.model.text() == "Demo model ▾", width
        buttons = (header.model, header._badge_place, header.tokens, header.traces, header.panel)
        at = [each.geometry() for each in (header.title, *buttons) if not each.isHidden()]
        assert all(one.right() < other.left() for one, other in pairwise(at))
        assert at[-1].right() <= header.width()
    assert seen == [(True, True), (False, True), (False, False)]
    desk.window.resize(1440, 700)
    desk.settle()
    assert not header.tokens.isHidden()
    assert not header._badge_place.isHidden()


def test_a_header_that_is_laid_out_asks_for_nothing_more(header, qtbot):
    class Requests(QObject):
        num = 0

        def eventFilter(self, watched, event):
            self.num += event.type() == QEvent.Type.LayoutRequest
            return False

    requests = Requests(header)
    header.side.show()
    qtbot.wait(20)
    header.installEventFilter(requests)
    qtbot.wait(20)
    assert requests.num == 0
    header.side.hide()
    qtbot.wait(20)
    assert 1 <= requests.num <= 5
