"""The side bar: new chat, search, the chats in their groups, the model and its memory."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import Shiboken

from app.models.chats import Chats, Folder
from app.models.conversation import Conversation
from app.models.grouping import HIDDEN, Place
from app.models.model_state import ModelState
from app.models.search_hit import SearchHit
from app.theme import Theme
from app.views.sidebar.chat_list import ChatList
from app.views.sidebar.chat_search import ChatSearch
from app.views.sidebar.foot import SidebarFoot
from app.views.sidebar.head import SidebarHead
from app.views.sidebar.intents import Intents
from app.views.sidebar.undo_bar import UndoBar

SIDEBAR_WIDTH = 232
_MINUTE_MS = 60_000


class Sidebar(QWidget):
    """Reads the chats, and says through its `intents` what is asked for; it changes nothing."""

    new_requested = Signal()
    chat_chosen = Signal(object)
    hit_chosen = Signal(object, object)
    export_requested = Signal(object, str)
    import_requested = Signal()

    def __init__(
        self, theme: Theme, chats: Chats, model: ModelState, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(SIDEBAR_WIDTH)
        self._chats = chats
        self._drafting: Conversation | None = None
        # Where keys went before a name was asked for.
        self._back: QWidget | None = None
        self.intents = Intents(self)
        self.head = SidebarHead(theme, self.intents, self)
        self.new = self.head.new
        self.stack = QStackedWidget(self)
        self.list = ChatList(theme, chats, self.intents, self.stack)
        self.stack.addWidget(self.list)
        self.search = ChatSearch(theme, chats, self.stack, self)
        self.undo_bar = UndoBar(self)
        self.foot = SidebarFoot(model, self)
        self._arrange()
        self._make_timers()
        self._connect()
        self._follow_current(chats.current)

    def set_search(self, search: Callable[[str], Sequence[SearchHit]]) -> None:
        """What finds messages; titles are found without it."""
        self.search.find = search

    def focus_search(self) -> None:
        """Have the next keys go to the search."""
        self.search.focus()

    def set_running(self, owner: object | None) -> None:
        """Mark the chat that is being answered: the one with this exchange, if it is one."""
        running = None
        if owner is not None:
            running = next((each for each in self._chats.items if owner in each.exchanges), None)
        self.list.rows.running = running
        self.list.viewport().update()

    def note_answer(self, chat: Conversation, _exchange: object = None) -> None:
        """A reply has ended; one that nobody was looking at is unread."""
        if chat is not self._chats.current:
            self.list.rows.unread.add(chat)
            self.list.viewport().update()

    def offer_undo(self, words: str) -> None:
        """Say what was done, with a button that undoes it."""
        self.undo_bar.offer(words)

    def name_folder(self, folder: Folder) -> None:
        """Have a folder named that has just been made."""
        self.search.field.clear()
        self._regroup()
        place = Place("folder", folder.id)
        self.list.scrollTo(self.list.rows.index_of(place))
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self.list.rename(place)

    def rename_chat(self, chat: Conversation) -> None:
        """Have a chat renamed in its place, whatever is in front of it; then keys go back."""
        self._back = self.window().focusWidget()
        self.search.field.clear()
        self._regroup()
        rows = self.list.rows
        if chat is self._chats.current and rows.hiding is not None:
            self.list.fold(rows.hiding, False)
        self.list.scrollTo(rows.index_of(chat))
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self.list.rename(chat)

    def set_folded(self, places: Iterable[Place]) -> None:
        """Which groups are folded, as they were left."""
        self.list.rows.folded = set(places)
        self._regroup()

    def show_place(self, kind: Place) -> None:
        """Unfold a group, and have it in sight."""
        self.search.field.clear()
        self.list.fold(kind, False)
        index = self.list.rows.index_of(kind)
        self.list.scrollTo(index, self.list.ScrollHint.PositionAtTop)
        self.list.setCurrentIndex(index)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _arrange(self) -> None:
        middle = QVBoxLayout()
        middle.setContentsMargins(8, 0, 8, 8)
        middle.setSpacing(6)
        middle.addWidget(self.search.field)
        middle.addWidget(self.stack, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addLayout(middle, 1)
        column.addWidget(self.undo_bar)
        column.addWidget(self.foot)
        stops = (self.head.more, self.new, self.search.field, self.list, self.search.results)
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def _make_timers(self) -> None:
        """One gathers changes of a turn of the loop, one lets times grow older."""
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._regroup)
        self._minutes = QTimer(self)
        self._minutes.setInterval(_MINUTE_MS)
        self._minutes.timeout.connect(self._regroup)

    def _connect(self) -> None:
        intents, chats = self.intents, self._chats
        intents.new_requested.connect(self.new_requested)
        intents.chat_chosen.connect(self.chat_chosen)
        intents.hit_chosen.connect(self.hit_chosen)
        intents.export_requested.connect(self.export_requested)
        intents.import_requested.connect(self.import_requested)
        self.undo_bar.undo_requested.connect(intents.undo_requested)
        self.head.archived.triggered.connect(lambda: self.show_place(Place("archived")))
        self.head.trash.triggered.connect(lambda: self.show_place(Place("trash")))
        self.head.menu.aboutToShow.connect(self._follow_places)
        chats.added.connect(lambda _chat: self._soon.start())
        chats.facts_changed.connect(lambda _chat: self._soon.start())
        chats.folders_changed.connect(self._soon.start)
        chats.removed.connect(self._on_removed)
        chats.current_changed.connect(self._follow_current)
        self.search.hit_chosen.connect(intents.hit_chosen)
        intents.undo_requested.connect(self.undo_bar.hide)
        self.list.painter.closeEditor.connect(self._on_named)

    def _regroup(self) -> None:
        # A row that is being edited must not go away.
        if self.list.is_editing:
            return
        self._soon.stop()
        rows = self.list.rows
        was_in_sight = rows.index_of(self._chats.current).isValid()
        self.list.regroup()
        # The open chat does not vanish because it moved to a group that is folded.
        if was_in_sight and rows.hiding is not None and rows.hiding not in HIDDEN:
            self.list.fold(rows.hiding, False)

    def _on_named(self) -> None:
        """A name was typed, or not; what changed meanwhile shows now."""
        self._soon.start()
        back, self._back = self._back, None
        if back is not None and Shiboken.isValid(back) and self.list.hasFocus():
            back.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_removed(self, chat: Conversation) -> None:
        rows = self.list.rows
        rows.unread.discard(chat)
        if rows.running is chat:
            rows.running = None
        if self._drafting is chat:
            self._drafting = None
        self._soon.start()

    def _follow_current(self, chat: Conversation) -> None:
        """The open chat is read; what is typed in it shows here."""
        left, self._drafting = self._drafting, chat
        if left is not None:
            left.draft_changed.disconnect(self._soon.start)
        chat.draft_changed.connect(self._soon.start)
        self.list.rows.unread.discard(chat)
        # Going from chat to chat moves no row: only an empty one comes and goes.
        is_news = left is None or left.is_empty or not self.list.rows.index_of(chat).isValid()
        if is_news:
            self._regroup()
        self.list.show_open()
        for each in (left, chat):
            if each is not None:
                self.list.update(self.list.rows.index_of(each))
        # The last word of its draft may only just be coming.
        if left is not None and left.is_empty:
            self._soon.start()

    def _follow_places(self) -> None:
        items = self._chats.items
        self.head.archived.setEnabled(
            any(chat.is_archived and chat.trashed is None for chat in items)
        )
        self.head.trash.setEnabled(any(chat.trashed is not None for chat in items))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._minutes.start()
        if self.list.rows.is_old:
            self._regroup()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._minutes.stop()
