"""Puts chats in order: names, places, folders, copies, the trash and what is gone for good."""

import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from app.models.chats import Chats, Folder
from app.models.conversation import Conversation
from app.models.duplicate import duplicated
from app.models.grouping import HIDDEN, TRASH_DAYS, Place, grouped, next_to

_DAY_SECONDS = 86_400


class Organiser(QObject):
    """`load` brings back what was said in a chat.

    `undoable` says what was done just now and can be undone; `said` is a sentence on what cannot be
    done; `folder_added` is a folder that waits for its name.
    """

    undoable = Signal(str)
    said = Signal(str)
    folder_added = Signal(object)

    def __init__(
        self,
        chats: Chats,
        load: Callable[[Conversation], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._chats, self._load = chats, load
        self._running: object | None = None
        self._folded = frozenset(HIDDEN)
        # What undoes the last deed.
        self._undo: list[Callable[[], object]] = []

    def set_running(self, owner: object | None) -> None:
        """What is being answered, if anything: an exchange, or a comparison."""
        self._running = owner

    def set_folded(self, places: Iterable[Place]) -> None:
        """Which groups are folded, so that nothing in them is opened by itself."""
        self._folded = frozenset(places)

    def rename(self, chat: Conversation, title: str) -> None:
        """Give a chat a name; an empty one takes the name from its first question again."""
        if not title.strip():
            self._load(chat)
        chat.rename(title)

    def pin(self, chats: Sequence[Conversation], is_pinned: bool) -> None:
        """Keep chats at the top, or no longer."""
        for chat in chats:
            chat.set_pinned(is_pinned)

    def archive(self, chats: Sequence[Conversation], is_archived: bool) -> None:
        """Out of the way; or back. One without a word stays where it is."""
        chats = [chat for chat in chats if not chat.is_empty]
        back = [(chat, chat.is_archived) for chat in chats]
        for chat in chats:
            chat.set_archived(is_archived)
        if is_archived and chats:
            self._offer(
                self._count(chats, self.tr("Archived"), self.tr("{0} chats archived")),
                [partial(chat.set_archived, was) for chat, was in back],
            )

    def move(self, chats: Sequence[Conversation], folder: Folder | None) -> None:
        """Into a folder, where they show: pinned or archived they would not."""
        for chat in chats:
            self._set_place(chat, folder)

    def place(self, chats: Sequence[Conversation], place: Place) -> None:
        """Where chats were dropped: a group of the side bar."""
        if place.kind == "trash":
            self.trash(chats)
        elif place.kind == "archived":
            self.restore(chats)
            self.archive(chats, True)
        elif place.kind == "pinned":
            for chat in chats:
                self._set_place(chat, self._chats.folder(chat.folder))
            self.pin(chats, True)
        elif place.kind == "folder":
            self.move(chats, self._chats.folder(place.number))
        elif place.is_time:
            self.move(chats, None)

    def trash(self, chats: Sequence[Conversation]) -> None:
        """Into the trash. Chats without a word, and traces, go at once."""
        was_open, now = self._chats.current, time.time()
        passing = [chat for chat in chats if chat.is_empty or chat.is_read_only]
        there = set(passing)
        kept = [chat for chat in chats if chat.trashed is None and chat not in there]
        heir = self._heir({*kept, *passing})
        for chat in kept:
            chat.set_trashed(now)
        self._leave([*kept, *passing], heir)
        if kept:
            undo: list[Callable[[], object]] = [partial(chat.set_trashed, None) for chat in kept]
            if was_open in kept:
                undo.append(partial(self._open, was_open))
            words = self._count(kept, self.tr("Moved to Trash"), self.tr("{0} moved to Trash"))
            self._offer(words, undo)
        for chat in passing:
            self._remove(chat)

    def restore(self, chats: Sequence[Conversation]) -> None:
        """Out of the trash, to where they were."""
        for chat in chats:
            if chat.trashed is not None:
                chat.set_trashed(None)

    def undo(self) -> None:
        """Undo the last thing that could be."""
        undo, self._undo = self._undo, []
        for act in undo:
            act()

    def delete(self, chats: Sequence[Conversation]) -> None:
        """For ever. A chat that is being answered stays, and one sentence says so."""
        busy = [chat for chat in chats if self._is_running(chat)]
        gone = [chat for chat in chats if chat not in busy]
        # What is gone cannot be undone any more.
        self._undo = []
        self._leave(gone, self._heir(set(gone)))
        for chat in gone:
            self._remove(chat)
        for chat in busy:
            words = self.tr("“{0}” is being answered: stop the reply, then delete the chat.")
            self.said.emit(words.format(chat.title))

    def empty_trash(self) -> None:
        """Delete everything in the trash for ever."""
        self.delete([chat for chat in self._chats.items if chat.trashed is not None])

    def purge(self, now: float | None = None) -> int:
        """At the start: delete what has been in the trash for long enough; how many chats."""
        limit = (time.time() if now is None else now) - TRASH_DAYS * _DAY_SECONDS
        old = [
            chat for chat in self._chats.items if chat.trashed is not None and chat.trashed < limit
        ]
        self.delete(old)
        return len(old)

    def duplicate(self, chat: Conversation) -> None:
        """Open a copy of a chat."""
        if not chat.is_read_only:
            self._load(chat)
            self._chats.add(duplicated(chat, self.tr("{0} (copy)").format(chat.title)))

    def add_folder(self, chats: Sequence[Conversation] = ()) -> None:
        """A new folder with these chats in it; it is named next."""
        folder = self._chats.add_folder(self.tr("New folder"))
        self.move(chats, folder)
        self.folder_added.emit(folder)

    def rename_folder(self, folder: Folder, name: str) -> None:
        """Give a folder another name; it keeps the old one instead of none."""
        name = " ".join(name.split())
        if name and name != folder.name:
            self._chats.rename_folder(folder, name)

    def remove_folder(self, folder: Folder) -> None:
        """Remove a folder; its chats stay."""
        inside = [chat for chat in self._chats.items if chat.folder == folder.id]
        self._chats.remove_folder(folder)
        back = [partial(chat.set_folder, folder.id) for chat in inside]
        words = self.tr("Folder deleted; its chats stay") if inside else self.tr("Folder deleted")
        self._offer(words, [partial(self._put_back, folder), *back])

    def move_folder(self, folder: Folder, before: Folder | None) -> None:
        """Above another folder, or below all."""
        order = sorted(self._chats.folders, key=lambda each: each.position)
        if before is folder:
            return
        order.remove(folder)
        order.insert(len(order) if before is None else order.index(before), folder)
        for position, each in enumerate(order, 1):
            each.position = float(position)
        self._chats.folders_changed.emit()

    def _put_back(self, folder: Folder) -> None:
        self._chats.folders.append(folder)
        self._chats.folders_changed.emit()

    def _set_place(self, chat: Conversation, folder: Folder | None) -> None:
        self.restore([chat])
        if chat.is_pinned:
            chat.set_pinned(False)
        if chat.is_archived:
            chat.set_archived(False)
        number = folder.id if folder is not None else None
        if chat.folder != number:
            chat.set_folder(number)

    def _offer(self, words: str, undo: list[Callable[[], object]]) -> None:
        self._undo = undo
        self.undoable.emit(words)

    def _count(self, chats: Sequence[Conversation], one: str, more: str) -> str:
        return one if len(chats) == 1 else more.format(len(chats))

    def _is_running(self, chat: Conversation) -> bool:
        return self._running is not None and any(
            exchange is self._running for exchange in chat.every_exchange()
        )

    def _heir(self, gone: set[Conversation]) -> Conversation | None:
        """What is shown instead of the open chat, if it goes: its neighbour in the side bar.

        Where it is out of sight itself, it is the chat in sight that changed last.
        """
        if self._chats.current not in gone:
            return None
        every = grouped(self._chats.shown, self._chats.folders, time.time())
        groups = [
            group
            for group in every
            if group.place not in HIDDEN and group.place not in self._folded
        ]
        near = next_to(self._chats.current, gone, groups)
        left = [chat for group in groups for chat in group.chats if chat not in gone]
        if near is not None:
            return near
        return max(left, key=lambda each: each.changed, default=None)

    def _leave(self, chats: Sequence[Conversation], heir: Conversation | None) -> None:
        """Show another chat, if one of these is open; a new one where there is no heir."""
        if self._chats.current not in chats:
            return
        if heir is not None:
            self._open(heir)
        else:
            self._chats.new()

    def _open(self, chat: Conversation) -> None:
        self._load(chat)
        self._chats.open(chat)

    def _remove(self, chat: Conversation) -> None:
        # The last chat there is, empty as it is, stays.
        if chat is not self._chats.current:
            self._chats.remove(chat)
