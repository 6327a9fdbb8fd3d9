"""A message's text as paragraphs of a document: appended in pieces, split softly, fonts by line.

Positions are the document's own: UTF-16 units, one more for each soft split. Characters are those
of the plain text, which has no splits.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextCursor, QTextDocument

from app.models.reply import Piece
from app.theme import mono, sans
from app.views.paragraph_style import (
    CODE_PIXELS,
    TEXT_PIXELS,
    Mark,
    block_format,
    classify,
    code_pixels,
    mark_of,
    set_frame,
)
from engine import Origin

SPLIT_UNITS = 2_000
SPLIT_PIECES = 1_500
# Breaks that Qt would take for paragraphs of its own, and characters it keeps for itself.
_SHOWN_AS = {0x0D: " ", 0x2028: "\n", 0x2029: "\n", 0x00: "\u2400", 0xFDD0: "\ufffd"} | {
    0xFDD1: "\ufffd"
}


Run = tuple[int, int, tuple[Origin, ...]]


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


class Paragraphs:
    """Writes pieces to the end of a document and knows where each one lies."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._formats = _formats(TEXT_PIXELS, CODE_PIXELS)
        document.setUndoRedoEnabled(False)
        document.setDocumentMargin(0)
        document.setDefaultFont(sans(TEXT_PIXELS))
        self._begin()

    def _begin(self) -> None:
        self._starts, self._firsts = array("L"), array("L")
        self._pieces: list[Piece] = []
        self._run_starts: list[int] = []
        self._runs: list[Run] = []
        self._chunk_starts, self._chunk_characters = array("L"), array("L")
        self._end = self._num_characters = 0
        self._open_units = self._open_pieces = 0
        cursor = QTextCursor(self._document)
        cursor.setBlockFormat(block_format(Mark.NONE))
        cursor.setBlockCharFormat(self._formats[False])

    @property
    def end(self) -> int:
        """The position behind the last character."""
        return self._end

    @property
    def num_tokens(self) -> int:
        """How many tokens became text, or are known to have none."""
        return self._pieces[-1].first + len(self._pieces[-1].origins) if self._pieces else 0

    def set_pixels(self, pixels: int) -> None:
        """Set all of it in another size, and what will come."""
        self._formats = _formats(pixels, code_pixels(pixels))
        self._document.setDefaultFont(sans(pixels))
        cursor = QTextCursor(self._document)
        cursor.beginEditBlock()
        block = self._document.firstBlock()
        while block.isValid():
            self._restyle(cursor, block, mark_of(block))
            block = block.next()
        cursor.endEditBlock()

    def clear(self) -> None:
        """Begin again with nothing."""
        self._document.clear()
        self._document.firstBlock().setUserState(int(Mark.NONE))
        self._begin()

    def append(self, pieces: Iterable[Piece]) -> None:
        """Add text at the end."""
        cursor = QTextCursor(self._document)
        # Begun first: outside of an edit, moving asks the layout where on its line the end is.
        cursor.beginEditBlock()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        first_block = cursor.blockNumber()
        waiting: list[str] = []
        for piece in pieces:
            start = self._end
            for chunk in _chunks(piece.text.translate(_SHOWN_AS)):
                if self._open_units >= SPLIT_UNITS or self._open_pieces >= SPLIT_PIECES:
                    _flush(cursor, waiting)
                    self._split(cursor)
                waiting.append(chunk)
                self._chunk_starts.append(self._end)
                self._chunk_characters.append(self._num_characters)
                self._count(chunk)
            self._record(piece, start)
        _flush(cursor, waiting)
        self._style(cursor, first_block)
        set_frame(self._document)
        cursor.endEditBlock()

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
        end = self._starts[at + 1] if at + 1 < len(self._starts) else self._end
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

    def position_of(self, character: int) -> int:
        """The position of a character of the plain text; the end for any beyond."""
        if character >= self._num_characters:
            return self._end
        at = bisect_right(self._chunk_characters, character) - 1
        start, rest = self._chunk_starts[at], character - self._chunk_characters[at]
        # As many units as characters, or more: enough text to count the units of the first ones.
        return start + utf16_length(self.plain_text(start, start + 2 * rest)[:rest])

    def runs_between(self, start: int, end: int) -> Iterator[Run]:
        """Stretches of one origin (or of one character with several), cut to the range."""
        at = max(bisect_right(self._run_starts, start) - 1, 0)
        while at < len(self._runs) and self._runs[at][0] < end:
            low, high, origins = self._runs[at]
            if max(low, start) < min(high, end):
                yield max(low, start), min(high, end), origins
            at += 1

    def plain_text(self, start: int, end: int) -> str:
        """The text between two positions, without soft splits."""
        parts: list[str] = []
        block = self._document.findBlock(start)
        first = block.blockNumber()
        while block.isValid() and block.position() <= end:
            if block.blockNumber() > first and not mark_of(block) & Mark.SOFT:
                parts.append("\n")
            text = block.text().encode("utf-16-le", "surrogatepass")
            low = max(start - block.position(), 0) * 2
            high = max(end - block.position(), 0) * 2
            parts.append(text[low:high].decode("utf-16-le", "surrogatepass"))
            block = block.next()
        return "".join(parts)

    def _count(self, chunk: str) -> None:
        length = utf16_length(chunk)
        self._end += length
        self._num_characters += len(chunk)
        cut = chunk.rfind("\n")
        if cut >= 0:
            self._open_units, self._open_pieces = utf16_length(chunk[cut + 1 :]), 1
        else:
            self._open_units, self._open_pieces = self._open_units + length, self._open_pieces + 1

    def _split(self, cursor: QTextCursor) -> None:
        cursor.insertBlock()
        cursor.block().setUserState(int(Mark.SOFT))
        self._end += 1
        self._open_units = self._open_pieces = 0

    def _record(self, piece: Piece, start: int) -> None:
        if not piece.origins:
            return
        self._starts.append(start)
        self._firsts.append(piece.first)
        self._pieces.append(piece)
        if self._end == start:
            return
        is_uniform = len(set(piece.origins)) == 1
        origins = piece.origins[:1] if is_uniform else piece.origins
        last = self._runs[-1] if self._runs else None
        if last is not None and is_uniform and last[1:] == (start, origins):
            self._runs[-1] = (last[0], self._end, origins)
            return
        self._run_starts.append(start)
        self._runs.append((start, self._end, origins))

    def _style(self, cursor: QTextCursor, first_block: int) -> None:
        """Set each touched paragraph in the font of prose or of code."""
        block = self._document.findBlockByNumber(first_block)
        before = block.previous()
        was = mark_of(before) if before.isValid() else Mark.NONE
        while block.isValid():
            old = mark_of(block)
            new = classify(block.text(), old & Mark.SOFT, was)
            block.setUserState(int(new))
            if new != old or block.blockNumber() > first_block:
                self._restyle(cursor, block, new)
            was, block = new, block.next()

    def _restyle(self, cursor: QTextCursor, block: QTextBlock, mark: Mark) -> None:
        char_format = self._formats[bool(mark & Mark.CODE)]
        cursor.setPosition(block.position())
        cursor.setBlockFormat(block_format(mark))
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(char_format)
        cursor.setBlockCharFormat(char_format)


def _formats(text: int, code: int) -> dict[bool, QTextCharFormat]:
    """How prose (False) and code (True) are set."""
    formats = {False: QTextCharFormat(), True: QTextCharFormat()}
    formats[False].setFont(sans(text))
    formats[True].setFont(mono(code))
    return formats


def _flush(cursor: QTextCursor, waiting: list[str]) -> None:
    cursor.insertText("".join(waiting))
    waiting.clear()


def _chunks(text: str) -> Iterator[str]:
    """Text in parts of which each fits a paragraph."""
    for start in range(0, len(text), SPLIT_UNITS):
        yield text[start : start + SPLIT_UNITS]
