"""Searching the blocks of a reply, and lighting up what was found."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from app.views.markdown.pieces import Piece

# The block's number, and where in its words.
Match = tuple[int, int, int]
_MOST = 5_000


def find(pieces: Sequence[Piece], needle: str) -> list[Match]:
    """Where a text stands, whatever its case; the first thousands of places."""
    return list(islice(_found(pieces, needle), _MOST)) if needle else []


def light(pieces: Sequence[Piece], found: Sequence[Match], current: int | None) -> None:
    """Light up these matches and no others, the current one most."""
    by_piece: dict[int, list[tuple[int, int]]] = {}
    place = (-1, -1)
    for number, (block, start, length) in enumerate(found):
        stretches = by_piece.setdefault(block, [])
        if number == current:
            place = (block, len(stretches))
        stretches.append((start, length))
    for number, piece in enumerate(pieces):
        piece.light(by_piece.get(number, []), place[1] if place[0] == number else -1)


def _found(pieces: Sequence[Piece], needle: str) -> Iterator[Match]:
    pattern = re.compile(re.escape(needle), re.IGNORECASE)
    for number, piece in enumerate(pieces):
        for each in pattern.finditer(piece.words()):
            yield number, each.start(), each.end() - each.start()
