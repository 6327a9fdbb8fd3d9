"""Searching titles and messages: the newest first, each with the place that matches."""

import json
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from heapq import nlargest

from app.storage import terms
from app.storage.index import searchable
from app.storage.records import Hit
from app.storage.rows import real_of, text_of
from app.storage.words import Matching, composed, folded, matching

_BEFORE, _LENGTH = 40, 160
_ONLY = " AND chats.id IN (SELECT value FROM json_each(?))"
_TITLES = "SELECT changed, id, title FROM chats WHERE trashed IS NULL{}"
# Walked from the newest message down, so that it ends as soon as there are enough.
_MESSAGES = (
    "SELECT messages.chat, messages.id, chats.title, chats.changed, messages.segments FROM words"
    " CROSS JOIN messages ON messages.seq = words.rowid"
    " CROSS JOIN chats ON chats.id = messages.chat"
    " WHERE words MATCH ?{} AND chats.trashed IS NULL{} ORDER BY words.rowid DESC LIMIT ?"
)
_WITHIN = " AND words.rowid BETWEEN ? AND ?"
_SPAN = "SELECT min(seq), max(seq) FROM messages WHERE chat IN (SELECT value FROM json_each(?))"


def search(
    connection: sqlite3.Connection, query: str, limit: int, chats: Collection[int] | None
) -> list[Hit]:
    """Titles that match, then messages, the newest first and up to the limit of each.

    Nothing for a query without words.
    """
    sought = matching(query)
    if sought is None or limit <= 0:
        return []
    chosen = None if chats is None else json.dumps(list(chats))
    titles = _titles(connection, sought, limit, chosen)
    return [*titles, *_messages(connection, sought, limit, chosen)]


def _titles(
    connection: sqlite3.Connection, sought: Matching, limit: int, chosen: str | None
) -> Iterator[Hit]:
    only, values = ("", ()) if chosen is None else (_ONLY, (chosen,))
    rows = connection.execute(_TITLES.format(only), values).fetchall()
    read = ((real_of(changed), chat, text_of(title)) for changed, chat, title in rows)
    found = (row for row in read if sought.is_in(row[2]))
    for changed, chat, title in nlargest(limit, found):
        yield Hit(chat, None, title, *excerpt(title, sought), changed)


def _messages(
    connection: sqlite3.Connection, sought: Matching, limit: int, chosen: str | None
) -> Iterator[Hit]:
    question = sought.question(terms.beginning_with(connection, sought.beginning))
    if chosen is None:
        statement, values = _MESSAGES.format("", ""), (question, limit)
    else:
        span = connection.execute(_SPAN, (chosen,)).fetchone()
        statement, values = _MESSAGES.format(_WITHIN, _ONLY), (question, *span, chosen, limit)
    for row in connection.execute(statement, values).fetchall():
        chat, message, title, changed, segments = row
        where = excerpt(searchable(segments), sought)
        yield Hit(chat, message, text_of(title), *where, real_of(changed))


def excerpt(text: str, sought: Matching) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The stretch around the first match, on one line, and where the matches are in it."""
    text = composed(text)
    words = folded(text)
    firsts = [m.start() for p in sought.patterns if (m := p.search(words))]
    first = min(firsts, default=0)
    start = max(0, first - _BEFORE)
    if start:
        # Begin with a whole word where one begins soon.
        space = text.find(" ", start, first)
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + _LENGTH)
    lead, tail = "…" if start else "", "…" if end < len(text) else ""
    found = (m.span() for p in sought.patterns for m in p.finditer(words, start, end))
    shift = len(lead) - start
    ranges = tuple((low + shift, high + shift) for low, high in _joined(found))
    line = re.sub(r"\s", " ", text[start:end])
    return lead + line + tail, ranges


def _joined(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """In order, and none over another."""
    joined: list[tuple[int, int]] = []
    for low, high in sorted(spans):
        if joined and low <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        elif high > low:
            joined.append((low, high))
    return joined
