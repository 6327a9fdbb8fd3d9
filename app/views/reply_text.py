"""Read-only text of a message, selectable as one, with the origins of its tokens painted beneath.

Tints are painted under the text, not set as formats: switching a kind costs a repaint, no layout.
"""

from collections.abc import Iterable, Iterator
from typing import cast

from PySide6.QtCore import QEvent, QMimeData, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextBlock,
    QTextLine,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QToolTip, QWidget

from app.models.reply import Piece
from app.theme import Theme, mono, sans
from app.views.origin_marks import UNDERLINE, paint_mark
from app.views.paragraphs import CODE_PIXELS, TEXT_PIXELS, Mark, Paragraphs, mark_of
from engine import ORIGINS, Origin

_CARD_RADIUS = 10.0
CARD_PADDING = 7.0


class ReplyText(QTextEdit):
    """Text that grows at its end, as tall as its content."""

    grown = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: frozenset[Origin] = frozenset(ORIGINS)
        self._has_origins = False
        self._metrics = {
            False: QFontMetricsF(sans(TEXT_PIXELS)),
            True: QFontMetricsF(mono(CODE_PIXELS)),
        }
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.viewport().setAutoFillBackground(False)
        self.paragraphs = Paragraphs(self.document())
        self.document().documentLayout().documentSizeChanged.connect(self._fit_height)

    def show_origins(self, shown: frozenset[Origin]) -> None:
        """Which kinds of token are tinted and underlined."""
        self._shown = shown
        self.viewport().update()

    def set_text(self, text: str) -> None:
        """Show text that has no origins."""
        self.append_pieces([Piece(text, 0, (), 0)])

    def append_pieces(self, pieces: Iterable[Piece]) -> None:
        """Add text at the end."""
        self.paragraphs.append(pieces)
        self._has_origins = True

    def _fit_height(self) -> None:
        height = int(self.document().size().height() + 1)
        if height != self.height():
            self.setFixedHeight(height)
            self.grown.emit()

    def _visible_blocks(self, rect: QRectF) -> Iterator[tuple[QTextBlock, QRectF]]:
        layout = self.document().documentLayout()
        block = self.cursorForPosition(rect.topLeft().toPoint()).block()
        while block.isValid():
            bounds = layout.blockBoundingRect(block)
            if bounds.top() > rect.bottom():
                return
            yield block, bounds
            block = block.next()

    def _paint_cards(self, painter: QPainter, blocks: list[tuple[QTextBlock, QRectF]]) -> None:
        """A card behind each fenced stretch; beyond the visible part it just goes on."""
        painter.setPen(QPen(QColor(self._theme.palette.border), 1))
        painter.setBrush(QColor(self._theme.palette.raised))
        width = self.viewport().width() - 1.0
        card: QRectF | None = None
        for block, bounds in blocks:
            mark = mark_of(block)
            if not mark & Mark.FENCE:
                continue
            top = bounds.top() - (CARD_PADDING if mark & Mark.OPENS else 40)
            is_open = not mark & Mark.CLOSES and block.next().isValid()
            bottom = bounds.bottom() + (40 if is_open else CARD_PADDING)
            part = QRectF(0.5, top + 0.5, width, bottom - top)
            card = part if card is None or mark & Mark.OPENS else card.united(part)
            if not is_open or block == blocks[-1][0]:
                painter.drawRoundedRect(card, _CARD_RADIUS, _CARD_RADIUS)
                card = None

    def _paint_origins(self, painter: QPainter, block: QTextBlock) -> None:
        layout, base = block.layout(), block.position()
        metrics = self._metrics[bool(mark_of(block) & Mark.CODE)]
        origin = layout.position()
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            start = base + line.textStart()
            baseline = origin.y() + line.y() + line.ascent()
            top = round(baseline - metrics.ascent())
            bottom = round(baseline + metrics.descent() + UNDERLINE)
            for low, high, origins in self.paragraphs.runs_between(
                start, start + line.textLength()
            ):
                left = origin.x() + _x_of(line, low - base)
                right = origin.x() + _x_of(line, high - base)
                self._paint_run(painter, QRectF(left, top, right - left, bottom - top), origins)

    def _paint_run(self, painter: QPainter, rect: QRectF, origins: tuple[Origin, ...]) -> None:
        """One slice for each token where a character needed several of different origins."""
        width = rect.width() / len(origins)
        for number, origin in enumerate(origins):
            if origin in self._shown:
                slice_ = QRectF(rect.left() + number * width, rect.top(), width, rect.height())
                paint_mark(painter, self._theme, origin, slice_)

    def createMimeDataFromSelection(self) -> QMimeData:
        data, cursor = QMimeData(), self.textCursor()
        data.setText(self.paragraphs.plain_text(cursor.selectionStart(), cursor.selectionEnd()))
        return data

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        blocks = list(self._visible_blocks(QRectF(event.rect())))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        self._paint_cards(painter, blocks)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        if self._shown and self._has_origins:
            for block, _ in blocks:
                self._paint_origins(painter, block)
        painter.end()
        super().paintEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            piece = self.paragraphs.piece_at(self.cursorForPosition(event.pos()).position())
            QToolTip.showText(event.globalPos(), _describe(piece) if piece else "", self)
            return True
        return super().viewportEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


def _x_of(line: QTextLine, position: int) -> float:
    # The binding gives a pair that its stub calls an object.
    x, _ = cast(tuple[float, int], line.cursorToX(position))
    return x


def _describe(piece: Piece) -> str:
    kinds = " + ".join(piece.origins)
    if len(piece.origins) == 1:
        return f"{kinds} · token {piece.first + 1} · step {piece.step + 1}"
    last = piece.first + len(piece.origins)
    return f"{kinds} · tokens {piece.first + 1} to {last} as one text · step {piece.step + 1}"
