"""Searching titles and messages: the newest first, each with the place that matches."""

import json
import re
import sqlite3
from collections.abc import Collection, Iterable

from app.storage.index import searchable
from app.storage.records import Hit
from app.storage.words import Matching, composed, folded, matching

_BEFORE, _LENGTH = 40, 160
_ONLY = " AND chats.id IN (SELECT value FROM json_each(?))"
_TITLES = "SELECT id, title, changed FROM chats WHERE trashed IS NULL{} ORDER BY changed DESC"
_MESSAGES = (
    "SELECT messages.chat, messages.id, chats.title, chats.changed, messages.segments FROM words"
    " CROSS JOIN messages ON messages.seq = words.rowid"
    " CROSS JOIN chats ON chats.id = messages.chat"
    " WHERE words MATCH ? AND chats.trashed IS NULL{} ORDER BY words.rowid DESC LIMIT ?"
)


def search(
    connection: sqlite3.Connection, query: str, limit: int, chats: Collection[int] | None
) -> list[Hit]:
    """Titles that match, then messages, the newest first; nothing for a query without words."""
    sought = matching(query)
    if sought is None or limit <= 0:
        return []
    only = "" if chats is None else _ONLY
    chosen = [] if chats is None else [json.dumps(list(chats))]
    hits: list[Hit] = []
    for chat, title, changed in connection.execute(_TITLES.format(only), chosen).fetchall():
        if len(hits) < limit and sought.is_in(title):
            hits.append(Hit(chat, None, title, *excerpt(title, sought), changed))
    values = [sought.question, *chosen, limit - len(hits)]
    for row in connection.execute(_MESSAGES.format(only), values).fetchall():
        chat, message, title, changed, segments = row
        hits.append(Hit(chat, message, title, *excerpt(searchable(segments), sought), changed))
    return hits


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
