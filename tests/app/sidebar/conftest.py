"""A side bar over chats of its own, with the controllers that answer it."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.controllers.finding import Finder
from app.controllers.organise import Organiser
from app.main.sidebar import connect_sidebar
from app.models.chats import Chats
from app.models.conversation import Conversation
from app.models.exchange import Exchange
from app.models.grouping import Place
from app.models.model_state import ModelState
from app.models.playback import Playback
from app.storage import Hit
from app.theme import Theme
from app.views.sidebar import Sidebar
from app.views.sidebar.rows import Heading
from engine import read_trace

DAY = 86_400
TRACES = Path(__file__).parents[2] / "traces"


@dataclass
class Bench:
    """What a test of the side bar works with."""

    chats: Chats
    organiser: Organiser
    bar: Sidebar
    theme: Theme
    found: list[Hit] = field(default_factory=list)
    loaded: list[Conversation] = field(default_factory=list)
    chosen: list[Conversation] = field(default_factory=list)

    def add(self, title: str, days_ago: float = 0.0, **facts: object) -> Conversation:
        """A chat that is kept."""
        chat = stored(title, days_ago, **facts)
        self.chats.take(chat)
        self.settle()
        return chat

    def add_unseen(self, title: str) -> Conversation:
        """The same, and the side bar hears of it in its own time."""
        chat = stored(title)
        self.chats.take(chat)
        return chat

    def settle(self) -> None:
        """Let the side bar take over what has changed."""
        QTest.qWait(1)
        self.bar.list.regroup()

    def until(self, is_true: Callable[[], bool]) -> None:
        """Wait for a condition; whether it came is for the test to say."""
        deadline = time.monotonic() + 5
        while not is_true() and time.monotonic() < deadline:
            QTest.qWait(5)

    @property
    def shown(self) -> list[str]:
        """The rows as they read: headings in brackets."""
        rows = self.bar.list.rows
        found = (rows.row(rows.index(number, 0)) for number in range(rows.rowCount()))
        return [
            f"[{row.name}]" if isinstance(row, Heading) else getattr(row, "title", "…")
            for row in found
        ]

    def at(self, thing: Conversation | Place) -> QPoint:
        """The middle of a row."""
        return self.bar.list.visualRect(self.index(thing)).center()

    def index(self, thing: Conversation | Place) -> QModelIndex:
        return self.bar.list.rows.index_of(thing)

    def click(self, thing: Conversation | Place, *keys: Qt.KeyboardModifier) -> None:
        modifier = keys[0] if keys else Qt.KeyboardModifier.NoModifier
        place = self.at(thing)
        QTest.mouseClick(self.bar.list.viewport(), Qt.MouseButton.LeftButton, modifier, place)

    def key(self, key: Qt.Key, *keys: Qt.KeyboardModifier) -> None:
        modifier = keys[0] if keys else Qt.KeyboardModifier.NoModifier
        QTest.keyClick(self.bar.list, key, modifier)

    def drag(self, thing: Conversation | Place, to: QPoint, *, drops: bool = True) -> None:
        """Press on a row, move in steps, let go."""
        view, left = self.bar.list.viewport(), Qt.MouseButton.LeftButton
        start = self.at(thing)
        QTest.mousePress(view, left, Qt.KeyboardModifier.NoModifier, start)
        for part in (0.3, 0.7, 1.0):
            _move(view, start + (to - start) * part)
        if drops:
            QTest.mouseRelease(view, left, Qt.KeyboardModifier.NoModifier, to)
            self.settle()

    def move(self, to: QPoint) -> None:
        """Go on with a drag."""
        _move(self.bar.list.viewport(), to)


def _move(view, at: QPoint) -> None:
    left = Qt.MouseButton.LeftButton
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(at),
        QPointF(view.mapToGlobal(at)),
        Qt.MouseButton.NoButton,
        left,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view, event)


def stored(title: str, days_ago: float = 0.0, **facts: object) -> Conversation:
    """A chat with a name and a turn, as it comes from disk."""
    chat = Conversation()
    chat.title, chat.is_named = title, True
    chat.is_loaded, chat.num_stored, chat.num_shown = False, 1, 1
    chat.changed = time.time() - days_ago * DAY
    for name, value in facts.items():
        assert hasattr(chat, name)
        setattr(chat, name, value)
    return chat


def from_trace(title: str) -> Conversation:
    """A chat that is only read."""
    chat = stored(title, is_loaded=True)
    playback = Playback(read_trace(TRACES / "eos-in-block.jsonl"))
    chat.play(title, [Exchange("question")], playback)
    return chat


@pytest.fixture
def bench(qapp: QApplication) -> Iterator[Bench]:
    """Everything, shown."""
    root = QObject()
    chats = Chats(root)
    loaded: list[Conversation] = []
    organiser = Organiser(chats, loaded.append, root)
    theme = Theme("light", root)
    bar = Sidebar(theme, chats, ModelState(root))
    bench = Bench(chats, organiser, bar, theme, loaded=loaded)
    connect_sidebar(bar, organiser, Finder(lambda _query: bench.found, chats))
    bar.chat_chosen.connect(bench.chosen.append)
    bar.chat_chosen.connect(chats.open)
    bar.resize(232, 900)
    bar.show()
    bar.activateWindow()
    yield bench
    bar.close()
    bar.deleteLater()
    root.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
