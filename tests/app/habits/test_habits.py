"""Commands meet the app: what each does to the models, and what is remembered of it."""

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QWidget

from app.controllers.organise import Organiser
from app.main.commanding import Parts, neighbour
from app.main.habits import Habits, Home
from app.models.chat_settings import ChatSettings, plain_settings
from app.models.chats import Chats
from app.models.display import TokenDisplay
from app.models.inspection import Inspection
from app.models.model_state import ModelState
from app.models.reply import Piece
from app.models.text_size import TextSize
from app.settings import Settings
from app.theme import Theme
from app.views.column.find_bar import FindBar
from app.views.composer import Composer
from app.views.conversation_view import ConversationView
from app.views.header import Header
from app.views.preferences import Preferences
from app.views.sidebar import Sidebar
from engine import SamplingParams


class Loader:
    """Remembers after how long the model is unloaded."""

    idle_minutes = 15.0

    def set_idle_minutes(self, minutes: float) -> None:
        self.idle_minutes = minutes


class Controller(QObject):
    """Writes down what it is asked for."""

    running_changed = Signal(object)
    answered = Signal(object, object)

    def __init__(self, chats: Chats) -> None:
        super().__init__(chats)
        self.done: list[tuple] = []
        self.is_busy, self.can_answer = False, True
        self.new_chat, self.open_chat = chats.new, chats.open
        self.loader = Loader()

    def stop(self) -> None:
        self.done.append(("stop",))

    def regenerate(self, exchange) -> None:
        self.done.append(("regenerate", exchange))

    def resume(self, exchange) -> None:
        self.done.append(("resume", exchange))


class Window(QMainWindow):
    """The views that commands act on, without the rest of the window."""

    def __init__(self, theme, chats, display, size) -> None:
        super().__init__()
        body = QWidget(self)
        self.setCentralWidget(body)
        model = ModelState(self)
        self.sidebar = Sidebar(theme, chats, model, body)
        self.header = Header(theme, display, body)
        self.conversation = ConversationView(theme, display, model, Inspection(self), body, size)
        self.composer = Composer(theme, body)
        row = QHBoxLayout(body)
        for view in (self.sidebar, self.header, self.conversation):
            row.addWidget(view)
        self.panes: list[str] = []
        self.show_pane = self.panes.append
        self.focus_reply = lambda: None
        chats.current_changed.connect(self.conversation.show_chat)
        self.conversation.show_chat(chats.current)


class Bench:
    """Habits over models and views of their own."""

    def __init__(self, qtbot, tmp_path) -> None:
        self.root = QObject()
        self.theme = Theme("light", self.root)
        self.chats = Chats(self.root)
        self.display, self.size = TokenDisplay(True, self.root), TextSize(15, self.root)
        self.window = Window(self.theme, self.chats, self.display, self.size)
        qtbot.addWidget(self.window)
        self.controller = Controller(self.chats)
        self.organiser = Organiser(self.chats, lambda _chat: None, self.root)
        self.remembered: dict[str, object] = {}
        self.themes: list[str] = []
        parts = Parts(
            self.window,
            self.chats,
            self.controller,
            self.organiser,
            SimpleNamespace(),
            self.display,
            self.size,
        )
        self.habits = Habits(
            parts,
            self.theme,
            Settings(notify=False),
            self.remembered.update,
            self.themes.append,
            Home(tmp_path),
            self.root,
        )
        self.commands = self.habits.commands
        self.window.resize(1200, 700)
        self.window.show()

    def ask(self, title="A chat"):
        chat = self.chats.new()
        exchange = chat.ask("Why?")
        chat.rename(title)
        exchange.reply.pieces = [Piece("<think>Hm</think>\n\nBecause.", 0, (), 0)]
        exchange.reply.phase, exchange.reply.stop = "finished", "eos"
        chat.publish(exchange)
        return exchange


@pytest.fixture
def bench(qtbot, tmp_path):
    bench = Bench(qtbot, tmp_path)
    yield bench
    bench.habits.close()
    bench.root.deleteLater()


def test_all_commands_are_bound_but_those_of_the_session(bench):
    unbound = {each.id for each in bench.commands.items if not bench.commands.is_bound(each.id)}
    assert unbound == {"step_back", "sidebar", "diagnostics", "models", "get_models"}


