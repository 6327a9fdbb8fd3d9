"""The rows of the side bar: headings, and the chats of the groups that are unfolded."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QStandardItemModel

from app.models.chats import Chats
from app.models.conversation import Conversation
from app.models.grouping import HIDDEN, TRASH_DAYS, Place, grouped
from app.views.sidebar.chat_words import ChatWords
from app.views.sidebar.intents import Intents

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Heading:
    """Stands over a group."""

    place: Place
    name: str
    num: int
    is_folded: bool


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence under a heading."""

    text: str


Row = Heading | Note | Conversation


class ChatRows(QStandardItemModel):
    """Follows the chats when it is told to `regroup`; renaming is an intent.

    Qt counts the rows by items of its own, all of them empty: it asks twice a row at each layout,
    and asking Python thousands of times took longer than all the rest. What they say is told here.
    """

    def __init__(self, chats: Chats, intents: Intents, parent: QObject | None = None) -> None:
        super().__init__(0, 1, parent)
        self._chats, self._intents = chats, intents
        self._rows: list[Row] = []
        self._keys: list[object] = []
        self._places: dict[object, int] = {}
        # What is to be taken over as soon as Qt's own list has as many rows.
        self._coming: tuple[list[Row], list[object]] = [], []
        self.words = ChatWords(chats, self)
        self.now = time.time()
        self.folded = set(HIDDEN)
        # The folded group that has the open chat in it.
        self.hiding: Place | None = None
        self.running: Conversation | None = None
        self.unread: set[Conversation] = set()
        # Before any view hears of it: these are the first to be connected.
        self.rowsRemoved.connect(self._take_over)
        self.rowsInserted.connect(self._take_over)

    @property
    def is_old(self) -> bool:
        """Whether times may read otherwise by now."""
        return abs(time.time() - self.now) > 1

    def regroup(self, now: float | None = None) -> None:
        """Take over what is in the chats now; rows that stay where they are stay the same."""
        self.now = time.time() if now is None else now
        fresh, keys = self._wanted()
        old, before = self._rows, self._keys
        head = _num_alike(before, keys)
        tail = _num_alike(before[head:][::-1], keys[head:][::-1])
        if (num_gone := len(old) - head - tail) > 0:
            end = head + num_gone
            self._coming = old[:head] + old[end:], before[:head] + before[end:]
            self.removeRows(head, num_gone)
        self._coming = fresh, keys
        if (num_new := len(fresh) - head - tail) > 0:
            self.insertRows(head, num_new)
        else:
            self._take_over()

    def row(self, index: Index) -> Row | None:
        """What stands in a row; None outside."""
        number = index.row()
        return self._rows[number] if 0 <= number < len(self._rows) else None

    def index_of(self, thing: Conversation | Place) -> QModelIndex:
        """Where a chat, or the heading of a place, stands; invalid where it does not."""
        return self.index(self._places.get(thing, -1), 0)

    def place_at(self, index: Index) -> Place | None:
        """The group that a row belongs to; None below all rows."""
        for number in range(min(index.row(), len(self._rows) - 1), -1, -1):
            row = self._rows[number]
            if isinstance(row, Heading):
                return row.place
        return Place("new") if index.isValid() else None

    def fold(self, place: Place, is_folded: bool) -> None:
        """Hide the chats of a group, or show them."""
        (self.folded.add if is_folded else self.folded.discard)(place)
        self._intents.folded_changed.emit(frozenset(self.folded))

    def told(self, row: Row) -> str:
        """A row as it is read out."""
        if isinstance(row, Note):
            return row.text
        if isinstance(row, Heading):
            state = self.tr("folded") if row.is_folded else self.tr("unfolded")
            count = self.tr("1 chat") if row.num == 1 else self.tr("{0} chats").format(row.num)
            return ", ".join((row.name, count, state))
        marks = (
            self.tr("being answered") if row is self.running else "",
            self.tr("unread") if row in self.unread else "",
        )
        facts = self.words.facts(row, self.now), self.words.when(row, self.now)
        return ", ".join(part for part in (row.title, *marks, *facts) if part)

    def _wanted(self) -> tuple[list[Row], list[object]]:
        """All rows as they should be, and what each is known by."""
        rows: list[Row] = []
        keys: list[object] = []
        self.hiding = None
        for group in grouped(self._chats.shown, self._chats.folders, self.now):
            place = group.place
            is_folded = place in self.folded
            if place.kind != "new":
                name = self.words.name(place)
                rows.append(Heading(place, name, len(group.chats), is_folded))
                keys.append(place)
            if is_folded:
                self.hiding = place if self._chats.current in group.chats else self.hiding
                continue
            if place.kind == "trash":
                words = self.tr("Chats are deleted for ever {0} days after they came here.")
                note = Note(words.format(TRASH_DAYS))
                rows.append(note)
                keys.append(note)
            rows += group.chats
            keys += group.chats
        return rows, keys

    def _take_over(self) -> None:
        self._rows, self._keys = self._coming
        self._places = dict(zip(self._keys, range(len(self._keys)), strict=True))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index)
        if row is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return _text(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return _text(row) if isinstance(row, Conversation) else None
        return self.told(row) if role == Qt.ItemDataRole.AccessibleTextRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        row, flags = self.row(index), Qt.ItemFlag
        if isinstance(row, Conversation):
            editable = flags.NoItemFlags if row.is_read_only else flags.ItemIsEditable
            return flags.ItemIsEnabled | flags.ItemIsSelectable | editable
        if isinstance(row, Heading):
            is_folder = row.place.kind == "folder"
            return flags.ItemIsEnabled | (flags.ItemIsEditable if is_folder else flags.NoItemFlags)
        return flags.NoItemFlags

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row, text = self.row(index), str(value)
        if role != Qt.ItemDataRole.EditRole or row is None or text == _text(row):
            return False
        if isinstance(row, Conversation):
            self._intents.rename_requested.emit(row, text)
            return True
        folder = self._chats.folder(row.place.number) if isinstance(row, Heading) else None
        if folder is not None:
            self._intents.folder_renamed.emit(folder, text)
        return folder is not None


def _text(row: Row) -> str:
    if isinstance(row, Conversation):
        return row.title
    return row.name if isinstance(row, Heading) else row.text


def _num_alike(before: Sequence[object], after: Sequence[object]) -> int:
    """How many are the same from the start on."""
    for number, (one, other) in enumerate(zip(before, after, strict=False)):
        if one is not other and one != other:
            return number
    return min(len(before), len(after))
