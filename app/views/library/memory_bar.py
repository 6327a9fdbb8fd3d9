"""How a model's memory adds up, against what is free: a bar in parts, and the numbers below it."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.models.fit import Fit
from app.models.model_words import bytes_words
from app.theme import Theme, sans

_BAR, _LINE, _GAP = 12, 21, 8


class MemoryBar(QWidget):
    """Weights, caches, rolling back; a mark where free memory ends."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._fit = Fit("unknown", None, None)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_fit(self, fit: Fit) -> None:
        """Show another model, or the same at another context."""
        if fit == self._fit:
            return
        self._fit = fit
        told = ", ".join(f"{name} {words}" for _, name, words in self._lines())
        self.setAccessibleName(self.tr("Memory: {0}").format(told))
        self.updateGeometry()
        self.update()

    def _parts(self) -> list[tuple[str, str, int]]:
        need, colors = self._fit.need, self._theme.palette
        if need is None:
            return []
        context = self.tr("Caches at {0} tokens").format(f"{need.context:,}")
        parts = [
            (colors.accent, self.tr("Weights"), need.weights_bytes),
            (colors.good, context, need.cache_bytes),
            (colors.caution, self.tr("Rolling back drafts"), need.rollback_bytes),
        ]
        return [part for part in parts if part[2]]

    def _lines(self) -> list[tuple[str, str, str]]:
        lines = [(color, name, bytes_words(size)) for color, name, size in self._parts()]
        if self._fit.need is not None and len(lines) > 1:
            lines.append(("", self.tr("In all"), bytes_words(self._fit.need.total_bytes)))
        lines.append(("", self.tr("Free now"), bytes_words(self._fit.free_bytes)))
        return lines

    def _paint_bar(self, painter: QPainter) -> None:
        colors, need = self._theme.palette, self._fit.need
        free = self._fit.free_bytes
        total = need.total_bytes if need is not None else 0
        whole = max(total, free or 0, 1)
        bar = QRectF(0, 2, self.width(), _BAR)
        painter.save()
        painter.setClipRect(bar)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.hover))
        painter.drawRoundedRect(bar, 4, 4)
        left = 0.0
        for color, _, size in self._parts():
            # A part that is there can be seen.
            width = max(size / whole * bar.width(), 2.0)
            painter.setBrush(QColor(color))
            painter.drawRect(QRectF(left, bar.top(), max(width - 1, 1.0), bar.height()))
            left += width
        painter.restore()
        if free is not None and free < total:
            x = free / whole * bar.width()
            painter.setPen(QPen(QColor(colors.error), 2))
            painter.drawLine(QPointF(x, 0), QPointF(x, _BAR + 4))

    def _paint_line(
        self, painter: QPainter, top: float, line: tuple[str, str, str], ink: str
    ) -> None:
        color, name, words = line
        rect = QRectF(0, top, self.width(), _LINE)
        if color:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(color))
            painter.drawRoundedRect(QRectF(0, rect.center().y() - 4, 8, 8), 2, 2)
        painter.setFont(sans(12))
        painter.setPen(QColor(self._theme.palette.muted))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(rect.adjusted(16, 0, 0, 0), middle | Qt.AlignmentFlag.AlignLeft, name)
        painter.setPen(QColor(ink))
        painter.drawText(rect, middle | Qt.AlignmentFlag.AlignRight, words)

    def sizeHint(self) -> QSize:
        return QSize(200, _BAR + 4 + _GAP + _LINE * len(self._lines()))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            self._paint_bar(painter)
            colors = self._theme.palette
            top = float(_BAR + 4 + _GAP)
            for line in self._lines():
                self._paint_line(painter, top, line, colors.text)
                top += _LINE
