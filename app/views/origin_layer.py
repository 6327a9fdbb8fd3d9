"""Origins under a text, line by line, kept as pictures: a line that is whole is drawn from memory.

A reply grows at its end and is painted again at every turn, while only its last line is news.
"""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPicture

from app.theme import Theme
from app.views.line_box import LineBox
from app.views.origin_marks import paint_mark
from app.views.paragraphs import Paragraphs
from engine import ORIGINS, Origin

_MOST_LINES = 512
_Key = tuple[float, ...]


class OriginLayer:
    """Paints the marks of a line; coordinates are the document's."""

    def __init__(self, theme: Theme, paragraphs: Paragraphs) -> None:
        self._theme, self._paragraphs = theme, paragraphs
        self._pictures: dict[_Key, QPicture] = {}
        self._shown: frozenset[Origin] = frozenset(ORIGINS)
        theme.changed.connect(self.forget)

    @property
    def shown(self) -> frozenset[Origin]:
        """Which kinds are painted."""
        return self._shown

    def show(self, shown: frozenset[Origin]) -> None:
        """Paint these kinds, and no others."""
        self._shown = shown
        self.forget()

    def forget(self) -> None:
        """The text, or how it is painted, is another one."""
        self._pictures.clear()

    def paint(self, painter: QPainter, line: LineBox) -> None:
        """The marks of one line."""
        if line.end >= self._paragraphs.end:
            self._draw(painter, line)
            return
        # A line of these characters in this place looks one way: only a change of font moves them
        # within it, and that changes how wide it is.
        text = line.line.naturalTextRect()
        key = (line.start, line.end, line.x + text.left(), line.top, line.bottom, text.width())
        picture = self._pictures.get(key)
        if picture is None:
            picture = self._record(line)
            if len(self._pictures) >= _MOST_LINES:
                self._pictures.clear()
            self._pictures[key] = picture
        painter.drawPicture(0, 0, picture)

    def _record(self, line: LineBox) -> QPicture:
        picture = QPicture()
        with QPainter(picture) as painter:
            self._draw(painter, line)
        return picture

    def _draw(self, painter: QPainter, line: LineBox) -> None:
        for low, high, origins in self._paragraphs.places.runs_between(line.start, line.end):
            for rect in line.parts(low, high):
                self._draw_run(painter, rect, origins)

    def _draw_run(self, painter: QPainter, rect: QRectF, origins: tuple[Origin, ...]) -> None:
        """One slice for each token where a character needed several of different origins."""
        width = rect.width() / len(origins)
        for number, origin in enumerate(origins):
            if origin in self._shown:
                slice_ = QRectF(rect.left() + number * width, rect.top(), width, rect.height())
                paint_mark(painter, self._theme, origin, slice_)
