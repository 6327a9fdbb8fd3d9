"""The conversation column: bubbles and replies, centred, following the end while it grows.

Only the turns around what is read are built. Its spotlight shows the inspection's selection in it,
the source of the draft, and the token's card; its finder lights up words.
"""

from collections.abc import Callable

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from app.models.conversation import Conversation
from app.models.display import TokenDisplay
from app.models.exchange import Exchange
from app.models.inspection import Inspection
from app.models.model_state import ModelState
from app.models.text_size import TextSize
from app.theme import Theme
from app.views.column.area import ColumnArea
from app.views.column.attention import Attention
from app.views.column.find_bar import FindBar
from app.views.column.finder import Finder
from app.views.column.floating import Floating
from app.views.column.following import Following
from app.views.column.growth import Growth
from app.views.column.intents import Intents
from app.views.column.reader import Reader
from app.views.column.stretch import Stretch
from app.views.column.turn import Turn
from app.views.column.wanted import Wanted
from app.views.column.writing import Writing
from app.views.examples import EmptyState
from app.views.reply_view import ReplyView
from app.views.spotlight import Spotlight


class ConversationView(ColumnArea):
    """Shows one chat, and stays at its end unless the reader scrolled away.

    What a person asks for in it is said by `intents`.
    """

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
        size: TextSize | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._display, self._inspection = theme, display, inspection
        self.size_of_text = size if size is not None else TextSize(parent=self)
        self.intents = Intents(self)
        self._chat: Conversation | None = None
        self._arrange(model)
        self.stretch = Stretch(self.messages, self._make, self._on_gone)
        self.reader = Reader(self, self.column, lambda: self.stretch.turns)
        self.spotlight = Spotlight(self, theme, display, inspection, self.reveal)
        find_bar = FindBar(theme, self)
        self.finder = Finder(self, find_bar, self.stretch, theme, display, self.reveal)
        self.floating = Floating(
            self, theme, self.intents, self.reader, find_bar, self.set_room_above
        )
        self._following = Following(self, display, self.size_of_text, self.reader, self.stretch)
        self._growth = Growth(self, self.reader, self.stretch)
        self._writing = Writing(self, self.stretch, self.scroll_to_end)
        self.attention = Attention(self, self.stretch, self.intents, theme, self.show_exchange)
        self._wanted = Wanted(self, display, inspection, self.intents, self.stretch)
        self._connect()

    @property
    def turns(self) -> list[Turn]:
        """The turns that are built, oldest first."""
        return self.stretch.turns

    @property
    def keeps_tab(self) -> bool:
        """Tab leads from a token to its card."""
        return self.spotlight.card is not None

    @property
    def reply_views(self) -> list[ReplyView]:
        """The replies that are built, oldest first."""
        return [turn.reply for turn in self.stretch.turns]

    def show_chat(self, chat: Conversation) -> None:
        """Show another chat."""
        if self._chat is not None:
            for signal, slot in self._slots(self._chat):
                signal.disconnect(slot)
        self._chat = chat
        for signal, slot in self._slots(chat):
            signal.connect(slot)
        self.intents.show_chat(chat)
        self.floating.clear()
        self.spotlight.clear()
        self._wanted.begin()
        self._writing.clear()
        self.stretch.set_path([])
        self.reader.follows_end = True
        self._on_path_changed(None)
        self.spotlight.follow()

    def scroll_to_end(self) -> None:
        """Show the newest text, and stay there."""
        if not self.stretch.has_end:
            self.reader.follows_end = True
            with self.reader.still():
                self.stretch.build_newest()
            self._follow_turns()
        self.reader.to_end()

    def reveal(self, exchange: Exchange) -> Turn | None:
        """Build the turn of an exchange of this chat, and what is around it, if it is not."""
        turn = self.stretch.turn_of(exchange)
        if turn is None and exchange in self.stretch.path:
            self.reader.stay()
            with self.reader.still():
                self.stretch.build_at(max(self.stretch.path.index(exchange) - 1, 0))
            self._follow_turns()
            turn = self.stretch.turn_of(exchange)
        return turn

    def show_exchange(self, exchange: Exchange) -> None:
        """Scroll to a turn of this chat."""
        turn = self.reveal(exchange)
        if turn is not None:
            self.reader.to(turn)

    def open_find(self) -> None:
        """Look for words in this chat."""
        self.floating.open_find()

    def find_words(self, needle: str, exchange: Exchange | None = None) -> None:
        """Open the bar with these words in it, beginning at an exchange."""
        if exchange is not None:
            self.show_exchange(exchange)
        self.floating.open_find(needle)

    def _arrange(self, model: ModelState) -> None:
        self.empty = EmptyState(model, self._theme, self.column)
        self.empty.example_chosen.connect(self.example_chosen)
        self.empty.reload_requested.connect(self.reload_requested)
        self.messages.addWidget(self.empty)
        self.messages.addStretch(1)

    def _connect(self) -> None:
        self.spotlight.looked.connect(self.reader.look)
        self.reader.moved.connect(self._on_moved)
        self.floating.to_end.clicked.connect(self.scroll_to_end)
        self._growth.grown.connect(self._follow_turns)
        self._following.followed.connect(self.finder.light)
        self._inspection.reply_changed.connect(self._wanted.look)

    def _slots(self, chat: Conversation) -> list[tuple[SignalInstance, Callable[..., None]]]:
        return [
            (chat.exchange_added, self._on_added),
            (chat.exchange_changed, self._on_changed),
            (chat.path_changed, self._on_path_changed),
            (chat.facts_changed, self._follow_turns),
            (chat.removed, self.floating.offer_undo),
            (chat.restored, self.floating.end_undo),
        ]

    def _make(self, exchange: Exchange) -> Turn:
        turn = Turn(
            exchange, self._theme, self._display, self._inspection, self.intents, self.size_of_text,
            self.column,
        )  # fmt: skip
        turn.reply.retry_requested.connect(self.retry_requested)
        turn.reply.follow_up_requested.connect(self.follow_up_requested)
        self.spotlight.add(exchange, turn.bubble, turn.reply)
        self.finder.add(turn)
        self.attention.add(turn)
        return turn

    def _on_gone(self, turn: Turn) -> None:
        self.spotlight.remove(turn.exchange)
        self._growth.leave(turn)

    def _follow_turns(self) -> None:
        """What a turn shows of its place in the chat."""
        if self._chat is not None:
            self.reader.has_end = self.stretch.has_end
            self.stretch.tell_places(self._chat.settings.first)

    def _on_added(self, exchange: Exchange) -> None:
        self.empty.hide()
        self.stretch.add(exchange)
        self.spotlight.show_path(self.stretch.path)
        self._follow_turns()
        self.scroll_to_end()
        self._writing.follow(exchange)

    def _on_changed(self, exchange: Exchange) -> None:
        turn = self.stretch.turn_of(exchange)
        if turn is not None:
            turn.refresh()
            self._wanted.look()
        self._writing.follow(exchange)
        if exchange.reply.is_over:
            self.finder.search_again()

    def _on_path_changed(self, start: Exchange | None) -> None:
        """Another path from `start` on; what is above it stays as it is."""
        path = self._chat.exchanges if self._chat is not None else []
        self.empty.setVisible(not path and (self._chat is None or self._chat.is_loaded))
        # The selection may point into what goes.
        self.spotlight.close_card()
        if self.reader.follows_end and path and path[-1].reply.is_over and start is not None:
            self.reader.stay()
        with self.reader.still():
            self.stretch.set_path(path)
            for turn in self.stretch.turns:
                turn.refresh()
        self.spotlight.show_path(self.stretch.path)
        self._follow_turns()
        if path:
            self._writing.follow(path[-1])
        self.finder.search_again()
        self._on_moved()

    def _on_moved(self) -> None:
        self._growth.follow()
        self.floating.follow()
        self._wanted.look()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.reader.settle(is_whole=True)
        self._on_moved()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.spotlight.close_card()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.floating.place()
