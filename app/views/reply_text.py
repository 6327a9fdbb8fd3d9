"""Read-only text of a message, selectable as one, with the origins of its tokens painted beneath.

Tints and outlines are painted under the text, not set as formats: to change them costs a repaint of
what is visible, and no layout.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QMimeData, QPointF, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextBlock,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QToolTip, QWidget

from app.models.reply import Piece
from app.models.sources import Part
from app.theme import Theme
from app.views.origin_layer import OriginLayer
from app.views.paragraph_style import TEXT_PIXELS, Mark, mark_of, room_of_card
from app.views.paragraphs import Paragraphs
from app.views.seam import changed_from, seam_of
from app.views.text_geometry import TextGeometry, bounds_of
from app.views.text_lights import Light, paint_lights
from engine import Origin

_CARD_RADIUS = 10.0
CARD_PADDING = 11.0
# How far a card goes on beyond a line of it, its round corners out of sight.
_CARD_BEYOND = 12.0
# What is painted below a line, as a wave is, lies within this.
_BEYOND_LINE = 6.0


@dataclass(frozen=True, slots=True)
class SourceRange:
    """Characters of a message to light up, and as what part of a draft's source."""

    start: int
    end: int
    part: Part = "draft"


class ReplyText(QTextEdit):
    """Text that grows at its end, as tall as its content."""

    grown = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._has_origins, self._pixels = False, TEXT_PIXELS
        self._sources: tuple[tuple[int, int, Part], ...] = ()
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.viewport().setAutoFillBackground(False)
        for part in (self, self.viewport()):
            part.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
        self.paragraphs = Paragraphs(self.document())
        self.lines = TextGeometry(self.document(), self.paragraphs)
        self.origins = OriginLayer(theme, self.paragraphs)
        self.document().documentLayout().documentSizeChanged.connect(self._fit_height)

    @property
    def sources(self) -> tuple[tuple[int, int, Part], ...]:
        """What is lit up, in positions of the document."""
        return self._sources

    def set_pixels(self, pixels: int) -> None:
        """The size of the text."""
        if pixels != self._pixels:
            self._pixels = pixels
            self.paragraphs.set_pixels(pixels)
            self.lines.set_pixels(pixels)
            self.origins.forget()
            self._fit_height()
            self.viewport().update()

    def show_origins(self, shown: frozenset[Origin]) -> None:
        """Which kinds of token are tinted and underlined."""
        self.origins.show(shown)
        self.viewport().update()

    def show_source(self, ranges: Sequence[SourceRange]) -> None:
        """Light up these stretches of the text, and no others."""
        place = self.paragraphs.position_of
        sources = tuple((place(each.start), place(each.end), each.part) for each in ranges)
        if sources != self._sources:
            self._sources = sources
            self.viewport().update()

    def source_rects(self, part: Part) -> list[QRectF]:
        """What bounds each stretch that is lit up as this part."""
        lit = [(start, end) for start, end, kind in self._sources if kind == part]
        return [bounds_of(self.lines.range_rects(*each)) for each in lit]

    def source_rect(self) -> QRectF:
        """What bounds the source that is lit up: the token's, else the draft's; null if none."""
        bounds = bounds_of(self.source_rects("token"))
        return bounds_of(self.source_rects("draft")) if bounds.isNull() else bounds

    def set_text(self, text: str) -> None:
        """Show text that has no origins."""
        self.append_pieces([Piece(text, 0, (), 0)])

    def append_pieces(self, pieces: Iterable[Piece]) -> None:
        """Add text at the end."""
        fresh = list(pieces)
        if self.isVisible():
            self._append_seen(fresh)
        else:
            self.paragraphs.append(fresh)
        self._has_origins = True
        self._fit_height()

    def keep_pieces(self, pieces: Sequence[Piece]) -> int:
        """Drop what is shown from where it is not the beginning of these; how many of them stay."""
        number = self.paragraphs.keep(pieces)
        self._sources = ()
        self.origins.forget()
        self._fit_height()
        self.viewport().update()
        return number

    def _append_seen(self, pieces: list[Piece]) -> None:
        """Paint what is new: the layout would ask for all of the last paragraph."""
        document, viewport = self.document(), self.viewport()
        seam = seam_of(document)
        with QSignalBlocker(document.documentLayout()):
            self.paragraphs.append(pieces)
        top = max(int(changed_from(document, seam)), 0)
        viewport.update(viewport.rect().adjusted(0, top, 0, 0))

    def _room_below(self) -> float:
        """Height needed below the document."""
        return room_of_card(self.document())

    def _fit_height(self) -> None:
        height = int(self.document().size().height() + 1 + self._room_below())
        if height != self.height():
            self.setFixedHeight(height)
            self.grown.emit()

    def _visible_blocks(self, rect: QRectF) -> list[tuple[QTextBlock, QRectF]]:
        found: list[tuple[QTextBlock, QRectF]] = []
        for block, bounds in self.lines.blocks_from(rect.top()):
            if bounds.top() > rect.bottom():
                break
            found.append((block, bounds))
        return found

    def _paint_cards(self, painter: QPainter, blocks: list[tuple[QTextBlock, QRectF]]) -> None:
        """A card behind each fenced stretch; beyond the visible part it just goes on."""
        if not any(mark_of(block) & Mark.FENCE for block, _ in blocks):
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(QPen(QColor(self._theme.palette.border), 1))
        painter.setBrush(QColor(self._theme.palette.raised))
        width = self.viewport().width() - 1.0
        card: QRectF | None = None
        for block, bounds in blocks:
            mark = mark_of(block)
            if not mark & Mark.FENCE:
                continue
            top = bounds.top() - (CARD_PADDING if mark & Mark.OPENS else _CARD_BEYOND)
            is_open = not mark & Mark.CLOSES and block.next().isValid()
            bottom = bounds.bottom() + (_CARD_BEYOND if is_open else CARD_PADDING)
            part = QRectF(0.5, top + 0.5, width, bottom - top)
            card = part if card is None or mark & Mark.OPENS else card.united(part)
            if not is_open or block == blocks[-1][0]:
                painter.drawRoundedRect(card, _CARD_RADIUS, _CARD_RADIUS)
                card = None
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_lights(self, painter: QPainter, blocks: list[tuple[QTextBlock, QRectF]]) -> None:
        """The sources that are lit up, as far as they are visible."""
        if not self._sources or not blocks:
            return
        last = blocks[-1][0]
        low, high = blocks[0][0].position(), last.position() + last.length()
        for start, end, part in self._sources:
            if start < high and end >= low:
                rects = self.lines.range_rects(max(start, low), min(end, high))
                self._outline(painter, part, rects)

    def _outline(self, painter: QPainter, light: Light, rects: list[QRectF]) -> None:
        paint_lights(painter, self._theme, light, rects, self.viewport().width())

    def createMimeDataFromSelection(self) -> QMimeData:
        data, cursor = QMimeData(), self.textCursor()
        data.setText(self.paragraphs.plain_text(cursor.selectionStart(), cursor.selectionEnd()))
        return data

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            around = QRectF(event.rect()).adjusted(0, -_CARD_BEYOND, 0, _CARD_BEYOND)
            blocks = self._visible_blocks(around)
            self._paint_cards(painter, blocks)
            if self.origins.shown and self._has_origins:
                top, bottom = event.rect().top() - _BEYOND_LINE, event.rect().bottom()
                for block, _ in blocks:
                    for line in self.lines.lines_of(block, top, bottom):
                        self.origins.paint(painter, line)
            self._paint_lights(painter, blocks)
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        # Qt would lay all of it out again, also where only the height is another one.
        if event.size().width() != event.oldSize().width():
            super().resizeEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            token = self.lines.token_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), self._describe(token), self)
            return True
        return super().viewportEvent(event)

    def _describe(self, token: int | None) -> str:
        """What the tooltip says of a token."""
        piece = self.paragraphs.places.piece_of(token) if token is not None else None
        if piece is None or token is None:
            return ""
        origin = piece.origins[token - piece.first]
        words = self.tr("{0} · token {1:,} · step {2:,}")
        return words.format(origin, token + 1, piece.step + 1)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
