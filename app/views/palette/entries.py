"""What the palette offers: entries made of commands, chats and folders, and which to show."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QCoreApplication

from app.models.chats import Chats, Folder
from app.models.commands import Command, Commands
from app.models.conversation import Conversation
from app.views.palette.matching import Match, folded, match, words_of

Kind = Literal["command", "chat", "folder"]
NUM_RECENT = 5
MAX_SHOWN = 60
# A command is looked for more often than a chat that is called the same.
_HEAD_START: dict[Kind, float] = {"command": 8.0, "folder": 0.5, "chat": 0.0}


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to choose; `aside` is said in small letters, `key` is its shortcut."""

    kind: Kind
    title: str
    target: Command | Conversation | Folder
    aside: str = ""
    key: str = ""
    is_on: bool = False
    folded: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the list: an entry with the letters that were meant, or a heading."""

    entry: Entry | None
    heading: str = ""
    places: tuple[int, ...] = ()


class Entries:
    """A picture of what there is at the moment the palette opens."""

    def __init__(self, commands: Commands, chats: Chats) -> None:
        offered = sorted(_offered(commands), key=lambda each: bool(each.role))
        self._commands = [_of_command(commands, each) for each in offered]
        names = {folder.id: folder.name for folder in chats.folders}
        shown = (chat for chat in chats.shown if chat.trashed is None and _is_begun(chat))
        newest = sorted(shown, key=lambda chat: chat.changed, reverse=True)
        usual, archived = _tr("Chat"), _tr("Archived")
        self._chats = [
            _of_chat(chat, archived if chat.is_archived else names.get(chat.folder or 0, usual))
            for chat in newest
        ]
        self._folders = [
            Entry("folder", each.name, each, _tr("Folder"), folded=folded(each.name))
            for each in chats.folders
        ]

    def rows(self, query: str) -> list[Row]:
        """What fits, best first; for nothing typed, the latest chats and all commands."""
        words = words_of(query)
        if not words:
            return [
                *_part(_tr("Recent chats"), self._chats[:NUM_RECENT]),
                *_part(_tr("Commands"), self._commands),
            ]
        found: list[tuple[float, int, Entry, Match]] = []
        number = 0
        for entries in (self._commands, self._folders, self._chats):
            for entry in entries:
                fit = match(entry.folded, words, scatters=entry.kind == "command")
                if fit is not None:
                    found.append((fit.score + _HEAD_START[entry.kind], -number, entry, fit))
                number += 1
        best = heapq.nlargest(MAX_SHOWN, found, key=lambda each: each[:2])
        return [Row(entry, places=fit.places) for _, _, entry, fit in best]


def _offered(commands: Commands) -> list[Command]:
    """Those of the menus that are possible; the palette itself, and what edits a field, are not."""
    return [
        each
        for each in commands.items
        if each.menu and each.id not in _AT_THE_CARET and commands.is_possible(each.id)
    ]


_AT_THE_CARET = {"palette", "undo", "redo", "cut", "copy", "paste", "select_all"}


def _of_command(commands: Commands, command: Command) -> Entry:
    key = command.hint or (command.keys[0] if command.keys else "")
    words = command.words
    is_on = commands.is_on(command.id)
    return Entry("command", words, command, command.menu, key, is_on, folded(words))


def _of_chat(chat: Conversation, where: str) -> Entry:
    return Entry("chat", chat.title, chat, where, folded=folded(chat.title))


def _is_begun(chat: Conversation) -> bool:
    """Worth opening: the empty chat that is open is open already."""
    return chat.is_read_only or not chat.is_empty


def _part(heading: str, entries: Sequence[Entry]) -> list[Row]:
    return [Row(None, heading), *map(Row, entries)] if entries else []


def _tr(text: str) -> str:
    return QCoreApplication.translate("Palette", text)
