"""How many tokens a text has: exactly, yet in pieces, so that a long one can be given up.

Pieces overlap. Two neighbours are joined only where both have the same tokens at the same places,
several in a row: there the cut of neither is felt. Where they do not agree, the piece grows.
"""

from bisect import bisect_left
from collections.abc import Callable
from typing import Any, NamedTuple

from engine.errors import TokenizerError
from engine.model.faults import Translated
from engine.model.prompt import mended

PIECE = 32_000
OVERLAP = 1_000
# Tokens in a row that neighbours must share; they are joined in the middle of those.
AGREEING = 32

_FAILING = Translated(TokenizerError, "The model's tokenizer fails on this text.")


class _Piece(NamedTuple):
    """The tokens of the text from `start` on: their ids, and their places counted from there."""

    start: int
    ids: list[int]
    places: list[tuple[int, int]]

    def token(self, index: int) -> tuple[int, int, int]:
        """Where a token begins and ends in the whole text, and its id."""
        begin, end = self.places[index]
        return self.start + begin, self.start + end, self.ids[index]


def count_tokens(
    tokenizer: Any,
    text: str,
    look: Callable[[], None],
    *,
    piece: int = PIECE,
    overlap: int = OVERLAP,
    agreeing: int = AGREEING,
) -> int:
    """The tokens of `text`, no special ones added. `look` is called before each piece; may raise.

    `TokenizerError` where the tokenizer fails. One that cannot say where its tokens lie is given
    the text whole.
    """
    look()
    text = mended(text)
    if not tokenizer.is_fast or len(text) <= piece:
        with _FAILING:
            return len(tokenizer.encode(text, add_special_tokens=False))

    def read(start: int, width: int) -> _Piece:
        look()
        part = text[start : start + width]
        with _FAILING:
            found = tokenizer(part, add_special_tokens=False, return_offsets_mapping=True)
        return _Piece(start, found["input_ids"], found["offset_mapping"])

    return _count_in_pieces(read, len(text), piece, overlap, agreeing)


def _count_in_pieces(
    read: Callable[[int, int], _Piece], length: int, size: int, overlap: int, agreeing: int
) -> int:
    total = num_told = 0
    width, here = size, read(0, size)
    while here.start + width < length:
        after = read(here.start + width - overlap, size)
        seam = _seam(here, after, agreeing)
        if seam is None:
            width *= 2
            here = read(here.start, width)
            continue
        total += seam[0] - num_told
        width, here, num_told = size, after, seam[1]
    return total + len(here.ids) - num_told


def _seam(here: _Piece, after: _Piece, agreeing: int) -> tuple[int, int] | None:
    """How many tokens of each lie before the middle of the first that both have in a row."""
    i = bisect_left(here.places, (after.start - here.start, 0))
    j = run = 0
    while i < len(here.ids) and j < len(after.ids) and run < agreeing:
        left, right = here.token(i), after.token(j)
        run = run + 1 if left == right else 0
        i += left <= right
        j += right <= left
    return (i - agreeing // 2, j - agreeing // 2) if run == agreeing else None
