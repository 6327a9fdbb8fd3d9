"""Small controls in the window's style: switch, pill, icon button, label that elides."""

from typing import Literal

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QToolButton, QWidget

from app.theme import Theme, sans

Tone = Literal["good", "caution", "neutral", "error"]
Icon = Literal["plus", "panel", "side", "more", "close"]
_TRACK = QSize(28, 16)


class Switch(QAbstractButton):
    """An on/off switch with its word beside it; Space toggles it."""

    def __init__(self, text: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setFont(sans(13))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def _draw_track(self, painter: QPainter, track: QRectF) -> None:
        colors, is_on = self._theme.palette, self.isChecked()
        x = track.right() - 8 if is_on else track.left() + 8
        if self.isEnabled():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.accent if is_on else colors.control_border))
            painter.drawRoundedRect(track, 8, 8)
            painter.setBrush(QColor("#ffffff"))
            painter.drawEllipse(QPointF(x, track.center().y()), 6, 6)
            return
        # No accent: what cannot be switched tells only how it stands.
        painter.setPen(QPen(QColor(colors.muted), 1))
        painter.setBrush(QColor(colors.selected) if is_on else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(track.adjusted(0.5, 0.5, -0.5, -0.5), 7.5, 7.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.muted))
        painter.drawEllipse(QPointF(x, track.center().y()), 4.5, 4.5)

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(_TRACK.width() + width + 12, 24)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.EnabledChange:
            shapes = Qt.CursorShape
            self.setCursor(shapes.PointingHandCursor if self.isEnabled() else shapes.ArrowCursor)
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.palette
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            track = QRectF(
                2, (self.height() - _TRACK.height()) / 2, _TRACK.width(), _TRACK.height()
            )
            self._draw_track(painter, track)
            painter.setPen(QColor(colors.text if self.isEnabled() else colors.muted))
            words = self.rect().adjusted(_TRACK.width() + 9, 0, 0, 0)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(colors.accent), 1.5))
                painter.drawRoundedRect(track.adjusted(-1.25, -1.25, 1.25, 1.25), 9.25, 9.25)


class Pill(QLabel):
    """A short state in a rounded tint."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("pill")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_state(self, text: str, tone: Tone, why: str = "") -> None:
        """Change words and colour; the reason becomes the tooltip."""
        self.setToolTip(why)
        self.setAccessibleName(f"{text}. {why}" if why else text)
        if text != self.text():
            self.setText(text)
            self.updateGeometry()
        if tone != self.property("tone"):
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)


class IconButton(QToolButton):
    """A button with a drawn sign."""

    def __init__(self, icon: Icon, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon, self._theme = icon, theme
        self.setObjectName("icon")
        self.setFixedSize(28, 28)
        self.setToolTip(name)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(QPen(QColor(self._theme.palette.muted), 1.5))
            center = QRectF(self.rect()).center()
            if self._icon == "plus":
                painter.drawLine(center + QPointF(-6, 0), center + QPointF(6, 0))
                painter.drawLine(center + QPointF(0, -6), center + QPointF(0, 6))
                return
            if self._icon == "close":
                painter.drawLine(center + QPointF(-3.5, -3.5), center + QPointF(3.5, 3.5))
                painter.drawLine(center + QPointF(-3.5, 3.5), center + QPointF(3.5, -3.5))
                return
            if self._icon == "more":
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(QColor(self._theme.palette.muted))
                for offset in (-5.5, 0.0, 5.5):
                    painter.drawEllipse(center + QPointF(offset, 0), 1.6, 1.6)
                return
            frame = QRectF(center.x() - 8, center.y() - 6, 16, 12)
            painter.drawRoundedRect(frame, 2.5, 2.5)
            if self._icon == "side":
                painter.drawLine(
                    frame.topLeft() + QPointF(5.5, 0), frame.bottomLeft() + QPointF(5.5, 0)
                )
                return
            painter.drawLine(
                frame.topRight() + QPointF(-5.5, 0), frame.bottomRight() - QPointF(5.5, 0)
            )
            if self.isChecked():
                side = frame.adjusted(11, 1.5, -1.5, -1.5)
                painter.fillRect(side, QColor(self._theme.palette.muted))


class ElidedLabel(QLabel):
    """A label that ends in an ellipsis where it does not fit; the tooltip has all of it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._full = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.set_full_text(text)

    def set_full_text(self, text: str) -> None:
        """The whole text."""
        self._full = text
        self.setAccessibleName(text)
        self._elide()

    def _elide(self) -> None:
        shown = self.fontMetrics().elidedText(
            self._full, Qt.TextElideMode.ElideRight, max(self.width(), 0)
        )
        self.setToolTip(self._full if shown != self._full else "")
        self.setText(shown)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()


def section(text: str, parent: QWidget) -> QLabel:
    """The small heading of a part of a panel."""
    label = QLabel(text, parent)
    label.setObjectName("section")
    label.setContentsMargins(0, 6, 0, 0)
    return label
