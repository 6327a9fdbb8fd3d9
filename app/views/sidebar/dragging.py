"""Dragging rows of the side bar to another group; it runs no loop of its own."""

from dataclasses import dataclass

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QLabel, QListView

from app.models.chats import Folder
from app.models.conversation import Conversation

_EDGE, _SCROLL, _SCROLL_MS = 28, 14, 30


@dataclass(frozen=True, slots=True)
class Dragged:
    """What is dragged: chats, or one folder."""

    chats: tuple[Conversation, ...]
    folder: Folder | None
    label: str


class Dragging(QObject):
    """From the press to the drop. `moved` says where the mouse is, in the list."""

    moved = Signal(QPoint)

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self._pressed: QPoint | None = None
        self._at = QPoint()
        self._offered: Dragged | None = None
        self.dragged: Dragged | None = None
        self._label = QLabel(view.viewport())
        self._label.setObjectName("dragged")
        self._label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._label.hide()
        self._scroller = QTimer(self)
        self._scroller.setInterval(_SCROLL_MS)
        self._scroller.timeout.connect(self._scroll)

    @property
    def is_on(self) -> bool:
        """Whether something is on its way."""
        return self.dragged is not None

    def press(self, at: QPoint, offered: Dragged | None) -> None:
        """The button went down on something that may be dragged."""
        self._pressed, self._offered = at, offered

    def move(self, at: QPoint) -> None:
        """The mouse moved with the button down."""
        if self._pressed is None or self._offered is None:
            return
        self._at = at
        if not self.is_on:
            far = (at - self._pressed).manhattanLength()
            if far < QApplication.startDragDistance():
                return
            self.dragged = self._offered
            self._label.setText(self._offered.label)
            self._label.adjustSize()
            self._label.show()
            self._scroller.start()
        self._show()

    def end(self) -> Dragged | None:
        """The button came up, or Escape was pressed: what was dragged, if anything."""
        dragged, self.dragged = self.dragged, None
        self._pressed = self._offered = None
        self._scroller.stop()
        self._label.hide()
        return dragged

    def _show(self) -> None:
        room = self._view.viewport().width() - self._label.width()
        self._label.move(max(min(self._at.x() + 8, room), 0), self._at.y() + 10)
        self._label.raise_()
        self.moved.emit(self._at)

    def _scroll(self) -> None:
        """Near an edge the list moves on."""
        bar, height = self._view.verticalScrollBar(), self._view.viewport().height()
        step = -_SCROLL if self._at.y() < _EDGE else _SCROLL if self._at.y() > height - _EDGE else 0
        before = bar.value()
        bar.setValue(before + step)
        if bar.value() != before:
            self._show()
