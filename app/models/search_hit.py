"""What a search found: a chat by its title, or a message in it."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from app.models.conversation import Conversation

Ranges = tuple[tuple[int, int], ...]
# Nobody reads further; another letter finds less.
MOST_TITLES = 100


@dataclass(frozen=True, slots=True)
class SearchHit:
    """`ranges` are what to mark, from and up to: in the snippet, of a title's hit in the title."""

    chat: int
    message: int | None
    title: str
    snippet: str
    ranges: Ranges


def title_hits(chats: Iterable[Conversation], query: str) -> list[SearchHit]:
    """Chats whose title has every word of the query, the last changed first; none from the trash.

    Case and accents do not count.
    """
    words = {_folded(word)[0] for word in query.split()} - {""}
    if not words:
        return []
    found = [
        (chat, ranges)
        for chat in chats
        if chat.trashed is None
        and (chat.is_read_only or not chat.is_empty)
        and (ranges := _ranges(chat.title, words))
    ]
    found.sort(key=lambda each: each[0].changed, reverse=True)
    return [
        SearchHit(chat.id, None, chat.title, "", ranges) for chat, ranges in found[:MOST_TITLES]
    ]


def _ranges(title: str, words: set[str]) -> Ranges:
    """Where the words stand, none where one is missing; those that touch are one."""
    text, places = _folded(title)
    spans: list[tuple[int, int]] = []
    for word in words:
        at = text.find(word)
        if at < 0:
            return ()
        while at >= 0:
            spans.append((places[at], places[at + len(word) - 1] + 1))
            at = text.find(word, at + len(word))
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return tuple(joined)


@lru_cache(maxsize=16_384)
def _folded(text: str) -> tuple[str, range | tuple[int, ...]]:
    """Without case and accents, and where each character came from."""
    if text.isascii():
        return text.lower(), range(len(text))
    letters: list[str] = []
    places: list[int] = []
    for at, character in enumerate(text):
        for part in unicodedata.normalize("NFKD", character).casefold():
            if not unicodedata.combining(part):
                letters.append(part)
                places.append(at)
    return "".join(letters), tuple(places)
