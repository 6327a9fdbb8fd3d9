"""The rows of the side bar: headings, and the chats of the groups that are unfolded."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

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


class ChatRows(QAbstractListModel):
    """Follows the chats when it is told to `regroup`; renaming is an intent."""

    def __init__(self, chats: Chats, intents: Intents, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chats, self._intents = chats, intents
        self._rows: list[Row] = []
        self._places: dict[object, int] = {}
        self.words = ChatWords(chats, self)
        self.now = time.time()
        self.folded = set(HIDDEN)
        # The folded group that has the open chat in it.
        self.hiding: Place | None = None
        self.running: Conversation | None = None
        self.unread: set[Conversation] = set()

    @property
    def is_old(self) -> bool:
        """Whether times may read otherwise by now."""
        return abs(time.time() - self.now) > 1

    def regroup(self, now: float | None = None) -> None:
        """Take over what is in the chats now; rows that stay where they are stay the same."""
        self.now = time.time() if now is None else now
        fresh, old = self._wanted(), self._rows
        keys, before = [_key(row) for row in fresh], list(self._places)
        head = _num_alike(before, keys)
        tail = _num_alike(before[head:][::-1], keys[head:][::-1])
        if len(old) > head + tail:
            self.beginRemoveRows(QModelIndex(), head, len(old) - tail - 1)
            self._set(old[:head] + old[len(old) - tail :])
            self.endRemoveRows()
        if len(fresh) > head + tail:
            self.beginInsertRows(QModelIndex(), head, len(fresh) - tail - 1)
            self._set(fresh)
            self.endInsertRows()
        else:
            self._set(fresh)

    def row(self, index: Index) -> Row | None:
        """What stands in a row; None outside."""
        return self._rows[index.row()] if 0 <= index.row() < len(self._rows) else None

    def index_of(self, thing: Conversation | Place) -> QModelIndex:
        """Where a chat, or the heading of a place, stands; invalid where it does not."""
        return self.index(self._places.get(thing, -1))

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

    def _wanted(self) -> list[Row]:
        rows: list[Row] = []
        self.hiding = None
        for group in grouped(self._chats.shown, self._chats.folders, self.now):
            place = group.place
            is_folded = place in self.folded
            if place.kind != "new":
                name = self.words.name(place)
                rows.append(Heading(place, name, len(group.chats), is_folded))
            if is_folded:
                self.hiding = place if self._chats.current in group.chats else self.hiding
                continue
            if place.kind == "trash":
                words = self.tr("Chats are deleted for ever {0} days after they came here.")
                rows.append(Note(words.format(TRASH_DAYS)))
            rows += group.chats
        return rows

    def _set(self, rows: list[Row]) -> None:
        self._rows = rows
        self._places = {_key(row): number for number, row in enumerate(rows)}

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

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


def _key(row: Row) -> object:
    return row.place if isinstance(row, Heading) else row


def _num_alike(before: Sequence[object], after: Sequence[object]) -> int:
    """How many are the same from the start on."""
    for number, (one, other) in enumerate(zip(before, after, strict=False)):
        if one != other:
            return number
    return min(len(before), len(after))
