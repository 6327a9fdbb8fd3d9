"""When a view gets the colours of another theme: at once where it is seen, else after those."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QWidget

from app.theme import Theme

# Not all at once: the farther away, the later.
_UNSEEN_MS, _PIXELS_A_MS = 150, 20


class Recolor(QTimer):
    """Calls `restyle` of a view when the theme has changed and its turn has come."""

    def __init__(self, theme: Theme, view: QWidget, restyle: Callable[[], None]) -> None:
        super().__init__(view)
        self._view, self._restyle = view, restyle
        self.setSingleShot(True)
        self.timeout.connect(restyle)
        theme.changed.connect(self._follow)

    def _follow(self) -> None:
        view = self._view
        if not view.visibleRegion().isEmpty():
            self.stop()
            self._restyle()
            return
        top, room = view.mapTo(view.window(), QPoint()).y(), view.window().height()
        self.start(_UNSEEN_MS + max(top - room, -top, 0) // _PIXELS_A_MS)
