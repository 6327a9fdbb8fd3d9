"""A frame around the text that has the keyboard, outside of its letters."""

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

from app.theme import Theme

# How far outside it is; the column has more margin than that.
_ASIDE, _ABOVE = 9, 5
_RADIUS = 8.0
_MOVES = {QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide}


class FocusRing(QWidget):
    """Lies over its parent, and goes with a widget somewhere in it."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._around = theme, parent
        self._widgets: list[QWidget] = []
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def follow(self, widget: QWidget | None) -> None:
        """Frame this widget from now on, or none."""
        for each in self._widgets:
            if Shiboken.isValid(each):
                each.removeEventFilter(self)
        self._widgets.clear()
        while widget is not None and widget is not self._around:
            # Those around it move it, too.
            widget.installEventFilter(self)
            self._widgets.append(widget)
            widget = widget.parentWidget()
        self._place()

    def _place(self) -> None:
        if not self._widgets or not self._widgets[0].isVisible():
            self.hide()
            return
        framed = self._widgets[0]
        place = QRect(framed.mapTo(self._around, QPoint(0, 0)), framed.size())
        self.setGeometry(place.adjusted(-_ASIDE, -_ABOVE, _ASIDE, _ABOVE))
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES:
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(QPen(QColor(self._theme.palette.accent), 1.5))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), _RADIUS, _RADIUS)
