"""Where words are found in the texts of a chat, whatever their case; diacritics as typed."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.models.exchange import Exchange

MOST = 9_999


@dataclass(frozen=True, slots=True)
class Hit:
    """Characters of a question or of a reply's text; `number` counts within that text."""

    exchange: Exchange
    is_reply: bool
    start: int
    end: int
    number: int


def hits_of(exchange: Exchange, needle: str) -> Iterator[Hit]:
    """In the question, then in the reply."""
    pattern = re.compile(re.escape(needle), re.IGNORECASE)
    for is_reply, text in ((False, exchange.prompt), (True, exchange.reply.text)):
        for number, found in enumerate(pattern.finditer(text)):
            yield Hit(exchange, is_reply, *found.span(), number)


def all_hits(path: Sequence[Exchange], needle: str) -> Iterator[list[Hit]]:
    """By exchange, so that a long chat can be searched in helpings."""
    for exchange in path:
        yield list(hits_of(exchange, needle)) if needle else []
