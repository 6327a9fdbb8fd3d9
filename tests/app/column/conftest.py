"""A window with nothing but a conversation column, over models that a test builds itself."""

import time
from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QMainWindow

from app.models.conversation import Conversation
from app.models.display import TokenDisplay
from app.models.inspection import Inspection
from app.models.model_state import ModelState
from app.models.text_size import TextSize
from app.theme import Theme
from app.views.conversation_view import ConversationView
from app.views.stylesheet import style_sheet
from tests.app.trace_replies import said


class Desk(QMainWindow):
    """The column, its models, and what it asked for."""

    def __init__(self, *, is_tokens: bool = False) -> None:
        super().__init__()
        self.theme = Theme("light", self)
        self.setPalette(self.theme.qt_palette())
        self.setStyleSheet(style_sheet(self.theme.palette))
        self.inspection, self.display = Inspection(self), TokenDisplay(is_tokens, self)
        self.size_of_text = TextSize(parent=self)
        self.view = ConversationView(
            self.theme, self.display, ModelState(self), self.inspection, self, self.size_of_text
        )
        self.setCentralWidget(self.view)
        self.chat = Conversation(self)
        self.resize(760, 800)

    @property
    def turns(self):
        """The turns that are built."""
        return self.view.stretch.turns

    @property
    def bar(self):
        """The scroll bar."""
        return self.view.verticalScrollBar()

    def say(self, prompt: str, answer: str):
        """A question that was answered."""
        exchange = self.chat.ask(prompt)
        exchange.reply = said(answer)
        self.chat.publish(exchange)
        return exchange

    def fill(self, count: int) -> list:
        """As many short exchanges."""
        return [
            self.say(f"question {n}", f"answer {n}\n\n" + "Some words to read here. " * 20)
            for n in range(count)
        ]

    def open(self) -> None:
        """Show the chat, and let everything settle."""
        self.view.show_chat(self.chat)
        self.show()
        self.settle()

    def settle(self, seconds: float = 0.0) -> None:
        """Turns of the event loop until nothing is built or set any more."""
        end = time.monotonic() + seconds
        latest = end + 20
        QApplication.processEvents()
        while time.monotonic() < latest:
            QApplication.processEvents()
            is_settled = self.view._growth.is_settled and not self.view._following._waiting
            is_settled = is_settled and all(turn.reply.body.is_whole for turn in self.turns)
            is_settled = is_settled and self.view.finder.is_settled
            if is_settled and time.monotonic() >= end:
                break
        # What was set last is laid out from the inside out, over some turns.
        for _ in range(3):
            QApplication.processEvents()

    def until(self, is_true: Callable[[], object]) -> None:
        """Wait for a condition, a few seconds at most."""
        end = time.monotonic() + 10
        while not is_true():
            assert time.monotonic() < end
            QApplication.processEvents()

    def top_of(self, widget) -> int:
        """Where a widget begins, below the top of the screen."""
        return widget.mapTo(self.view.viewport(), QPoint(0, 0)).y()

    def is_on_screen(self, widget) -> bool:
        """Whether a part of a widget is seen."""
        top = self.top_of(widget)
        return top < self.view.viewport().height() and top + widget.height() > 0


@pytest.fixture
def make_column(qtbot):
    """Makes columns that are gone after the test."""

    def make(**options) -> Desk:
        desk = Desk(**options)
        qtbot.addWidget(desk)
        return desk

    return make


@pytest.fixture
def heard():
    """Collects what a signal says."""

    def hear(signal) -> list:
        told: list = []
        signal.connect(lambda *values: told.append(values))
        return told

    return hear
