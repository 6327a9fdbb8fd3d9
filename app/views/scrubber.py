"""The slider of a trace: its time from left to right, with a tick where a step ended."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from app.theme import Theme

# Positions a slider can have; fine enough for any screen.
RANGE = 10_000
_HANDLE = 6.5
_TRACK = 4.0
_TICK = 5.0


class Scrubber(QSlider):
    """Moves by time with the mouse and by steps with the keys; says so and moves nothing itself."""

    sought = Signal(float)
    step_requested = Signal(int)
    end_requested = Signal(bool)
    play_requested = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme = theme
        self._shares: tuple[float, ...] = ()
        self._ticks: tuple[float, ...] = ()
        self.setRange(0, RANGE)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_steps(self, shares: tuple[float, ...]) -> None:
        """Where steps ended, as shares (0..1) of the whole time, in order."""
        self._shares = shares
        self._place_ticks()

    def show_share(self, share: float) -> None:
        """Move the handle."""
        self.setValue(round(share * RANGE))

    def _place_ticks(self) -> None:
        """Ticks by pixel; none where they would run together."""
        inner = self.width() - 2 * _HANDLE
        has_room = len(self._shares) * 3 <= inner
        pixels = {round(share * inner) for share in self._shares} if has_room else set()
        is_legible = has_room and len(pixels) == len(self._shares)
        self._ticks = tuple(_HANDLE + pixel for pixel in sorted(pixels)) if is_legible else ()
        self.update()

    def _seek(self, x: float) -> None:
        inner = max(self.width() - 2 * _HANDLE, 1.0)
        self.sought.emit(min(max((x - _HANDLE) / inner, 0.0), 1.0))

    def sizeHint(self) -> QSize:
        return QSize(240, 26)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, 26)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = self._theme.palette
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            middle, right = self.height() / 2, self.width() - _HANDLE
            x = _HANDLE + (right - _HANDLE) * self.value() / RANGE
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.control_border))
            track = QRectF(_HANDLE, middle - _TRACK / 2, right - _HANDLE, _TRACK)
            painter.drawRoundedRect(track, 2, 2)
            painter.setBrush(QColor(colors.accent))
            painter.drawRoundedRect(QRectF(track.topLeft(), QPointF(x, track.bottom())), 2, 2)
            painter.setPen(QPen(QColor(colors.muted), 1))
            top = middle + _TRACK / 2 + 2.5
            for tick in self._ticks:
                column = round(tick) + 0.5
                painter.drawLine(QPointF(column, top), QPointF(column, top + _TICK))
            painter.setPen(QPen(QColor(colors.raised), 2))
            painter.setBrush(QColor(colors.accent))
            painter.drawEllipse(QPointF(x, middle), _HANDLE, _HANDLE)
            if self.hasFocus():
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(colors.accent), 1.5))
                frame = QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75)
                painter.drawRoundedRect(frame, 6, 6)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = Qt.Key
        steps = {keys.Key_Left: -1, keys.Key_Right: 1, keys.Key_Down: -1, keys.Key_Up: 1}
        steps |= {keys.Key_PageDown: -10, keys.Key_PageUp: 10}
        if event.key() in steps:
            self.step_requested.emit(steps[keys(event.key())])
        elif event.key() in (keys.Key_Home, keys.Key_End):
            self.end_requested.emit(event.key() == keys.Key_End)
        elif event.key() == keys.Key_Space:
            self.play_requested.emit()
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._seek(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._seek(event.position().x())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_ticks()
