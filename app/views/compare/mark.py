"""The sign at the first difference: a box around the token, and an unequal sign in the margin."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.theme import Theme, sans
from app.views.compare.places import TokenPlaces
from app.views.reply_text import ReplyText

MARGIN = 22
_SIGN = "≠"
_GROW = QPointF(1.5, 1.0)


class DifferenceMark(QWidget):
    """Lies over a text and its margin, lets the mouse through; `token` None marks nothing."""

    def __init__(self, text: ReplyText, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._text, self._theme = text, theme
        self.token: int | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_token(self, token: int | None) -> None:
        """Mark this token of the reply, or the end behind its last."""
        if token != self.token:
            self.token = token
            self.setVisible(token is not None)
            self.update()

    def boxes(self) -> list[QRectF]:
        """Where the marked token stands, one box for each line it is on."""
        if self.token is None:
            return []
        offset = QPointF(self._text.pos())
        return [box.translated(offset) for box in TokenPlaces(self._text).boxes(self.token)]

    def paintEvent(self, event: QPaintEvent) -> None:
        boxes = self.boxes()
        if not boxes:
            return
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(QPen(QColor(self._theme.palette.error), 1.8))
            for box in boxes:
                grown = QRectF(box.topLeft() - _GROW, box.bottomRight() + _GROW)
                painter.drawRoundedRect(grown, 3, 3)
            painter.setFont(sans(16, QFont.Weight.Bold))
            margin = QRectF(0, boxes[0].top() - 3, MARGIN - 4, boxes[0].height() + 6)
            painter.drawText(margin, Qt.AlignmentFlag.AlignCenter, _SIGN)
