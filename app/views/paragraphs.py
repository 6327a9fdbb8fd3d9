"""A message's text as paragraphs of a document: appended in pieces, split softly, fonts by line."""

from collections.abc import Iterable, Iterator, Sequence

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
from app.views.piece_places import PiecePlaces, utf16_length

SPLIT_UNITS = 2_000
SPLIT_PIECES = 1_500
# Breaks that Qt would take for paragraphs of its own, and characters it keeps for itself.
_SHOWN_AS = {0x0D: " ", 0x2028: "\n", 0x2029: "\n", 0x00: "\u2400", 0xFDD0: "\ufffd"} | {
    0xFDD1: "\ufffd"
}
_MOVES, _KEEP = QTextCursor.MoveOperation, QTextCursor.MoveMode.KeepAnchor


class Paragraphs:
    """Writes pieces to the end of a document, and cuts them off there; `places` has where each is.

    Positions and characters are those of `PiecePlaces`.
    """

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._formats = _formats(TEXT_PIXELS, CODE_PIXELS)
        document.setUndoRedoEnabled(False)
        document.setDocumentMargin(0)
        document.setDefaultFont(sans(TEXT_PIXELS))
        self._begin()

    def _begin(self) -> None:
        self.places = PiecePlaces()
        cursor = QTextCursor(self._document)
        cursor.setBlockFormat(block_format(Mark.NONE))
        cursor.setBlockCharFormat(self._formats[False])

    @property
    def end(self) -> int:
        """The position behind the last character."""
        return self.places.end

    @property
    def num_tokens(self) -> int:
        """How many tokens became text, or are known to have none."""
        return self.places.num_tokens

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
        places, cursor = self.places, QTextCursor(self._document)
        # Begun first: outside of an edit, moving asks the layout where on its line the end is.
        cursor.beginEditBlock()
        cursor.movePosition(_MOVES.End)
        first_block = cursor.blockNumber()
        waiting: list[str] = []
        for piece in pieces:
            start = places.end
            for chunk in _chunks(piece.text.translate(_SHOWN_AS)):
                if places.open_units >= SPLIT_UNITS or places.open_chunks >= SPLIT_PIECES:
                    _flush(cursor, waiting)
                    self._split(cursor)
                waiting.append(chunk)
                places.add_chunk(chunk)
            places.add_piece(piece, start)
        _flush(cursor, waiting)
        self._style(cursor, first_block)
        set_frame(self._document)
        cursor.endEditBlock()

    def keep(self, pieces: Sequence[Piece]) -> int:
        """Drop the text from where it is not the beginning of these; how many of them stay."""
        number = self.places.num_common(pieces)
        if number == 0:
            self.clear()
        elif number < self.places.num_pieces:
            self._cut(number)
        return number

    def position_of(self, character: int) -> int:
        """The position of a character of the plain text; the end for any beyond."""
        if character >= self.places.num_characters:
            return self.places.end
        start, rest = self.places.chunk_of(character)
        # As many units as characters, or more: enough text to count the units of the first ones.
        return start + utf16_length(self.plain_text(start, start + 2 * rest)[:rest])

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

    def _split(self, cursor: QTextCursor) -> None:
        cursor.insertBlock()
        cursor.block().setUserState(int(Mark.SOFT))
        self.places.add_split()

    def _cut(self, number: int) -> None:
        """Keep the first pieces only, as if no others had come."""
        cursor = QTextCursor(self._document)
        cursor.beginEditBlock()
        cursor.setPosition(self.places.start_of(number))
        mark = mark_of(cursor.block())
        cursor.movePosition(_MOVES.End, _KEEP)
        cursor.removeSelectedText()
        # What is left of the paragraph may have been given the look of the last one.
        block = cursor.block()
        block.setUserState(int(mark))
        self._restyle(cursor, block, mark)
        self._style(cursor, block.blockNumber())
        is_broken = block.blockNumber() > 0 and not mark & Mark.SOFT
        self.places.cut(number, block.position(), is_broken=is_broken)
        set_frame(self._document)
        cursor.endEditBlock()

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
        cursor.movePosition(_MOVES.EndOfBlock, _KEEP)
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
