"""Markdown as blocks below each other; an append changes what is open, and nothing above it.

What there is to do is done for some milliseconds, and goes on in the next turn of the event loop.
"""

from time import perf_counter

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.models.markdown.blocks import Splitter
from app.models.markdown.render import render
from app.models.markdown.values import Block, Code, Prose, Table
from app.views.markdown.code import CodeBlock
from app.views.markdown.look import Look
from app.views.markdown.pieces import Piece, make_piece
from app.views.markdown.prose import ProseBlock
from app.views.markdown.prose_paint import paint_bars
from app.views.markdown.table import TableBlock

_TURN_SECONDS = 0.008
_PARTS = 1_500
_HELPING = 25


class Column(QWidget):
    """`resized` says that its height changed; who holds it gives it a width by `fit`."""

    link_requested = Signal(str)
    copied = Signal(str)
    resized = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.pieces: list[Piece] = []
        self.blocks: list[Block] = []
        self.content_height = 0
        self._starts: list[int] = []
        self._heights: list[int] = []
        self._splitter = Splitter()
        self._fresh: list[Block] = []
        self._waiting = ""
        self._is_over = False
        self._is_behind = False
        self._num_segments = self._num_settled = 0
        self._width = self._fit_from = 0
        self._style_from: int | None = None
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.timeout.connect(self._work)

    @property
    def text(self) -> str:
        """All that was appended."""
        return self._splitter.text + self._waiting

    @property
    def is_settled(self) -> bool:
        """Whether everything is shown."""
        return not self._turn.isActive()

    def append(self, text: str) -> None:
        """Add text at the end."""
        self._waiting += text
        self._go_on()

    def finish(self) -> None:
        """Nothing follows."""
        self._is_over = True
        self._go_on()

    def settle(self) -> None:
        """Do all that waits, now."""
        while self._turn.isActive():
            self._work()

    def restyle(self) -> None:
        """Colours or sizes changed."""
        self._style_from = 0
        self._go_on()
        self.update()

    def fit(self, width: int) -> None:
        """Take a width."""
        if width != self._width:
            self._width, self._fit_from = width, 0
            self._work()

    def _go_on(self) -> None:
        """Begin with what is new, unless this turn of the event loop has had its share."""
        if not self._turn.isActive():
            self._work()

    def _work(self) -> None:
        """Go on with what waits; once everything is done, no further turn is asked for."""
        self._turn.stop()
        end = perf_counter() + _TURN_SECONDS
        # What the last turn built is laid out in this one: both at once would take too long.
        waits = self._style_from is None and self._fit_from < len(self.pieces)
        is_late = waits and (not self._place(end) or perf_counter() > end)
        if is_late or not (self._read(end) and self._style(end) and self._place(end)):
            self._turn.start(0)

    def _read(self, end: float) -> bool:
        """Show what closed segments hold, then what is open; whether all of it is shown.

        Something is shown at once, however long that takes.
        """
        is_over = self._splitter.is_over or not self._is_over
        if not self._is_behind and not self._waiting and is_over:
            return True
        self._is_behind = True
        while True:
            while self._num_segments < len(self._splitter.closed):
                if not self._fresh:
                    self._fresh = render(self._splitter.closed[self._num_segments])
                    if self._fresh and self.pieces and perf_counter() > end:
                        return False
                now, self._fresh = self._fresh[:_HELPING], self._fresh[_HELPING:]
                self._show(now)
                self._num_settled += len(now)
                self._num_segments += not self._fresh
                if perf_counter() > end:
                    return False
            if not self._waiting:
                break
            self._splitter.append(self._waiting[:_PARTS])
            self._waiting = self._waiting[_PARTS:]
            if self._waiting and self.pieces and perf_counter() > end:
                return False
        if self._is_over and not self._splitter.is_over:
            self._splitter.finish()
            return self._read(end)
        self._show([block for each in self._splitter.open_segments() for block in render(each)])
        self._is_behind = False
        return True

    def _style(self, end: float) -> bool:
        """Give pieces the look in force; whether all have it."""
        while self._style_from is not None and self._style_from < len(self.pieces):
            self.pieces[self._style_from].restyle()
            self._fit_from = min(self._fit_from, self._style_from)
            self._style_from += 1
            if perf_counter() > end:
                return False
        self._style_from = None
        return True

    def _show(self, fresh: list[Block]) -> None:
        """Make these the blocks behind the settled ones."""
        begin, old, same = self._num_settled, self.blocks, 0
        most = min(len(old) - begin, len(fresh))
        while same < most and old[begin + same] == fresh[same]:
            same += 1
        if same < most and type(old[begin + same]) is type(fresh[same]):
            self._drop(begin + same + 1)
            self._change_last(fresh[same])
            same += 1
        self._drop(begin + same)
        for block in fresh[same:]:
            self._add(block)

    def _drop(self, num_blocks: int) -> None:
        """Keep the first blocks only."""
        while len(self.blocks) > num_blocks:
            start, piece = self._starts[-1], self.pieces[-1]
            if isinstance(piece, ProseBlock) and start < num_blocks:
                piece.keep(num_blocks - start)
                del self.blocks[num_blocks:]
            else:
                piece.hide()
                piece.deleteLater()
                del self.blocks[start:]
                del self.pieces[-1], self._starts[-1], self._heights[-1]
            self._fit_from = min(self._fit_from, max(len(self.pieces) - 1, 0))

    def _change_last(self, block: Block) -> None:
        """The last block reads differently now."""
        piece = self.pieces[-1]
        if isinstance(piece, ProseBlock) and isinstance(block, Prose):
            piece.replace_last(block)
        elif isinstance(piece, CodeBlock) and isinstance(block, Code):
            piece.show_code(block)
        elif isinstance(piece, TableBlock) and isinstance(block, Table):
            piece.show_table(block)
        self.blocks[-1] = block
        self._fit_from = min(self._fit_from, len(self.pieces) - 1)

    def _add(self, block: Block) -> None:
        """One more block below."""
        before = self.blocks[-1] if self.blocks else None
        last = self.pieces[-1] if self.pieces else None
        if isinstance(block, Prose) and isinstance(last, ProseBlock) and last.can_take():
            last.add(block, before)
        else:
            self._starts.append(len(self.blocks))
            self.pieces.append(self._make(block, before))
            self._heights.append(0)
        self.blocks.append(block)
        self._fit_from = min(self._fit_from, len(self.pieces) - 1)

    def _make(self, block: Block, before: Block | None) -> Piece:
        piece = make_piece(block, before, self.look, self)
        if isinstance(piece, CodeBlock):
            piece.copied.connect(self.copied)
        else:
            piece.link_requested.connect(self.link_requested)
        return piece

    def _place(self, end: float) -> bool:
        """Give every piece from the first changed one its width and place."""
        if not self._width or self._fit_from >= len(self.pieces) > 0:
            return True
        above = self.pieces[self._fit_from - 1] if self._fit_from else None
        y = above.geometry().bottom() + 1 if above is not None else 0
        is_done = True
        for number in range(self._fit_from, len(self.pieces)):
            if is_done and perf_counter() > end and number > self._fit_from:
                is_done, self._fit_from = False, number
            y = self._place_piece(number, y, fits=is_done)
        self._fit_from = len(self.pieces) if is_done else self._fit_from
        self.resize(self._width, y)
        if y != self.content_height:
            self.content_height = y
            self.resized.emit()
        return is_done

    def _place_piece(self, number: int, y: int, *, fits: bool) -> int:
        """Where the next piece may begin."""
        piece, start = self.pieces[number], self._starts[number]
        block = self.blocks[start]
        y += self.look.gap(self.blocks[start - 1] if start else None, block)
        x = 0 if isinstance(piece, ProseBlock) else min(self.look.margin(block), self._width // 2)
        width = max(self._width - x, 40)
        if fits or not self._heights[number]:
            self._heights[number] = piece.fit(width)
        piece.setGeometry(x, y, width, self._heights[number])
        piece.setVisible(True)
        return y + self._heights[number]

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            for piece, start in zip(self.pieces, self._starts, strict=True):
                quotes = self.blocks[start].place.quotes
                if quotes and not isinstance(piece, ProseBlock):
                    area = piece.geometry().adjusted(-piece.x(), -6, 0, 6).toRectF()
                    paint_bars(painter, self.look, area, quotes)
