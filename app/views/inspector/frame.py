"""A painted part of a pane that the keyboard reaches: focus ring, tooltips, description."""

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QFocusEvent, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app.theme import Theme


class Frame(QWidget):
    """Takes the focus so that its description is read out, and shows that it has it.

    A subclass draws itself in `paint`, and says in `words_at` what is where.
    """

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.restyle)

    def restyle(self) -> None:
        """Other colours."""
        self.update()

    def describe(self, words: str) -> None:
        """What a screen reader says of it."""
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)

    def words_at(self, place: QPoint) -> str:
        """The tooltip for a place; empty for none."""
        return ""

    def paint(self, painter: QPainter) -> None:
        """All but the ring."""

    def paint_focus(self, painter: QPainter) -> None:
        """The ring, where the focus is here."""
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            painter.setPen(QPen(QColor(self.theme.palette.accent), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75), 4, 4)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.words_at(event.pos()), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        # Ended here whatever happens: a painter that outlives its event takes the window down.
        with QPainter(self) as painter:
            self.paint(painter)
            self.paint_focus(painter)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()