def test_an_empty_chat_has_nothing_to_copy_find_or_keep(bench):
    for id in ("copy_reply", "find", "regenerate", "resume", "edit_last", "pin", "delete_chat"):
        assert not bench.commands.is_possible(id), id
    assert not bench.commands.is_possible("stop")
    assert not bench.commands.is_possible("export_markdown")


def test_the_last_reply_is_copied_without_its_thoughts(bench):
    bench.ask()
    bench.commands.run("copy_reply")
    assert QGuiApplication.clipboard().text() == "Because."


def test_replies(bench):
    exchange = bench.ask()
    assert bench.commands.run("regenerate")
    assert not bench.commands.run("resume")
    exchange.reply.stop = "cancelled"
    assert bench.commands.run("resume")
    assert bench.controller.done == [("regenerate", exchange), ("resume", exchange)]
    bench.controller.is_busy, bench.controller.can_answer = True, False
    assert not bench.commands.run("regenerate")
    assert bench.commands.run("stop")


def test_the_last_question_is_edited_in_its_place(bench):
    exchange = bench.ask()
    bench.commands.run("edit_last")
    turn = bench.window.conversation.reveal(exchange)
    assert turn.is_busy


def test_find_opens_the_bar(bench):
    bench.ask()
    bench.commands.run("find")
    assert bench.window.conversation.findChild(FindBar).isVisible()


def test_switches_and_sizes(bench):
    assert bench.commands.is_on("tokens")
    bench.commands.run("tokens")
    assert not bench.display.is_on
    bench.commands.run("bigger")
    assert bench.remembered == {"text_size": 16}
    bench.commands.run("actual_size")
    assert bench.size.pixels == 15
    bench.commands.run("pane_step")
    assert bench.window.panes == ["step"]


def test_chats_are_walked_as_the_side_bar_shows_them(bench):
    for title in ("one", "two", "three"):
        bench.ask(title)
    for number, chat in enumerate(bench.chats.items):
        chat.changed = 1e9 - number
    one = next(chat for chat in bench.chats.items if chat.title == "one")
    one.set_pinned(True)
    bench.chats.open(one)
    assert not bench.commands.is_possible("previous_chat")
    seen = []
    while bench.commands.run("next_chat"):
        seen.append(bench.chats.current.title)
    assert seen == ["three", "two"]
    assert neighbour(bench.chats, -1).title == "three"


def test_the_open_chat_is_pinned_archived_and_put_in_the_trash(bench):
    chat = bench.ask()
    chat = bench.chats.current
    bench.commands.run("pin")
    assert chat.is_pinned
    assert bench.commands.is_on("pin")
    bench.commands.run("pin")
    assert not chat.is_pinned
    bench.commands.run("archive")
    assert chat.is_archived
    bench.commands.run("delete_chat")
    assert chat.trashed is not None


def test_themes_are_chosen_in_the_menu_and_remembered(bench):
    bench.commands.run("theme_dark")
    assert bench.themes == ["dark"]
    assert bench.remembered == {"theme": "dark"}
    assert bench.commands.is_on("theme_dark")
    assert not bench.commands.is_on("theme_auto")


def test_preferences_are_remembered_at_once(bench):
    bench.chats.defaults = ChatSettings(max_tokens=7)
    bench.commands.run("preferences")
    (sheet,) = bench.window.findChildren(Preferences)
    assert not sheet.notify.isChecked()
    sheet.notify.click()
    sheet.words.click()
    assert sheet.idle.buttons["15"].isChecked()
    sheet.idle.buttons["60"].click()
    assert bench.habits._parts.controller.loader.idle_minutes == 60
    warm = ChatSettings(sampling=SamplingParams(temperature=0.5))
    sheet.defaults_changed.emit(warm)
    sheet.flags.click()
    assert bench.remembered == {
        "notify": True,
        "notify_words": True,
        "idle_unload_minutes": 60,
        "defaults": plain_settings(warm),
    }
    assert bench.habits.notifier.is_on
    assert bench.chats.new().settings == warm
    assert bench.window.panes == ["settings"]


def test_a_folder_of_the_palette_is_shown_in_the_side_bar(bench):
    folder = bench.chats.add_folder("Physics")
    bench.habits.palette.folder_chosen.emit(folder)
    thing = bench.window.sidebar.list.current_thing()
    assert (thing.kind, thing.number) == ("folder", folder.id)
