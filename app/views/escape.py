"""Has Escape mean something in one widget, before the window takes it for something else."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget


class EscapeKeeper(QObject):
    """The widget, or what has the focus in it, gets the key whenever `is_wanted` says so."""

    def __init__(self, widget: QWidget, is_wanted: Callable[[], bool] = lambda: True) -> None:
        super().__init__(widget)
        self._is_wanted = is_wanted
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self._is_wanted()
        ):
            event.accept()
            return True
        return super().eventFilter(watched, event)
