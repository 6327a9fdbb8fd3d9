"""A sentence in a fixed place: it stands on the bottom of it, and ends in an ellipsis where cut."""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QRegion,
    QResizeEvent,
    QTextLayout,
)
from PySide6.QtWidgets import QWidget

from app.theme import Theme, sans
from app.views.tooltip import wrapped

LINE = 18
_PIXELS = 12


class StepWords(QWidget):
    """Painted, so that other words have nothing laid out anew; the tooltip has all of them.

    Where it has no words, the mouse gets through to what lies below.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words, self._most = "", 1
        self.shown: tuple[str, ...] = ()
        theme.changed.connect(self.update)

    def show_words(self, words: str, num_lines: int) -> None:
        """Other words, in so many lines at most."""
        if (words, num_lines) != (self._words, self._most):
            self._words, self._most = words, num_lines
            self.setAccessibleName(words)
            self._break()

    def _break(self) -> None:
        self.shown = _lines(self._words, self.width(), self._most)
        is_cut = "".join(self.shown).replace(" ", "") != self._words.replace(" ", "")
        self.setMask(QRegion(self._place()))
        self.setToolTip(wrapped(self._words) if is_cut else "")
        self.update()

    def _place(self) -> QRect:
        height = LINE * len(self.shown)
        return QRect(0, self.height() - height, self.width(), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setFont(sans(_PIXELS))
            painter.setPen(QColor(self._theme.palette.muted))
            top = self._place().top()
            for number, words in enumerate(self.shown):
                room = QRectF(0, top + number * LINE, self.width(), LINE)
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._break()


def _lines(words: str, width: int, most: int) -> tuple[str, ...]:
    """The words in lines of this width, the last of them cut where there are more."""
    layout = QTextLayout(words, sans(_PIXELS))
    layout.beginLayout()
    found: list[str] = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        start = line.textStart()
        if len(found) + 1 == most:
            mode = Qt.TextElideMode.ElideRight
            found.append(QFontMetricsF(sans(_PIXELS)).elidedText(words[start:], mode, width))
            break
        found.append(words[start : start + line.textLength()].rstrip())
    layout.endLayout()
    return tuple(found)
