"""The conversation column: bubbles and replies, centred, following the end while it grows.

Its spotlight shows the inspection's selection in it, the source of the draft, and the token's card.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.models.conversation import Conversation, Exchange
from app.models.display import TokenDisplay
from app.models.inspection import Inspection
from app.models.model_state import ModelState
from app.theme import Theme
from app.views.examples import EmptyState
from app.views.messages import PromptBubble
from app.views.reply_view import ReplyView
from app.views.spotlight import Spotlight

COLUMN_WIDTH = 640
_AT_END = 24
_BAR_WIDTH = 10


class ConversationView(QScrollArea):
    """Shows one chat, and stays at its end unless the reader scrolled away."""

    example_chosen = Signal(object)
    retry_requested = Signal(object)
    follow_up_requested = Signal(str)
    reload_requested = Signal()

    def __init__(
        self,
        theme: Theme,
        display: TokenDisplay,
        model: ModelState,
        inspection: Inspection,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._display, self._inspection = theme, display, inspection
        self.spotlight = Spotlight(self, theme, inspection)
        self.spotlight.looked.connect(self._on_looked)
        self._chat: Conversation | None = None
        self._replies: dict[Exchange, ReplyView] = {}
        self._follows_end = True
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content = QWidget(self)
        content.setObjectName("scroll_content")
        row = QHBoxLayout(content)
        self._row = row
        self._center(0)
        self._column = QWidget(content)
        self._column.setObjectName("messages")
        self._column.setMaximumWidth(COLUMN_WIDTH)
        row.addStretch(1)
        row.addWidget(self._column, 1000)
        row.addStretch(1)
        self._messages = QVBoxLayout(self._column)
        self._messages.setContentsMargins(0, 0, 0, 0)
        self._messages.setSpacing(24)
        self.empty = EmptyState(model, self._column)
        self.empty.example_chosen.connect(self.example_chosen)
        self.empty.reload_requested.connect(self.reload_requested)
        self._messages.addWidget(self.empty)
        self._messages.addStretch(1)
        self.setWidget(content)
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(self._on_range_changed)
        bar.valueChanged.connect(self._on_scrolled)

    @property
    def reply_views(self) -> list[ReplyView]:
        """The replies shown, oldest first."""
        return list(self._replies.values())

    def show_chat(self, chat: Conversation) -> None:
        """Show another chat."""
        if self._chat is not None:
            self._chat.exchange_added.disconnect(self._on_added)
            self._chat.exchange_changed.disconnect(self._on_changed)
        self._chat = chat
        chat.exchange_added.connect(self._on_added)
        chat.exchange_changed.connect(self._on_changed)
        while self._messages.count() > 2:
            item = self._messages.takeAt(1)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._replies.clear()
        self.spotlight.clear()
        self._follows_end = True
        self.empty.setVisible(not chat.exchanges)
        for exchange in chat.exchanges:
            self._add(exchange)
        self.spotlight.follow()

    def scroll_to_end(self) -> None:
        """Show the newest text, and stay there."""
        self._follows_end = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _add(self, exchange: Exchange) -> None:
        for earlier in self._replies.values():
            earlier.hide_follow_up()
        bubble = PromptBubble(exchange.prompt, self._theme, self._column)
        reply = ReplyView(exchange, self._theme, self._display, self._inspection, self._column)
        reply.retry_requested.connect(self.retry_requested)
        reply.follow_up_requested.connect(self.follow_up_requested)
        self._replies[exchange] = reply
        self._messages.insertWidget(self._messages.count() - 1, bubble)
        self._messages.insertWidget(self._messages.count() - 1, reply)
        self.spotlight.add(exchange, bubble, reply)

    def _on_added(self, exchange: Exchange) -> None:
        self.empty.hide()
        self._add(exchange)
        self.scroll_to_end()

    def _on_changed(self, exchange: Exchange) -> None:
        view = self._replies.get(exchange)
        if view is not None:
            view.refresh()

    def _center(self, high: int) -> None:
        """A scroll bar takes room at the right; the column stays in the middle all the same."""
        bar = _BAR_WIDTH if high > 0 else 0
        self._row.setContentsMargins(20 + bar, 26, 20, 26)

    def _on_range_changed(self, _low: int, high: int) -> None:
        self._center(high)
        if self._follows_end:
            self.verticalScrollBar().setValue(high)

    def _on_looked(self, is_looking: bool) -> None:
        """Who looks at a token is not taken away from it by a growing end."""
        bar = self.verticalScrollBar()
        if is_looking:
            self._follows_end = False
        elif bar.value() >= bar.maximum() - _AT_END:
            self._follows_end = True

    def _on_scrolled(self, value: int) -> None:
        # Text that grows moves the end, not the value: only the reader's scrolling leaves it.
        self._follows_end = value >= self.verticalScrollBar().maximum() - _AT_END

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.spotlight.close_card()
