"""Keeps chats: hands what has changed to the store, and brings kept chats back.

It reads models and never changes what they say. Whatever a model tells to have changed waits here
for the next beat; what is growing is written again at each, so that a kill costs no more.
"""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from app.controllers.filling import Filling
from app.controllers.kept_chats import is_empty, read_chats, take_in
from app.controllers.records import folder_record
from app.controllers.trace_keeping import TraceKeeper
from app.controllers.waiting import Waiting
from app.models.chats import Chats, Folder
from app.models.conversation import Conversation, Node
from app.models.exchange import Exchange, Variant
from app.storage import Keeping, StorageError

BEAT_MS = 400
# How long the window may be held up at a time.
_TURN_SECONDS = 0.008
# How long a removed message can be put back.
UNDO_MS = 12_000


class Keeper(QObject):
    """The only one who writes to the store. `said` is a sentence on trouble, or empty: over."""

    said = Signal(str)

    def __init__(self, store: Keeping, chats: Chats, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store, self._chats = store, chats
        self._traces = TraceKeeper(store)
        self._waiting = Waiting(store, self._traces)
        self.filling = Filling(store, self)
        self.filling.came.connect(self._listen_inside)
        self.filling.moved.connect(self._note_exchange)
        self.filling.failed.connect(self.said)
        self._folders: dict[int, tuple[str, float]] = {}
        self._beat = QTimer(self)
        self._beat.setInterval(BEAT_MS)
        self._beat.setSingleShot(True)
        self._beat.timeout.connect(self._on_beat)
        self._soon = QTimer(self)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._go_on)
        self._leaving: dict[Node, None] = {}
        self._farewell = QTimer(self)
        self._farewell.setInterval(UNDO_MS)
        self._farewell.setSingleShot(True)
        self._farewell.timeout.connect(self._let_go)
        chats.added.connect(self._follow)
        chats.removed.connect(self._forget)
        chats.folders_changed.connect(self._follow_folders)

    def restore(self) -> None:
        """Bring back the list of chats; what was said in them comes when they are opened."""
        for _ in self.restoring():
            pass

    def restoring(self) -> Iterator[None]:
        """The same, with a pause after some chats each: whose list it is hears of it at the end."""
        try:
            folders = [Folder(each.id, each.name, each.position) for each in self._store.folders()]
            records = yield from read_chats(self._store)
        except StorageError as error:
            self.said.emit(str(error))
            folders, records = [], []
        self._folders = {each.id: (each.name, each.position) for each in folders}
        for record in filter(is_empty, records):
            self._store.delete_chat(record.id)
        records = [record for record in records if not is_empty(record)]
        for chat in self._chats.items:
            self._follow(chat)
        yield from take_in(self._chats, records, folders, self._listen)

    def load(self, chat: Conversation) -> None:
        """Bring back all that was said in a chat, now; `said` tells why that fails."""
        self.filling.load(chat)

    async def bring_back(self, chat: Conversation, exchange: Exchange, variant: Variant) -> bool:
        """Read how an answer's tokens came to be; whether the reply has them now."""
        if not variant.is_stored:
            return variant.reply.started is not None
        variant.is_stored = False
        try:
            full = await self._traces.read(variant)
        except StorageError as error:
            self.said.emit(str(error))
            return False
        if full is not None:
            variant.reply = full
        chat.publish(exchange)
        return full is not None

    def write(self) -> None:
        """Hand everything that waits to the store; it returns at once."""
        self._beat.stop()
        self._soon.stop()
        self._waiting.finish()

    def flush(self, timeout: float) -> bool:
        """Write what waits, and wait for it to be on disk; whether it is."""
        self.write()
        return self._store.flush(timeout)

    def note_everything(self) -> None:
        """All that is here has to be written anew: the file of chats was begun anew."""
        self.filling.settle()
        for chat in self._chats.items:
            if not chat.is_read_only and not chat.is_empty and chat.is_loaded:
                self._note_all(chat)
                for exchange in chat.every_exchange():
                    for variant in exchange.variants:
                        self._traces.begin_anew(variant)
        for folder in self._chats.folders:
            self._store.save_folder(folder_record(folder))

    def close(self, timeout: float = 2.0) -> bool:
        """Write what waits, and wait for it to be on disk; whether it is."""
        self.write()
        self._let_go()
        self._beat.stop()
        self.filling.close()
        return self._store.close(timeout)

    def rewrite_trace(self, variant: Variant) -> None:
        """The trace of an answer begins anew: it was tried again, or goes on where it had ended."""
        self._traces.forget(variant)

    def _on_beat(self) -> None:
        """A long chat that was brought in takes many turns of the loop."""
        self._waiting.begin()
        self._go_on()
        if self._waiting.news:
            self._beat.start()

    def _go_on(self) -> None:
        if not self._waiting.go_on(_TURN_SECONDS):
            self._soon.stop()
        elif not self._soon.isActive():
            self._soon.start()

    def _follow(self, chat: Conversation) -> None:
        if not chat.is_read_only:
            self._listen(chat)
            if not chat.is_empty:
                self._note_all(chat)

    def _listen(self, chat: Conversation) -> None:
        chat.facts_changed.connect(partial(self._note_chat, chat))
        chat.draft_changed.connect(partial(self._note_chat, chat))
        if chat.is_loaded:
            self._listen_inside(chat)

    def _listen_inside(self, chat: Conversation) -> None:
        """Of thousands of chats few are opened; in the others nothing can change."""
        chat.exchange_added.connect(partial(self._note_exchange, chat))
        chat.exchange_changed.connect(partial(self._note_growth, chat))
        chat.path_changed.connect(partial(self._note_path, chat))
        chat.removed.connect(partial(self._leave, chat))
        chat.restored.connect(partial(self._return, chat))

    def _note_chat(self, chat: Conversation) -> None:
        if not chat.is_read_only:
            self._waiting.note(chat)
            self._start()

    def _note_exchange(self, chat: Conversation, exchange: Exchange) -> None:
        """The exchange, and what says that it is the chosen one."""
        if chat.is_read_only:
            return
        news = self._waiting.note(chat)
        above = exchange.parent.exchange if exchange.parent is not None else None
        if exchange.parent is not None and above is not None:
            news.exchanges[above] = None
            news.variants[exchange.parent] = above
        news.exchanges[exchange] = None
        news.variants[exchange.variant] = exchange
        self._start()

    def _note_growth(self, chat: Conversation, exchange: Exchange) -> None:
        if not chat.is_read_only:
            self._waiting.note(chat).variants[exchange.variant] = exchange
            self._start()

    def _note_path(self, chat: Conversation, start: Exchange | None) -> None:
        if start is not None:
            self._note_exchange(chat, start)

    def _note_all(self, chat: Conversation) -> None:
        if not chat.is_read_only:
            self._waiting.note(chat).is_all = True
            self._start()

    def _start(self) -> None:
        if not self._beat.isActive():
            self._beat.start()

    def _leave(self, chat: Conversation, node: Node) -> None:
        """Forgotten in a while: until then it can be put back as it was."""
        if not chat.exchanges:
            # What comes next belongs below what has not been read yet.
            self.load(chat)
        self._leaving[node] = None
        self._farewell.start()

    def _return(self, chat: Conversation, node: Node) -> None:
        if node in self._leaving:
            del self._leaving[node]
        self._note_all(chat)

    def _let_go(self) -> None:
        """Forget what was removed. What waits has to be in the store before it can be there."""
        self._farewell.stop()
        leaving, self._leaving = self._leaving, {}
        if leaving:
            self.write()
        for node in leaving:
            self._store.delete_message(node.id)

    def _forget(self, chat: Conversation) -> None:
        self._let_go()
        self.write()
        self.filling.forget(chat)
        self._store.delete_chat(chat.id)

    def _follow_folders(self) -> None:
        now = {each.id: (each.name, each.position) for each in self._chats.folders}
        for folder in self._chats.folders:
            if self._folders.get(folder.id) != now[folder.id]:
                self._store.save_folder(folder_record(folder))
        for gone in self._folders.keys() - now.keys():
            self._store.delete_folder(gone)
        self._folders = now
