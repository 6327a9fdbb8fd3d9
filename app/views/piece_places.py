"""Where each piece of a text lies, by position: which token is where, and of which origin.

Positions are the document's own: UTF-16 units, one more for each soft split. Characters are those
of the plain text, which has no splits. Knows no document.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.models.reply import Piece
from engine import Origin

Run = tuple[int, int, tuple[Origin, ...]]
_BLOCK = 1_024


def utf16_length(text: str) -> int:
    """Length as Qt counts it."""
    return len(text) + sum(character > "\uffff" for character in text)


class Cell(NamedTuple):
    """Where a token's text is: part `number` of `of` equal parts of what lies in `start..end`.

    Usually all of it; one of several parts where tokens became text together.
    """

    start: int
    end: int
    number: int
    of: int


class PiecePlaces:
    """Grows at its end with the text, and is cut there.

    `open_units` and `open_chunks` are how much stands in the last line so far.
    """

    def __init__(self) -> None:
        self._starts, self._firsts = array("L"), array("L")
        self._pieces: list[Piece] = []
        self._run_starts: list[int] = []
        self._runs: list[Run] = []
        self._chunk_starts, self._chunk_characters = array("L"), array("L")
        self._is_told = True
        self.end = self.num_characters = 0
        self.open_units = self.open_chunks = 0

    @property
    def num_tokens(self) -> int:
        """How many tokens became text, or are known to have none."""
        return self._pieces[-1].first + len(self._pieces[-1].origins) if self._pieces else 0

    def piece_at(self, position: int) -> Piece | None:
        """The piece that a character of the document belongs to."""
        at = bisect_right(self._starts, position) - 1
        return self._pieces[at] if at >= 0 else None

    def piece_of(self, token: int) -> Piece | None:
        """The piece that a token became part of; None while its text is held back."""
        at = bisect_right(self._firsts, token) - 1
        piece = self._pieces[at] if at >= 0 else None
        return piece if piece and token < piece.first + len(piece.origins) else None

    def cell_of(self, token: int) -> Cell | None:
        """Where a token is; None while its text is held back."""
        piece = self.piece_of(token)
        if piece is None:
            return None
        at = bisect_right(self._firsts, token) - 1
        end = self._starts[at + 1] if at + 1 < len(self._starts) else self.end
        return Cell(self._starts[at], end, token - piece.first, len(piece.origins))

    def silent_tail(self) -> list[tuple[int, Origin]]:
        """The tokens behind the last text that have none, in order, with their origins."""
        found: list[tuple[int, Origin]] = []
        for piece in reversed(self._pieces):
            if piece.text:
                break
            tokens = range(piece.first, piece.first + len(piece.origins))
            found[:0] = zip(tokens, piece.origins, strict=True)
        return found

    def runs_between(self, start: int, end: int) -> Iterator[Run]:
        """Stretches of one origin (or of one character with several), cut to the range."""
        at = max(bisect_right(self._run_starts, start) - 1, 0)
        while at < len(self._runs) and self._runs[at][0] < end:
            low, high, origins = self._runs[at]
            if max(low, start) < min(high, end):
                yield max(low, start), min(high, end), origins
            at += 1

    def chunk_of(self, character: int) -> tuple[int, int]:
        """The position of the chunk that a character is in, and which of its characters it is."""
        at = bisect_right(self._chunk_characters, character) - 1
        return self._chunk_starts[at], character - self._chunk_characters[at]

    def num_common(self, pieces: Sequence[Piece]) -> int:
        """How many pieces this text and another begin with; most are the very same ones."""
        ours, most = self._pieces, min(len(self._pieces), len(pieces)) if self._is_told else 0
        number = 0
        # Lists that hold the same objects are compared as fast as memory is read.
        while number < most and ours[number : number + _BLOCK] == pieces[number : number + _BLOCK]:
            number += _BLOCK
        while number < most and ours[number] == pieces[number]:
            number += 1
        return min(number, most)

    @property
    def num_pieces(self) -> int:
        """How many pieces have a place."""
        return len(self._pieces)

    def start_of(self, number: int) -> int:
        """Where a piece begins, by its number among them all."""
        return self._starts[number]

    def add_chunk(self, chunk: str) -> None:
        """Some text at the end."""
        self._chunk_starts.append(self.end)
        self._chunk_characters.append(self.num_characters)
        length = utf16_length(chunk)
        self.end += length
        self.num_characters += len(chunk)
        cut = chunk.rfind("\n")
        if cut >= 0:
            self.open_units, self.open_chunks = utf16_length(chunk[cut + 1 :]), 1
        else:
            self.open_units, self.open_chunks = self.open_units + length, self.open_chunks + 1

    def add_split(self) -> None:
        """A line ends without a break in the text."""
        self.end += 1
        self.open_units = self.open_chunks = 0

    def add_piece(self, piece: Piece, start: int) -> None:
        """The chunks from `start` on are a piece; one whose tokens are not told has no place."""
        if not piece.origins:
            self._is_told = False
            return
        self._starts.append(start)
        self._firsts.append(piece.first)
        self._pieces.append(piece)
        if self.end == start:
            return
        is_uniform = len(set(piece.origins)) == 1
        origins = piece.origins[:1] if is_uniform else piece.origins
        last = self._runs[-1] if self._runs else None
        if last is not None and is_uniform and last[1:] == (start, origins):
            self._runs[-1] = (last[0], self.end, origins)
            return
        self._run_starts.append(start)
        self._runs.append((start, self.end, origins))

    def cut(self, number: int, line: int, *, is_broken: bool) -> None:
        """Keep the first pieces only, as if no others had come.

        The last line begins at `line` then; `is_broken` by a break of the text before it.
        """
        end = self._starts[number]
        at = bisect_left(self._chunk_starts, end)
        if at < len(self._chunk_starts):
            self.num_characters = self._chunk_characters[at]
        del self._chunk_starts[at:], self._chunk_characters[at:]
        del self._starts[number:], self._firsts[number:], self._pieces[number:]
        at = bisect_left(self._run_starts, end)
        del self._run_starts[at:], self._runs[at:]
        if self._runs and self._runs[-1][1] > end:
            self._runs[-1] = (self._runs[-1][0], end, self._runs[-1][2])
        # The chunk that broke the line counts as one on it.
        before = bisect_left(self._chunk_starts, line) - is_broken
        self.end, self.open_units = end, end - line
        self.open_chunks = len(self._chunk_starts) - before
