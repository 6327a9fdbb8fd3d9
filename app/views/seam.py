"""From where on a text that grows at its end looks different: its last line, not its paragraph."""

from dataclasses import dataclass

from PySide6.QtGui import QTextBlock, QTextDocument

from app.views.paragraph_style import Mark, mark_of

# How far what is painted around a line reaches, and around a paragraph that is set anew.
_AROUND_LINE, _AROUND_CARD = 3.0, 16.0


@dataclass(frozen=True, slots=True)
class Seam:
    """The last paragraph before the text grew: where and how it is set, and its last lines."""

    number: int
    setting: tuple[int, float]
    num_lines: int
    lines: tuple[tuple[int, int, float], ...]


def seam_of(document: QTextDocument) -> Seam:
    """Where a document ends now; it is laid out if need be."""
    block = document.lastBlock()
    setting = _setting(document, block)
    num_lines = block.layout().lineCount()
    lines = tuple(_line(block, number) for number in range(max(num_lines - 2, 0), num_lines))
    return Seam(block.blockNumber(), setting, num_lines, lines)


def changed_from(document: QTextDocument, seam: Seam) -> float:
    """Above it the document looks as it did before it grew."""
    block = document.findBlockByNumber(seam.number)
    setting = _setting(document, block)
    # A card is as high as its lines: at its first one, all of it is new.
    if setting != seam.setting or not seam.lines or setting[0] & Mark.OPENS:
        return min(setting[1], seam.setting[1]) - _AROUND_CARD
    first = seam.num_lines - len(seam.lines)
    # A word that grows may leave its line for the next one.
    is_same = first + 1 < block.layout().lineCount() and _line(block, first) == seam.lines[0]
    line = seam.lines[-1 if is_same else 0]
    return block.layout().position().y() + line[2] - _AROUND_LINE


def _setting(document: QTextDocument, block: QTextBlock) -> tuple[int, float]:
    """How a paragraph is set, and where."""
    return int(mark_of(block)), document.documentLayout().blockBoundingRect(block).top()


def _line(block: QTextBlock, number: int) -> tuple[int, int, float]:
    line = block.layout().lineAt(number)
    return line.textStart(), line.textLength(), line.y()
