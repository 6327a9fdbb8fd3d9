"""The palette: what a few letters find, how it is driven, and where the focus goes after it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QPlainTextEdit, QWidget
from shiboken6 import Shiboken

from app.models.chats import Chats
from app.models.commands import Commands
from app.models.conversation import Conversation
from app.theme import Theme
from app.views.menus import Menus
from app.views.palette.entries import MAX_SHOWN
from app.views.palette.matching import folded, match, words_of
from app.views.palette.palette import CommandPalette

KEY = Qt.Key


class Bench:
    """A window with a field and a palette over it."""

    def __init__(self, qtbot) -> None:
        self.window = QMainWindow()
        qtbot.addWidget(self.window)
        self.window.resize(900, 600)
        body = QWidget(self.window)
        self.window.setCentralWidget(body)
        self.field = QPlainTextEdit(body)
        self.commands, self.chats = Commands(self.window), Chats(self.window)
        self.done: list[str] = []
        for id in ("new_chat", "tokens", "regenerate", "step_back", "copy"):
            self.commands.bind(id, lambda id=id: self.done.append(id))
        self.menus = Menus(self.commands, self.window, is_mac=False)
        self.palette = CommandPalette(Theme("light", self.window), self.commands, self.chats, body)
        self.commands.bind("palette", self.palette.toggle)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        self.field.setFocus()

    def chat(self, title: str, **facts) -> Conversation:
        chat = Conversation()
        chat.rename(title)
        for name, value in facts.items():
            setattr(chat, name, value)
        self.chats.take(chat)
        return chat

    def find(self, text: str) -> list[str]:
        self.palette.field.setText(text)
        rows = self.palette.results.rows.rows
        return [row.entry.title for row in rows if row.entry is not None]


@pytest.fixture
def bench(qtbot):
    return Bench(qtbot)


def test_nothing_typed_shows_the_latest_chats_and_the_commands(bench):
    for number in range(8):
        bench.chat(f"Chat {number}", changed=1000.0 + number)
    bench.palette.open_palette()
    titles = bench.find("")
    assert titles[:5] == ["Chat 7", "Chat 6", "Chat 5", "Chat 4", "Chat 3"]
    assert titles[5:] == ["New chat", "Token view", "Answer again"]


def test_words_in_any_order_without_accents_or_case(bench):
    bench.chat("Über die Rekursion")
    bench.chat("日本語の質問")
    bench.palette.open_palette()
    assert bench.find("reku UBER") == ["Über die Rekursion"]
    assert bench.find("本語") == ["日本語の質問"]
    assert bench.find("uber cooking") == []
    assert bench.palette.nothing.isVisible()


def test_a_command_comes_before_a_chat_of_the_same_name(bench):
    bench.chat("Answer again and again")
    bench.palette.open_palette()
    assert bench.find("answer") == ["Answer again", "Answer again and again"]
    # Letters of a command may lie apart.
    assert bench.find("tkv") == ["Token view"]


def test_trash_and_empty_chats_are_not_offered_and_archived_ones_say_so(bench):
    bench.chat("Gone away", trashed=1.0)
    bench.chat("Put away", is_archived=True)
    bench.palette.open_palette()
    assert bench.find("away") == ["Put away"]
    assert bench.palette.results.entry.aside == "Archived"


def test_return_runs_a_command_and_gives_the_focus_back(bench, qtbot):
    qtbot.keyClick(bench.field, KEY.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert bench.palette.is_open
    qtbot.keyClicks(bench.palette.field, "token")
    qtbot.keyClick(bench.palette.field, KEY.Key_Return)
    assert bench.done == ["tokens"]
    assert not bench.palette.is_open
    assert bench.field.hasFocus()


def test_where_the_focus_was_may_be_gone_by_the_end(bench):
    bench.palette.open_palette()
    Shiboken.delete(bench.field)
    bench.palette.close_palette()
    assert not bench.palette.is_open


def test_its_own_key_closes_it_and_so_does_escape_alone(bench, qtbot):
    for key, modifier in (
        (KEY.Key_K, Qt.KeyboardModifier.ControlModifier),
        (KEY.Key_Escape, Qt.KeyboardModifier.NoModifier),
    ):
        bench.palette.open_palette()
        qtbot.keyClick(bench.palette.field, key, modifier)
        assert not bench.palette.is_open
    assert bench.done == []
    qtbot.keyClick(bench.field, KEY.Key_Escape)
    assert bench.done == ["step_back"]


def test_arrows_go_over_headings_and_around(bench, qtbot):
    bench.chat("Only chat")
    bench.palette.open_palette()
    seen = [bench.palette.results.entry.title]
    for _ in range(4):
        qtbot.keyClick(bench.palette.field, KEY.Key_Down)
        seen.append(bench.palette.results.entry.title)
    wanted = ["Only chat", "New chat", "Token view", "Answer again", "Only chat"]
    assert seen == wanted
    qtbot.keyClick(bench.palette.field, KEY.Key_Up)
    assert bench.palette.results.entry.title == "Answer again"


def test_a_chat_and_a_folder_are_told(bench, qtbot):
    chat, folder = bench.chat("Why so"), bench.chats.add_folder("Why not")
    told = []
    bench.palette.chat_chosen.connect(told.append)
    bench.palette.folder_chosen.connect(told.append)
    for text in ("why so", "why not"):
        bench.palette.open_palette()
        bench.find(text)
        qtbot.keyClick(bench.palette.field, KEY.Key_Return)
    assert told == [chat, folder]


def test_a_click_beside_the_card_closes_it(bench, qtbot):
    bench.palette.open_palette()
    qtbot.mouseClick(bench.palette, Qt.MouseButton.LeftButton, pos=bench.palette.rect().topLeft())
    assert not bench.palette.is_open


def test_any_other_command_closes_it(bench):
    bench.palette.open_palette()
    bench.commands.run("new_chat")
    assert not bench.palette.is_open


def test_it_fits_a_window_that_shrinks(bench):
    bench.palette.open_palette()
    bench.window.setMinimumSize(0, 0)
    bench.window.resize(420, 330)
    bench.window.grab()
    assert bench.palette.rect().contains(bench.palette.card.geometry())


def test_only_so_many_are_shown(bench):
    for number in range(MAX_SHOWN + 20):
        bench.chat(f"Same {number}")
    bench.palette.open_palette()
    assert len(bench.find("same")) == MAX_SHOWN


@given(st.text(max_size=30), st.text(max_size=8), st.booleans())
def test_a_match_tells_letters_of_the_title(title, query, scatters):
    assert len(folded(title)) == len(title)
    found = match(folded(title), words_of(query), scatters=scatters)
    if found is not None:
        letters = [folded(title)[place] for place in found.places]
        assert all(letter in letters for word in words_of(query) for letter in word)


@given(st.text(min_size=1, max_size=20))
def test_every_title_is_found_by_itself(title):
    assert match(folded(title), words_of(title)) is not None
