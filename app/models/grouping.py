"""Chats in the groups of the side bar: by where they were put, else by when they last changed."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from math import inf
from operator import attrgetter
from typing import Literal

from app.models.chats import Folder
from app.models.conversation import Conversation

Kind = Literal[
    "new",
    "pinned",
    "folder",
    "traces",
    "today",
    "yesterday",
    "week",
    "days",
    "month",
    "year",
    "archived",
    "trash",
]
TIMES: tuple[Kind, ...] = ("today", "yesterday", "week", "days", "month", "year")
# After so many days in the trash a chat is deleted for ever.
TRASH_DAYS = 30
_MONTHS = 100
# 1971 and 9987: of a clock that is further off there is no calendar everywhere.
_EARLIEST, _LATEST = 32_000_000.0, 253_000_000_000.0


@dataclass(frozen=True, slots=True)
class Place:
    """Which group: `number` is a folder's, a month's (202610) or a year's (2024)."""

    kind: Kind
    number: int = 0

    @property
    def is_time(self) -> bool:
        """Whether chats get there by their time alone."""
        return self.kind in TIMES or self.kind == "new"


# What is out of the way: folded, until somebody looks.
HIDDEN = (Place("archived"), Place("trash"))


@dataclass(frozen=True, slots=True)
class Group:
    """Chats of one place, the last changed first."""

    place: Place
    chats: tuple[Conversation, ...]


class Calendar:
    """Groups of time, seen from one moment; their borders are local midnights."""

    def __init__(self, now: float) -> None:
        self._day = datetime.fromtimestamp(min(max(now, _EARLIEST), _LATEST)).date()
        # From when on, newest first; months and years come below.
        self._starts = [
            (self._midnight(0), Place("today")),
            (self._midnight(1), Place("yesterday")),
            (self._midnight(7), Place("week")),
            (self._midnight(30), Place("days")),
        ]

    def place_of(self, when: float) -> tuple[Place, float]:
        """The group of a moment, and its start; what is still to come counts as today."""
        for start, place in self._starts:
            if when >= start:
                return place, start
        try:
            day = datetime.fromtimestamp(when).date()
            # Whole years only, so that no year stands below its own months.
            if day.year >= self._day.year - 1:
                place = Place("month", day.year * _MONTHS + day.month)
                return place, _start_of(day.year, day.month)
            return Place("year", day.year), _start_of(day.year, 1)
        except (OverflowError, OSError, ValueError):
            # No calendar goes there; a clock that was wrong does.
            return Place("year", date.min.year), -inf

    def _midnight(self, days_ago: int) -> float:
        return datetime.combine(self._day - timedelta(days=days_ago), time.min).timestamp()


def grouped(chats: Iterable[Conversation], folders: Sequence[Folder], now: float) -> list[Group]:
    """All groups, from the top down. Folders are there when empty, other groups are not."""
    calendar, known = Calendar(now), {folder.id for folder in folders}
    found: dict[Place, list[Conversation]] = {}
    span, start = Place("today"), inf
    filled: Place | None = None
    members: list[Conversation] = []
    for chat in sorted(chats, key=attrgetter("changed"), reverse=True):
        place = _put(chat, known)
        if place is None:
            # They come in order, so most are of the group of the one before.
            if chat.changed < start:
                span, start = calendar.place_of(chat.changed)
            place = span
        if place is not filled:
            filled, members = place, found.setdefault(place, [])
        members.append(chat)
    shelves = [Place("folder", each.id) for each in sorted(folders, key=lambda one: one.position)]
    for shelf in shelves:
        found.setdefault(shelf, [])
    # Times come newest first by themselves, the chats being sorted.
    times = [place for place in found if place.kind in TIMES]
    order = [Place("new"), Place("pinned"), *shelves, Place("traces"), *times]
    order += [Place("archived"), Place("trash")]
    return [Group(place, tuple(found[place])) for place in order if place in found]


def next_to(
    chat: Conversation, gone: Collection[Conversation], groups: Iterable[Group]
) -> Conversation | None:
    """What is left next to a chat in these groups: below it, else above it."""
    above: Conversation | None = None
    is_below = False
    for each in (each for group in groups for each in group.chats):
        if each is chat:
            is_below = True
        elif each not in gone:
            if is_below:
                return each
            above = each
    return above if is_below else None


def _put(chat: Conversation, folders: set[int]) -> Place | None:
    """Where a chat was put, if it was: out of several reasons the one that hides it most."""
    # Thousands are asked, and a property takes five times as long as a plain attribute.
    if chat.trashed is not None:
        return Place("trash")
    if chat.playback is not None:
        return Place("traces")
    if chat.is_archived:
        return Place("archived")
    if chat.is_pinned:
        return Place("pinned")
    if chat.folder is not None and chat.folder in folders:
        return Place("folder", chat.folder)
    return Place("new") if chat.is_loaded and chat.is_empty else None


def _start_of(year: int, month: int) -> float:
    return datetime(year, month, 1).timestamp()
