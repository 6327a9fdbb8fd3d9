"""Where words are found in the texts of a chat, whatever their case; diacritics as typed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from app.models.exchange import Exchange
from app.views.column.shown_words import ShownWords

MOST = 9_999


@dataclass(frozen=True, slots=True)
class Hit:
    """A match in a question or a reply; `number` counts within that text.

    `start` and `end` are characters of the text; in a reply's Markdown look, of the stretch of
    shown words that the match is in.
    """

    exchange: Exchange
    is_reply: bool
    start: int
    end: int
    number: int


def hits_of(exchange: Exchange, needle: str, shown: ShownWords | None = None) -> Iterator[Hit]:
    """In the question, then in the reply: its text, or what is `shown` of it."""
    for helping in _helpings(exchange, needle, shown):
        yield from helping


def all_hits(
    path: Sequence[Exchange], needle: str, shown: ShownWords | None = None
) -> Iterator[list[Hit]]:
    """In helpings, some of them empty, so that a long chat can be searched over several turns."""
    for exchange in path if needle else ():
        yield from _helpings(exchange, needle, shown)


def _helpings(exchange: Exchange, needle: str, shown: ShownWords | None) -> Iterator[list[Hit]]:
    pattern, reply = re.compile(re.escape(needle), re.IGNORECASE), exchange.reply
    in_question = enumerate(pattern.finditer(exchange.prompt))
    yield [Hit(exchange, False, *found.span(), number) for number, found in in_question]
    numbers = count()
    for stretches in ((reply.text,),) if shown is None else shown.read(reply):
        yield [
            Hit(exchange, True, *found.span(), next(numbers))
            for words in stretches
            for found in pattern.finditer(words)
        ]


def place_of(hit: Hit) -> tuple[Exchange, bool, int]:
    """Where a match stands, whichever look was searched."""
    return hit.exchange, hit.is_reply, hit.number


def nearest(
    hits: Sequence[Hit],
    path: Sequence[Exchange],
    exchange: Exchange | None,
    is_reply: bool = False,
    number: int = 0,
) -> int:
    """The first match at a place or behind it, else the first of all; -1 without any."""
    order = {each: place for place, each in enumerate(path)}
    at = order.get(exchange, 0) if exchange is not None else 0, is_reply, number
    for place, hit in enumerate(hits):
        if (order.get(hit.exchange, 0), hit.is_reply, hit.number) >= at:
            return place
    return 0 if hits else -1
