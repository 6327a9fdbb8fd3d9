"""Neighbouring paragraphs, headings, items and quotes as one text that can be selected as one."""

import re
from dataclasses import dataclass

from PySide6.QtCore import QMimeData, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QTextBlock, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QWidget

from app.models.markdown.values import Block, Prose, Run
from app.views.markdown.look import MATHS_ROOM, Look
from app.views.markdown.prose_paint import CHIP_ROOM, Chip, Drawn, paint_row
from app.views.markdown.read_only import ReadOnlyText, units

_SOFT_LENGTH = 4_000
_MOST_ROWS = 60
_MARGIN = 40
# To wrap a word, Qt looks through all of it for each of its lines: longer ones may break inside.
BREAK = "\u200b"
_LONGEST_WORD = 200
_OVERLONG = re.compile(rf"(\S{{{_LONGEST_WORD}}})(?=\S)")
_CHIPS = ("code", "maths", "image")


@dataclass(slots=True)
class Row:
    """A block of the document, what it shows, and which stretches of it have a ground."""

    prose: Prose
    before: Block | None
    chips: list[Chip]


class ProseBlock(ReadOnlyText):
    """`rows` and the blocks of the document go in parallel."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, parent)
        self.rows: list[Row] = []
        self.setAccessibleName(self.tr("Text"))

    def can_take(self) -> bool:
        """Whether another row may be added here."""
        is_short = self.document().characterCount() < _SOFT_LENGTH
        return is_short and len(self.rows) < _MOST_ROWS

    def add(self, prose: Prose, before: Block | None) -> None:
        """A row at the end; `before` is the block above it, also where that is not here."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if self.rows:
            cursor.insertBlock()
        else:
            # The gap above a first row is the column's.
            before = None
        self._write(cursor, Row(prose, before, []))
        cursor.endEditBlock()
        self._note()

    def keep(self, num_rows: int) -> None:
        """Drop all rows behind the first ones."""
        if num_rows >= len(self.rows):
            return
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        if num_rows:
            block = self.document().findBlockByNumber(num_rows - 1)
            kept = block.blockFormat()
            cursor.setPosition(block.position() + block.length() - 1)
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        if num_rows:
            cursor.setBlockFormat(kept)
        cursor.endEditBlock()
        del self.rows[num_rows:]
        self._note()

    def replace_last(self, prose: Prose) -> None:
        """The last row reads differently now; where it only grew, only that is inserted."""
        row = self.rows[-1]
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        more = _growth(row.prose, prose)
        if more:
            row.prose = prose
            cursor.insertText(more, self.look.run_format(prose.runs[-1], prose))
        else:
            start = QTextCursor.MoveOperation.StartOfBlock
            cursor.movePosition(start, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            self.rows.pop()
            self._write(cursor, Row(prose, row.before, []))
        cursor.endEditBlock()
        self._note()

    def restyle(self) -> None:
        """Write everything again: colours or sizes changed."""
        rows, self.rows = self.rows, []
        self.document().clear()
        for row in rows:
            self.add(row.prose, row.before)

    def fit(self, width: int) -> int:
        """Take a width; the height it needs."""
        self.set_width(width)
        return int(self.document().size().height() + 1)

    def _write(self, cursor: QTextCursor, row: Row) -> None:
        """The text of a row into an empty block."""
        prose, begin = row.prose, cursor.position()
        is_chip = [run.kind in _CHIPS and prose.look != "maths" for run in prose.runs]
        for number, run in enumerate(prose.runs):
            text, start = shown(run), cursor.position() - begin
            style = self.look.run_format(run, prose)
            if is_chip[number]:
                row.chips.append(Chip(start, units(text)))
            if is_chip[number] or any(is_chip[number + 1 : number + 2]):
                _insert_apart(cursor, text, style)
            else:
                cursor.insertText(text, style)
        if not prose.runs:
            cursor.setBlockCharFormat(self.look.run_format(Run(""), prose))
        is_right = cursor.block().textDirection() == Qt.LayoutDirection.RightToLeft
        cursor.setBlockFormat(self.look.block_format(prose, row.before, is_right))
        self.rows.append(row)

    def _note(self) -> None:
        """Links to reach, and room for a ground at either end: Qt drops the outer margins."""
        top, bottom = (
            MATHS_ROOM if self.rows and self.rows[end].prose.look == "maths" else 0
            for end in (0, -1)
        )
        frame = self.document().rootFrame()
        shape = frame.frameFormat()
        if (shape.topMargin(), shape.bottomMargin()) != (top, bottom):
            shape.setTopMargin(top)
            shape.setBottomMargin(bottom)
            frame.setFrameFormat(shape)
        self.note_links(any(run.target for row in self.rows for run in row.prose.runs))

    def _targets(self) -> list[str]:
        return [run.target for row in self.rows for run in row.prose.runs if run.target]

    def _copied_text(self, start: int, end: int) -> str:
        """A stretch of the text, with the signs of its items."""
        lines = []
        block = self.document().findBlock(start)
        while block.isValid() and block.position() <= end:
            raw, first = block.text().encode("utf-16-le", "surrogatepass"), block.position()
            part = raw[2 * max(start - first, 0) : 2 * (end - first)]
            text = part.decode("utf-16-le", "replace").replace("\u2028", "\n").replace(BREAK, "")
            sign = _sign(self.rows[block.blockNumber()].prose) if start <= first else ""
            lines.append(sign + text)
            block = block.next()
        return "\n".join(lines)

    def createMimeDataFromSelection(self) -> QMimeData:
        data, cursor = QMimeData(), self.textCursor()
        data.setText(self._copied_text(cursor.selectionStart(), cursor.selectionEnd()))
        return data

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            layout, seen = self.document().documentLayout(), QRectF(event.rect())
            block: QTextBlock = self.document().firstBlock()
            bounds = layout.blockBoundingRect(block)
            for number, row in enumerate(self.rows):
                following, below = block.next(), QRectF()
                bottom = bounds.bottom()
                if following.isValid():
                    below = layout.blockBoundingRect(following)
                    goes_on = (
                        number + 1 < len(self.rows) and self.rows[number + 1].prose.place.quotes
                    )
                    bottom = below.top() if goes_on else bottom
                if bounds.bottom() >= seen.top() - _MARGIN:
                    paint_row(
                        painter, self.look, Drawn(block, bounds, bottom, row.prose, row.chips)
                    )
                if bounds.top() > seen.bottom() + _MARGIN:
                    break
                block, bounds = following, below
        super().paintEvent(event)


def _insert_apart(cursor: QTextCursor, text: str, style: QTextCharFormat) -> None:
    """Text with room behind its last character, where the ground of a chip begins or ends."""
    if not text[-1].isascii():
        cursor.insertText(text, style)
        return
    cursor.insertText(text[:-1], style)
    apart = QTextCharFormat(style)
    apart.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
    apart.setFontLetterSpacing(CHIP_ROOM)
    cursor.insertText(text[-1], apart)


def shown(run: Run) -> str:
    """How a run reads in a document."""
    if run.kind == "break":
        return "\u2028"
    if run.kind == "image":
        return f"{run.text} · {run.host}" if run.host else run.text
    return _OVERLONG.sub(r"\1" + BREAK, run.text) if len(run.text) > _LONGEST_WORD else run.text


def _growth(old: Prose, new: Prose) -> str:
    """What the last run gained, where that is all that changed."""
    if not old.runs or len(old.runs) != len(new.runs) or old.runs[:-1] != new.runs[:-1]:
        return ""
    last, grown = old.runs[-1], new.runs[-1]
    same = (old.place, old.look, old.level) == (new.place, new.look, new.level)
    if not same or grown.kind != "text" or grown.target or not grown.text.startswith(last.text):
        return ""
    if len(grown.text.rpartition(" ")[2]) > _LONGEST_WORD:
        return ""
    is_alike = Run(last.text, grown.kind, grown.is_bold, grown.is_italic, grown.is_struck) == last
    return grown.text[len(last.text) :] if is_alike else ""


def _sign(prose: Prose) -> str:
    """What stands in front of an item in plain text."""
    place = prose.place
    sign = place.marker.replace("•", "-")
    if place.is_done is not None:
        sign += " [x]" if place.is_done else " [ ]"
    return "  " * (place.depth - 1) + sign + " " if sign else ""
