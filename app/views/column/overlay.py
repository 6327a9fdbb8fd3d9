"""What lies over the column and does not scroll: the way to the end, undo, a link's target."""

from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from app.theme import Theme
from app.views.column.signs import sign_path

UNDO_MS = 10_000
_SIDE = 34


class ToEndButton(QToolButton):
    """Round, with an arrow; a dot says that there is new text below."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setFixedSize(_SIDE, _SIDE)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(self.tr("Go to the end"))
        self.setAccessibleName(self.tr("Go to the end"))
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.palette
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            is_near = self.underMouse()
            edge = colors.accent if self.hasFocus() else colors.control_border
            painter.setPen(QPen(QColor(edge), 1.5 if self.hasFocus() else 1.0))
            painter.setBrush(QColor(colors.hover if is_near else colors.raised))
            painter.drawEllipse(QRectF(self.rect()).adjusted(1, 1, -1, -1))
            painter.setPen(
                QPen(
                    QColor(colors.text),
                    1.5,
                    c=Qt.PenCapStyle.RoundCap,
                    j=Qt.PenJoinStyle.RoundJoin,
                )
            )
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.translate(QRectF(self.rect()).center() - QPointF(8, 8))
            painter.drawPath(sign_path("end"))


class UndoLine(QFrame):
    """Says that something was deleted, for ten seconds."""

    undo_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("floating")
        words = QLabel(self.tr("Deleted"), self)
        self.undo = QPushButton(self.tr("Undo"), self)
        self.undo.setObjectName("link")
        self.undo.setAccessibleName(self.tr("Undo the deletion"))
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 6, 8, 6)
        row.setSpacing(8)
        row.addWidget(words)
        row.addWidget(self.undo)
        self._end = QTimer(self)
        self._end.setSingleShot(True)
        self._end.setInterval(UNDO_MS)
        self._end.timeout.connect(self.hide)
        self.undo.clicked.connect(self._on_undo)
        self.hide()

    def offer(self) -> None:
        """Something was deleted just now."""
        self.adjustSize()
        self.show()
        self.raise_()
        self._end.start()

    def _on_undo(self) -> None:
        self.hide()
        self.undo_requested.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._end.stop()
