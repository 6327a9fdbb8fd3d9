"""Replies read from the recorded traces, and a conversation column that shows one."""

from pathlib import Path

from PySide6.QtWidgets import QMainWindow

from app.models.conversation import Conversation
from app.models.display import TokenDisplay
from app.models.inspection import Inspection
from app.models.model_state import ModelState
from app.models.reply import Piece, Reply
from app.theme import Theme
from app.views.conversation_view import ConversationView
from app.views.stylesheet import style_sheet
from engine import Trace, read_trace, replay_trace

TRACES = Path(__file__).parents[1] / "traces"
NAMES = sorted(path.stem for path in TRACES.glob("*.jsonl"))


def trace(name: str) -> Trace:
    """A recorded trace."""
    return read_trace(TRACES / f"{name}.jsonl")


def reply_of(source: Trace) -> Reply:
    """A reply that has lived through a trace."""
    reply = Reply()
    for event in replay_trace(source):
        reply.apply(event)
    return reply


class Column(QMainWindow):
    """A window with nothing but a conversation: the turns of a trace, and its reply."""

    def __init__(self, source: Trace, theme: str = "light", *, prompt: str | None = None) -> None:
        super().__init__()
        self.trace, self.theme = source, Theme(theme, self)
        self.setPalette(self.theme.qt_palette())
        self.setStyleSheet(style_sheet(self.theme.palette))
        self.inspection, self.display = Inspection(self), TokenDisplay(True, self)
        self.view = ConversationView(
            self.theme, self.display, ModelState(self), self.inspection, self
        )
        self.setCentralWidget(self.view)
        self.chat = Conversation(self)
        messages = source.started.messages
        for asked, answered in zip(messages[:-1:2], messages[1::2], strict=True):
            earlier = self.chat.ask(asked.content)
            earlier.reply = said(answered.content)
        self.exchange = self.chat.ask(messages[-1].content if prompt is None else prompt)
        self.reply = self.exchange.reply = reply_of(source)
        self.view.show_chat(self.chat)
        self.resize(760, 800)
        self.show()

    @property
    def text(self):
        """The reply's text."""
        return self.view.reply_views[-1].text

    def bubble(self, number: int = -1):
        """A prompt's bubble."""
        return list(self.view.spotlight._shown.values())[number][0]

    @property
    def card(self):
        """The open card, if any."""
        return self.view.spotlight.card


def said(text: str) -> Reply:
    """A finished reply of which only the text is known."""
    reply = Reply()
    reply.pieces.append(Piece(text, 0, (), 0))
    reply.phase = "finished"
    return reply
