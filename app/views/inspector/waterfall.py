"""The selected step in time: its phases below each other on one axis, with real durations."""

from PySide6.QtCore import QLineF, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.models.phases import PHASES, PhaseSpan, duration
from app.theme import Theme, sans
from app.views.inspector.bars import SHORTEST
from app.views.inspector.frame import Frame
from app.views.inspector.patterns import Patterns

_ROW = 22
_LABELS = 120
_VALUES = 62
_BAR = 12


class Waterfall(Frame):
    """One row a phase; a phase that took any time is seen, however short it was."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "", parent)
        self._patterns = Patterns(theme)
        self._spans: tuple[PhaseSpan, ...] = ()
        self.setAccessibleName(self.tr("Phases of the step"))
        self.setFixedHeight(_ROW * len(PHASES) + 4)

    @property
    def spans(self) -> tuple[PhaseSpan, ...]:
        """What is drawn."""
        return self._spans

    def show_spans(self, spans: tuple[PhaseSpan, ...]) -> None:
        """The phases of another step."""
        if spans != self._spans:
            self._spans = spans
            self.describe(". ".join(f"{span.label} {duration(span.seconds)}" for span in spans))
            self.update()

    def bar(self, span: PhaseSpan, row: int) -> QRectF:
        """Where a phase's bar is drawn."""
        total = self._spans[-1].start + self._spans[-1].seconds
        room = self.width() - _LABELS - _VALUES
        top = 2 + row * _ROW + (_ROW - _BAR) / 2
        if total <= 0 or span.seconds <= 0:
            return QRectF(_LABELS, top, 0, _BAR)
        width = max(span.seconds / total * room, SHORTEST)
        start = min(span.start / total * room, room - width)
        return QRectF(_LABELS + start, top, width, _BAR)

    def words_at(self, place: QPoint) -> str:
        """What the phase under the mouse is."""
        row = (place.y() - 2) // _ROW
        if not 0 <= row < len(self._spans):
            return ""
        span = self._spans[row]
        return f"{span.label}, {duration(span.seconds)}: {span.meaning}"

    def paint(self, painter: QPainter) -> None:
        """The axis, then a row a phase."""
        colors = self.theme.palette
        painter.setPen(QPen(QColor(colors.border), 1))
        right = self.width() - _VALUES
        for x in (_LABELS, right):
            painter.drawLine(QLineF(x + 0.5, 2, x + 0.5, self.height() - 2))
        painter.setFont(sans(12))
        middle = Qt.AlignmentFlag.AlignVCenter
        for row, span in enumerate(self._spans):
            self._patterns.fill(painter, span.name, self.bar(span, row))
            top = 2 + row * _ROW
            painter.setPen(QColor(colors.muted))
            painter.drawText(QRectF(0, top, _LABELS - 6, _ROW), middle, span.label)
            painter.setPen(QColor(colors.text))
            room = QRectF(right, top, _VALUES, _ROW)
            painter.drawText(room, middle | Qt.AlignmentFlag.AlignRight, duration(span.seconds))

    def sizeHint(self) -> QSize:
        return QSize(320, self.height())
