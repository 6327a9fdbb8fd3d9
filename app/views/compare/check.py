"""A check box in the window's style; Space toggles it."""

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from app.theme import Theme

_BOX = 15.0
_GAP = 7
_HEIGHT = 24


class Check(QCheckBox):
    """Box, word, and a ring while it has the focus."""

    def __init__(self, text: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._theme = theme
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(int(_BOX) + _GAP + width + 5, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.palette
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            box = QRectF(2.5, (self.height() - _BOX) / 2, _BOX, _BOX)
            is_lit = self.isChecked() and self.isEnabled()
            edge = (
                colors.accent
                if is_lit
                else colors.muted
                if self.isEnabled()
                else colors.control_border
            )
            painter.setPen(QPen(QColor(edge), 1.2))
            painter.setBrush(QColor(colors.accent if is_lit else colors.main))
            painter.drawRoundedRect(box, 4, 4)
            if self.isChecked():
                sign = colors.on_accent if self.isEnabled() else colors.muted
                painter.setPen(QPen(QColor(sign), 1.8))
                low = box.topLeft() + QPointF(6.3, 10.6)
                painter.drawLine(QLineF(box.topLeft() + QPointF(3.6, 7.8), low))
                painter.drawLine(QLineF(low, box.topLeft() + QPointF(11.6, 4.6)))
            painter.setPen(QColor(colors.text if self.isEnabled() else colors.muted))
            words = self.rect().adjusted(int(_BOX) + _GAP, 0, 0, 0)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(colors.accent), 1.5))
                painter.drawRoundedRect(
                    QRectF(self.rect()).adjusted(0.75, 1.75, -0.75, -1.75), 5, 5
                )
