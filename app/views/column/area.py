"""The scroll area of a conversation: a column of messages in the middle of the width there is."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.views.column.tab_order import tab_target
from app.views.column.turn import Turn

COLUMN_WIDTH = 640
_BAR_WIDTH = 10


class Ground(QWidget):
    """Covers what is under it: Qt scrolls it by moving pixels, and paints only what is new."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("scroll_content")
        # By the style sheet alone it would be painted as well, but not be known to be opaque.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_StaticContents)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), self.palette().window())


class ColumnArea(QScrollArea):
    """`messages` is the layout that turns are put into; Tab goes through them down the screen.

    `content` is all that scrolls, with the margins beside the column.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.content = content = Ground(self)
        self.column = QWidget(content)
        self.column.setObjectName("messages")
        self.column.setMaximumWidth(COLUMN_WIDTH)
        self.column.setAttribute(Qt.WidgetAttribute.WA_StaticContents)
        self._row = QHBoxLayout(content)
        self._center(0)
        self._row.addStretch(1)
        self._row.addWidget(self.column, 1000)
        self._row.addStretch(1)
        self.messages = QVBoxLayout(self.column)
        self.messages.setContentsMargins(0, 0, 0, 0)
        self.messages.setSpacing(12)
        self.setWidget(content)
        self.verticalScrollBar().rangeChanged.connect(lambda _low, high: self._center(high))

    @property
    def turns(self) -> list[Turn]:
        """The turns that are built."""
        return []

    @property
    def keeps_tab(self) -> bool:
        """Whether Qt's own order holds now."""
        return False

    def set_room_above(self, height: int) -> None:
        """Keep room above what scrolls, for a bar that stands there."""
        self.setViewportMargins(0, height, 0, 0)

    def _center(self, high: int) -> None:
        """A scroll bar takes room at the right; the column stays in the middle all the same."""
        bar = _BAR_WIDTH if high > 0 else 0
        self._row.setContentsMargins(20 + bar, 26, 20, 26)

    def focusNextPrevChild(self, next: bool) -> bool:
        found = None
        if not self.keeps_tab:
            focus = QApplication.focusWidget()
            found = tab_target(self, self.turns, focus, is_forward=next)
        if found is None:
            return super().focusNextPrevChild(next)
        reasons = Qt.FocusReason
        found.setFocus(reasons.TabFocusReason if next else reasons.BacktabFocusReason)
        if self.column.isAncestorOf(found):
            self.ensureWidgetVisible(found)
        return True
