"""A message's text as paragraphs of a document: appended in pieces, split softly, fonts by line.

Positions are the document's own: UTF-16 units, one more for each soft split.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from enum import IntFlag

from PySide6.QtGui import (
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)

from app.models.prose import is_code_line, is_fence
from app.models.reply import Piece
from app.theme import mono, sans
from engine import Origin

SPLIT_UNITS = 2_000
SPLIT_PIECES = 1_500
TEXT_PIXELS = 13
CODE_PIXELS = 13
FENCE_INDENT = 14.0
TEXT_MARGIN = 2.0
CARD_MARGIN = 13.0
_LINE_HEIGHT = {False: 140.0, True: 126.0}
# Breaks that Qt would take for paragraphs of its own, and characters it keeps for itself.
_SHOWN_AS = {0x0D: " ", 0x2028: "\n", 0x2029: "\n", 0x00: "\u2400", 0xFDD0: "\ufffd"} | {
    0xFDD1: "\ufffd"
}


class Mark(IntFlag):
    """What is known of a paragraph, kept as its user state."""

    NONE = 0
    SOFT = 1
    CODE = 2
    FENCE = 4
    OPENS = 8
    CLOSES = 16


Run = tuple[int, int, tuple[Origin, ...]]


def mark_of(block: QTextBlock) -> Mark:
    """The marks of a paragraph."""
    return Mark(max(block.userState(), 0))


def utf16_length(text: str) -> int:
    """Length as Qt counts it."""
    return len(text) + sum(character > "\uffff" for character in text)


class Paragraphs:
    """Writes pieces to the end of a document and knows where each one lies."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._starts: list[int] = []
        self._pieces: list[Piece] = []
        self._run_starts: list[int] = []
        self._runs: list[Run] = []
        self._end = 0
        self._open_units = 0
        self._open_pieces = 0
        self._formats = {False: QTextCharFormat(), True: QTextCharFormat()}
        self._formats[False].setFont(sans(TEXT_PIXELS))
        self._formats[True].setFont(mono(CODE_PIXELS))
        document.setUndoRedoEnabled(False)
        document.setDocumentMargin(0)
        document.setDefaultFont(sans(TEXT_PIXELS))
        cursor = QTextCursor(document)
        cursor.setBlockFormat(_block_format(Mark.NONE))
        cursor.setBlockCharFormat(self._formats[False])

    def append(self, pieces: Iterable[Piece]) -> None:
        """Add text at the end."""
        cursor = QTextCursor(self._document)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        first_block = cursor.blockNumber()
        cursor.beginEditBlock()
        waiting: list[str] = []
        for piece in pieces:
            start = self._end
            for chunk in _chunks(piece.text.translate(_SHOWN_AS)):
                if self._open_units >= SPLIT_UNITS or self._open_pieces >= SPLIT_PIECES:
                    _flush(cursor, waiting)
                    self._split(cursor)
                waiting.append(chunk)
                self._count(chunk)
            self._record(piece, start)
        _flush(cursor, waiting)
        self._style(cursor, first_block)
        self._frame()
        cursor.endEditBlock()

    def piece_at(self, position: int) -> Piece | None:
        """The piece that a character of the document belongs to."""
        at = bisect_right(self._starts, position) - 1
        return self._pieces[at] if at >= 0 else None

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
        if self._end == start or not piece.origins:
            return
        self._starts.append(start)
        self._pieces.append(piece)
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
            new = _classify(block.text(), old & Mark.SOFT, was)
            block.setUserState(int(new))
            if new != old or block.blockNumber() > first_block:
                self._restyle(cursor, block, new)
            was, block = new, block.next()

    def _frame(self) -> None:
        """Qt drops the outer margins of the first and last paragraph; the frame's stand in."""
        frame, document = self._document.rootFrame(), self._document
        starts_card = bool(mark_of(document.firstBlock()) & Mark.OPENS)
        ends_card = bool(mark_of(document.lastBlock()) & Mark.FENCE)
        top = CARD_MARGIN if starts_card else TEXT_MARGIN
        bottom = CARD_MARGIN if ends_card else TEXT_MARGIN
        frame_format = frame.frameFormat()
        if (frame_format.topMargin(), frame_format.bottomMargin()) != (top, bottom):
            frame_format.setTopMargin(top)
            frame_format.setBottomMargin(bottom)
            frame.setFrameFormat(frame_format)

    def _restyle(self, cursor: QTextCursor, block: QTextBlock, mark: Mark) -> None:
        char_format = self._formats[bool(mark & Mark.CODE)]
        cursor.setPosition(block.position())
        cursor.setBlockFormat(_block_format(mark))
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(char_format)
        cursor.setBlockCharFormat(char_format)


def _flush(cursor: QTextCursor, waiting: list[str]) -> None:
    cursor.insertText("".join(waiting))
    waiting.clear()


def _block_format(mark: Mark) -> QTextBlockFormat:
    result = QTextBlockFormat()
    result.setLineHeight(
        _LINE_HEIGHT[bool(mark & Mark.CODE)],
        QTextBlockFormat.LineHeightTypes.ProportionalHeight.value,
    )
    if mark & Mark.FENCE:
        result.setLeftMargin(FENCE_INDENT)
        result.setRightMargin(FENCE_INDENT)
    if mark & Mark.OPENS:
        result.setTopMargin(10)
        result.setBottomMargin(6)
    if mark & Mark.CLOSES:
        result.setTopMargin(6)
        result.setBottomMargin(18)
    return result


def _classify(text: str, soft: Mark, was: Mark) -> Mark:
    if soft:
        return soft | was & (Mark.CODE | Mark.FENCE)
    if was & Mark.FENCE and not was & Mark.CLOSES:
        inside = Mark.CODE | Mark.FENCE
        return inside | Mark.CLOSES if is_fence(text) else inside
    if is_fence(text):
        return Mark.CODE | Mark.FENCE | Mark.OPENS
    return Mark.CODE if is_code_line(text) else Mark.NONE


def _chunks(text: str) -> Iterator[str]:
    """Text in parts of which each fits a paragraph."""
    for start in range(0, len(text), SPLIT_UNITS):
        yield text[start : start + SPLIT_UNITS]
