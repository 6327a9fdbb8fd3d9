"""When a pane of the inspector is brought up to date: only while it is seen, every few beats.

A reply that grows is taken in part by part, so that no turn of the event loop has to paint all of a
pane, and with the text that came, so that both are painted at once; another reply, or another step,
without delay.
"""

from collections.abc import Callable, Sequence

from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.models.inspection import Inspection
from app.pace import beat_ms
from app.views.due import Due

# All of a pane is brought up to date once in so many beats of the text.
REFRESH_BEATS = 6


class Pane(QWidget):
    """A column of parts over the inspection. A subclass says how they are filled."""

    def __init__(self, inspection: Inspection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.inspection = inspection
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(8)
        self._next = 0
        self._due = Due(self)
        self._due.waited.connect(self._refresh_part)
        inspection.grown.connect(self._on_grown)
        inspection.moved.connect(self._on_moved)
        inspection.reply_changed.connect(self._on_reply_changed)

    def parts(self) -> Sequence[Callable[[], None]]:
        """What takes in a part of the reply each, and all of it together."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Take in all of the reply, and the step."""
        self._next = 0
        for part in self.parts():
            part()

    def show_step(self) -> None:
        """Take in another step."""
        raise NotImplementedError

    def _on_grown(self) -> None:
        reply = self.inspection.reply
        if not self.isVisible():
            return
        if reply is None or reply.is_over:
            self._due.rest()
            self.refresh()
        elif self._due.is_now:
            self._refresh_part()
        elif not self._due.is_awaited:
            self._next = 0
            self._due.start(self._part_ms())

    def _refresh_part(self) -> None:
        """One part; the others follow within the time of a refresh."""
        self._due.rest()
        parts = self.parts()
        parts[self._next]()
        self._next = (self._next + 1) % len(parts)
        if self._next:
            self._due.start(self._part_ms())

    def _part_ms(self) -> int:
        """How long after a part the next one is taken in."""
        reply = self.inspection.reply
        device = reply.config.device if reply is not None and reply.config is not None else ""
        return REFRESH_BEATS * beat_ms(device) // len(self.parts())

    def _on_moved(self) -> None:
        if self.isVisible():
            self.show_step()

    def _on_reply_changed(self) -> None:
        self._due.rest()
        if self.isVisible():
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._due.rest()
