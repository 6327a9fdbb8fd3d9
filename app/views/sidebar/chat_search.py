"""The search of the side bar: titles at every key, messages a moment later."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from app.models.chats import Chats
from app.models.search_hit import SearchHit, title_hits
from app.theme import Theme
from app.views.sidebar.results import ResultList
from app.views.sidebar.search_field import SearchField


class ChatSearch(QObject):
    """Fills the pages of a stack whose first page is shown while nothing is searched."""

    hit_chosen = Signal(object, object)

    def __init__(self, theme: Theme, chats: Chats, stack: QStackedWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self._chats, self._stack = chats, stack
        self.find: Callable[[str], Sequence[SearchHit]] = lambda _query: ()
        self._messages: list[SearchHit] = []
        self.field = SearchField(parent)
        self.results = ResultList(theme, stack)
        self.nothing = QLabel(self.tr("Nothing found"), stack)
        self.nothing.setObjectName("muted")
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.nothing.setContentsMargins(0, 16, 0, 0)
        stack.addWidget(self.results)
        stack.addWidget(self.nothing)
        self.field.typed.connect(self._on_typed)
        self.field.paused.connect(self._on_paused)
        self.field.left_downwards.connect(self._go_down)
        self.field.entered.connect(self._on_entered)
        self.results.hit_opened.connect(self._open)
        self.results.left_upwards.connect(self.focus)
        self.results.escaped.connect(self.end)

    def focus(self) -> None:
        """Have the next keys go to the field."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def end(self) -> None:
        """Clear the field, and go back to it."""
        self.field.clear()
        self.focus()

    def _on_typed(self, text: str) -> None:
        """Titles at once. Messages found before stay for the moment, so that nothing flickers."""
        if not text.strip():
            self._messages = []
            self.results.rows.show_hits([])
            self._stack.setCurrentIndex(0)
            return
        hits = [*title_hits(self._chats.items, text), *self._messages]
        # Whether there is nothing is known when messages were searched, too.
        if hits:
            self._show(hits)

    def _on_paused(self, text: str) -> None:
        if not text.strip():
            return
        found = list(self.find(text))
        named = {hit.chat: hit for hit in title_hits(self._chats.items, text)}
        self._messages = [hit for hit in found if hit.message is not None]
        more = [hit for hit in found if hit.message is None and hit.chat not in named]
        self._show([*named.values(), *more, *self._messages])

    def _show(self, hits: list[SearchHit]) -> None:
        self.results.rows.show_hits(hits)
        self._stack.setCurrentWidget(self.results if hits else self.nothing)

    def _go_down(self) -> None:
        self.field.search_now()
        if self.results.choose_first():
            self.results.setFocus(Qt.FocusReason.TabFocusReason)

    def _on_entered(self) -> None:
        self.field.search_now()
        self.results.open_current()

    def _open(self, hit: SearchHit) -> None:
        chat = next((each for each in self._chats.items if each.id == hit.chat), None)
        if chat is not None:
            self.hit_chosen.emit(chat, hit.message)
