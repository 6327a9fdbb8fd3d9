"""The inspector's charts, painted by hand: speed over time, steps, accepted lengths."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from app.models.run import StepColumn
from app.theme import Theme, sans

COLUMN_WIDTH = 6
_BAR = 4.0


class Sparkline(QWidget):
    """Tokens per second over the reply."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._values: list[float] = []
        self.setFixedHeight(48)
        self.setAccessibleName(self.tr("Speed over time"))

    def show_values(self, values: Sequence[float]) -> None:
        """New points, oldest first."""
        if len(values) != len(self._values) or list(values[-1:]) != self._values[-1:]:
            self._values = list(values)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = QRectF(self.rect()).adjusted(1, 3, -1, -3)
        painter.setPen(QPen(QColor(self._theme.palette.border), 1))
        painter.drawLine(QLineF(area.left(), area.bottom(), area.right(), area.bottom()))
        if len(self._values) < 2:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        top = max(self._values) * 1.05 or 1.0
        # A short reply does not stretch over the whole width: points keep a readable distance.
        step = min(area.width() / (len(self._values) - 1), 8.0)
        points = [
            QPointF(area.left() + i * step, area.bottom() - value / top * area.height())
            for i, value in enumerate(self._values)
        ]
        painter.setPen(QPen(QColor(self._theme.palette.accent), 1.8))
        painter.drawPolyline(QPolygonF(points))


class StepStrip(QWidget):
    """One column a step, the newest at the right once they no longer fit."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._columns: list[StepColumn] = []
        self.setFixedHeight(64)
        self.setAccessibleName(self.tr("Steps"))

    def show_columns(self, columns: Iterable[StepColumn], total: int) -> None:
        """The last steps, oldest first."""
        fits = max(self.width() // COLUMN_WIDTH, 1)
        newest = list(columns)[-fits:]
        if newest != self._columns:
            self._columns = newest
            self.setAccessibleDescription(self.tr("{0} steps").format(total))
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colors = QPainter(self), self._theme.palette
        base = self.height() - 1.0
        painter.setPen(QPen(QColor(colors.border), 1))
        painter.drawLine(QLineF(0, base + 0.5, self.width(), base + 0.5))
        tallest = max((column.height for column in self._columns), default=1)
        cell = min((self.height() - 3) / max(tallest, 6), 9.0)
        outline = QPen(QColor(colors.control_border), 1, Qt.PenStyle.DotLine)
        fits = self.width() // COLUMN_WIDTH
        for number, column in enumerate(islice(self._columns, max(fits, 1))):
            x, y = number * COLUMN_WIDTH + 0.0, base
            for origin, count in column.origins:
                height = count * cell
                painter.fillRect(QRectF(x, y - height, _BAR, height), self._theme.origin(origin))
                y -= height
            if column.rejected:
                painter.setPen(outline)
                height = column.rejected * cell
                painter.drawRect(QRectF(x + 0.5, y - height + 0.5, _BAR - 1, height - 1))


class Histogram(QWidget):
    """How many tokens of a draft were accepted, in per cent of the steps that had a draft.

    A bar's lower part are drafts accepted whole, its upper part those rejected at some token.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._counts: dict[int, int] = {}
        self._whole: dict[int, int] = {}
        self.setFixedHeight(96)
        self.setAccessibleName(self.tr("Accepted per step"))
        self.setToolTip(
            self.tr("Green: the whole draft was accepted. Orange: part of it. Grey: none.")
        )

    def show_counts(self, counts: Mapping[int, int], whole: Mapping[int, int]) -> None:
        """Accepted length to number of steps: all with a draft, and those that kept it whole."""
        if counts != self._counts or whole != self._whole:
            self._counts, self._whole = dict(counts), dict(whole)
            words = ", ".join(f"{length}: {count}" for length, count in self._counts.items())
            self.setAccessibleDescription(words)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colors = QPainter(self), self._theme.palette
        painter.setFont(sans(12))
        painter.setPen(QColor(colors.muted))
        if not self._counts:
            nothing = self.tr("No drafts yet")
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, nothing)
            return
        painter.setFont(sans(10))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        longest, total = max(self._counts), sum(self._counts.values())
        most = max(self._counts.values())
        pitch = min(self.width() / (longest + 1), 46.0)
        base, room = self.height() - 18.0, self.height() - 36.0
        for length in range(longest + 1):
            count = self._counts.get(length, 0)
            height = count / most * room
            bar = QRectF(length * pitch + 4, base - height, min(pitch - 8, 30), height)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.origin("corrected" if length else "generated"))
            painter.drawRoundedRect(bar, 1.5, 1.5)
            if whole := self._whole.get(length, 0):
                painter.setBrush(self._theme.origin("accepted"))
                painter.drawRoundedRect(
                    bar.adjusted(0, height * (1 - whole / count), 0, 0), 1.5, 1.5
                )
            painter.setPen(QColor(colors.muted))
            center = Qt.AlignmentFlag.AlignHCenter
            wide = bar.adjusted(-8, 0, 8, 0)
            label = QRectF(wide.left(), base + 3, wide.width(), 14)
            painter.drawText(label, center, str(length))
            if count and pitch >= 30:
                share = QRectF(wide.left(), bar.top() - 15, wide.width(), 14)
                painter.drawText(share, center, f"{count / total * 100:.0f} %")
