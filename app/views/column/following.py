"""Has the turns take over another look or another size: those on screen at once, then the rest."""

from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtWidgets import QScrollArea

from app.models.display import TokenDisplay
from app.models.text_size import TextSize
from app.views.column.reader import Reader
from app.views.column.stretch import Stretch
from app.views.column.turn import Turn


class Following(QObject):
    """`followed` says which turn is set in the new way; the place that is read stays."""

    followed = Signal(object)

    def __init__(
        self,
        area: QScrollArea,
        display: TokenDisplay,
        size: TextSize,
        reader: Reader,
        stretch: Stretch,
    ) -> None:
        super().__init__(area)
        self._area, self._reader, self._stretch = area, reader, stretch
        self._waiting: list[Turn] = []
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.setInterval(0)
        self._next.timeout.connect(self._go_on)
        display.changed.connect(self._begin)
        size.changed.connect(self._begin)

    def _begin(self) -> None:
        self._reader.hold_share()
        self._waiting = sorted(self._stretch.turns, key=self._distance)
        with self._reader.still():
            while self._waiting and self._distance(self._waiting[0]) == 0:
                self._follow(self._waiting.pop(0))
        if self._waiting:
            self._next.start()

    def _go_on(self) -> None:
        turn = self._waiting.pop(0)
        if turn in self._stretch.turns:
            with self._reader.still():
                self._follow(turn)
        if self._waiting:
            self._next.start()

    def _follow(self, turn: Turn) -> None:
        turn.follow()
        self.followed.emit(turn)

    def _distance(self, turn: Turn) -> int:
        """How far a turn is from the screen; 0 for one that is on it."""
        top = turn.mapTo(self._area.viewport(), QPoint(0, 0)).y()
        return max(top - self._area.viewport().height(), -(top + turn.height()), 0)
