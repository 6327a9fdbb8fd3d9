"""How the step strip is drawn: columns, the box around the selected one, the overview below."""

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.models.step_log import StepColumn, StepLog
from app.theme import Theme
from app.views.inspector.patterns import Patterns
from app.views.inspector.viewport import Viewport

HEIGHT = 86
BOTTOM = 10
_BAR = 6
_TOP = 13
_TALLEST = 6
_LARGEST_CELL = 10.0
# Cells stand apart from this height on, so that they can be counted.
_GAP_FROM = 5.0


class StripPainter:
    """Paints what is in sight of a log, and nothing else."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._patterns = Patterns(theme)

    def ground(self, painter: QPainter, size: QSize) -> None:
        """The line that the columns stand on."""
        base = size.height() - BOTTOM
        painter.setPen(QPen(QColor(self._theme.palette.border), 1))
        painter.drawLine(QLineF(0, base + 0.5, size.width(), base + 0.5))

    def columns(self, painter: QPainter, log: StepLog, view: Viewport) -> None:
        """The columns in sight."""
        cell = min((HEIGHT - BOTTOM - _TOP) / max(log.tallest, _TALLEST), _LARGEST_CELL)
        for step in view.visible:
            self._column(painter, log.column(step), view.x(step), cell)

    def box(self, painter: QPainter, view: Viewport, step: int, *, is_selected: bool) -> None:
        """The outline around the step that is shown."""
        if step not in view.visible:
            return
        colors = self._theme.palette
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(colors.accent if is_selected else colors.control_border), 1.5))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.drawRoundedRect(
            QRectF(view.x(step) - 1.25, 1.5, _BAR + 2.5, HEIGHT - BOTTOM - 0.5), 2, 2
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def overview(self, painter: QPainter, view: Viewport, step: int | None) -> None:
        """Where in the reply the columns in sight stand, and the selected step."""
        if not view.most:
            return
        colors, top = self._theme.palette, HEIGHT - 5.0
        begin, length = view.handle
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.border))
        painter.drawRoundedRect(QRectF(0, top, view.width, 4), 2, 2)
        painter.setBrush(QColor(colors.muted))
        painter.drawRoundedRect(QRectF(begin, top, length, 4), 2, 2)
        if step is not None:
            x = step / max(view.num - 1, 1) * (view.width - 3)
            painter.setBrush(QColor(colors.accent))
            painter.drawRect(QRectF(x, top - 1, 3, 6))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _column(self, painter: QPainter, column: StepColumn, x: float, cell: float) -> None:
        y = float(HEIGHT - BOTTOM)
        is_apart = cell >= _GAP_FROM
        for origin, count in column.origins:
            for _ in range(count if is_apart else 1):
                height = cell if is_apart else count * cell
                shown = height - 1 if is_apart else height
                self._patterns.fill(painter, origin, QRectF(x, y - shown, _BAR, shown))
                y -= height
        if column.rejected:
            height = column.rejected * cell
            self._patterns.fill(painter, "rejected", QRectF(x, y - height, _BAR, height))
            y -= height
        if column.excluded:
            self._patterns.fill(painter, "excluded", QRectF(x, y - 9, _BAR, 8))
