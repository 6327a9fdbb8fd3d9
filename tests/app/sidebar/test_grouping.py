"""Which group a chat stands in, at which border, in which order."""

import time
from datetime import datetime

import pytest

from app.models.ago import ago
from app.models.chats import Folder
from app.models.grouping import Place, grouped
from app.models.search_hit import title_hits
from tests.app.sidebar.conftest import from_trace, stored

NOW = datetime(2026, 3, 29, 12, 0).timestamp()


def kinds(chats, folders=(), now=NOW):
    return [
        (group.place.kind, group.place.number, [chat.title for chat in group.chats])
        for group in grouped(chats, folders, now)
    ]


def changed(title, *moment):
    chat = stored(title)
    chat.changed = datetime(*moment).timestamp()
    return chat


def test_groups_of_time_break_at_midnight(qapp):
    chats = [
        changed("future", 2027, 1, 1),
        changed("first today", 2026, 3, 29, 0, 0),
        changed("last yesterday", 2026, 3, 28, 23, 59, 59),
        changed("first yesterday", 2026, 3, 28),
        changed("last of the week", 2026, 3, 27, 23, 59, 59),
        changed("first of the week", 2026, 3, 22),
        changed("last of the days", 2026, 3, 21, 23, 59, 59),
        changed("first of the days", 2026, 2, 27),
        changed("February", 2026, 2, 26, 23, 59, 59),
        changed("January", 2026, 1, 1),
        changed("December", 2025, 12, 31, 23, 59),
        changed("start of 2025", 2025, 1, 1),
        changed("end of 2024", 2024, 12, 31, 23, 59),
        changed("early 2024", 2024, 1, 1),
    ]
    assert kinds(chats[::-1]) == [
        ("today", 0, ["future", "first today"]),
        ("yesterday", 0, ["last yesterday", "first yesterday"]),
        ("week", 0, ["last of the week", "first of the week"]),
        ("days", 0, ["last of the days", "first of the days"]),
        ("month", 202602, ["February"]),
        ("month", 202601, ["January"]),
        ("month", 202512, ["December"]),
        ("month", 202501, ["start of 2025"]),
        ("year", 2024, ["end of 2024", "early 2024"]),
    ]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/St_Johns", "Pacific/Apia", "UTC"])
def test_midnight_is_local_on_days_of_odd_length(qapp, monkeypatch, zone):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    now = datetime(2026, 3, 29, 12).timestamp()
    chats = [changed("today", 2026, 3, 29, 0, 0, 1), changed("before", 2026, 3, 28, 23, 59, 59)]
    found = [kind for kind, _, _ in kinds(chats, now=now)]
    monkeypatch.undo()
    time.tzset()
    assert found == ["today", "yesterday"]


def test_where_a_chat_was_put_comes_before_its_time(qapp):
    folders = [Folder(7, "second", 2.0), Folder(9, "first", 1.0)]
    trace = from_trace("trace")
    new = stored("new", is_named=False, is_loaded=True)
    chats = [
        stored("pinned in a folder", is_pinned=True, folder=7),
        stored("in a folder", folder=7),
        stored("in a folder that is gone", 0, folder=8, changed=NOW),
        stored("archived", is_archived=True, is_pinned=True),
        stored("trashed", trashed=NOW, is_archived=True, is_pinned=True),
        new,
        trace,
    ]
    assert kinds(chats, folders) == [
        ("new", 0, ["new"]),
        ("pinned", 0, ["pinned in a folder"]),
        ("folder", 9, []),
        ("folder", 7, ["in a folder"]),
        ("traces", 0, ["trace"]),
        ("today", 0, ["in a folder that is gone"]),
        ("archived", 0, ["archived"]),
        ("trash", 0, ["trashed"]),
    ]
    assert Place("week").is_time
    assert not Place("trash").is_time


@pytest.mark.parametrize("when", [-1e18, -1e10, 1e18, 0.0])
def test_a_clock_that_was_wrong_breaks_nothing(qapp, when):
    assert len(kinds([stored("odd", changed=when), stored("fine", changed=NOW)])[0][2]) >= 1
    assert isinstance(ago(when, NOW), str)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "now"),
        (59, "now"),
        (60, "1 min"),
        (3_599, "59 min"),
        (3_600, "1 h"),
        (86_399, "23 h"),
        (86_400, "1 d"),
        (6 * 86_400 + 86_399, "6 d"),
    ],
)
def test_ago_in_the_shortest_words(seconds, words):
    assert ago(NOW - seconds, NOW) == words


def test_ago_says_the_date_after_a_week():
    assert ago(datetime(2026, 3, 2, 12).timestamp(), NOW) == "2 Mar"
    assert ago(datetime(2025, 12, 31, 12).timestamp(), NOW) == "Dec 2025"


def marked(chat_title, query):
    hits = title_hits([stored(chat_title)], query)
    return [chat_title[start:end] for hit in hits for start, end in hit.ranges]


@pytest.mark.parametrize(
    ("title", "query", "marks"),
    [
        ("Rename a variable", "RENAME", ["Rename"]),
        ("Rename a variable", "var ren", ["Ren", "var"]),
        ("Rename a variable", "rename x", []),
        ("Crème brûlée", "creme brulee", ["Crème", "brûlée"]),
        ("日本語のタイトル", "本語", ["本語"]),
        ("Straße", "strasse", ["Straße"]),
        ("ﬁne", "fi", ["ﬁ"]),
        ("a.b*c", ".b*", [".b*"]),
        ("anything", "  ", []),
        ("anana", "ana", ["ana"]),
        ("abab", "ab", ["abab"]),
    ],
)
def test_titles_are_found_and_marked(qapp, title, query, marks):
    assert marked(title, query) == marks


def test_titles_of_the_trash_and_empty_chats_are_not_found(qapp):
    chats = [
        stored("one", trashed=1.0),
        stored("one", is_named=False, is_loaded=True),
        stored("one", 3),
        stored("one"),
    ]
    hits = title_hits(chats, "one")
    assert [hit.chat for hit in hits] == [chats[3].id, chats[2].id]


@pytest.mark.parametrize("now", [1e12, 2.0**63, 1e300, NOW, 0.0, -5e9, -1e12, -1e300])
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Adak"])
def test_a_clock_beyond_all_calendars_has_a_today(qapp, monkeypatch, now, zone):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    chats = [stored("now"), stored("far ahead"), stored("far back"), stored("real")]
    for chat, moment in zip(chats, (now, 1e17, -1e17, NOW), strict=True):
        chat.changed = moment
    found = grouped(chats, (), now)
    words = [ago(chat.changed, now) for chat in chats]
    monkeypatch.undo()
    time.tzset()
    assert found[0].place == Place("today")
    assert chats[1] in found[0].chats or now > 1e17
    assert sum(len(group.chats) for group in found) == len(chats)
    assert words[0] == "now"
