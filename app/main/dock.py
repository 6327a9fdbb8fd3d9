"""What a Mac expects of an app: it outlives its window, comes back from the Dock, opens files."""

import sys

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication
from PySide6.QtWidgets import QWidget

from app.main.application import Application


class Dock(QObject):
    """Watches the one window, and what the application is told.

    Closing the window hides it on a Mac; `quit` closes it for good everywhere. `file_opened` is a
    file that was double-clicked, or dropped on the icon.
    """

    file_opened = Signal(object)

    def __init__(
        self, window: QWidget, parent: QObject, *, is_mac: bool = sys.platform == "darwin"
    ) -> None:
        super().__init__(parent)
        self._window, self._is_mac = window, is_mac
        self._is_quitting = self._is_hidden = False
        window.installEventFilter(self)
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        # A click on the Dock's icon says "active" again, even where the app is that already.
        app.applicationStateChanged.connect(self._on_state)
        if isinstance(app, Application):
            app.takes_quit = True
            app.quit_asked.connect(self.quit)
            app.file_opened.connect(self._on_file)

    def quit(self) -> None:
        """Close the window, and with it the app."""
        self._is_quitting = True
        if not self._window.close():
            self._is_quitting = False

    def close_window(self) -> None:
        """What the window's own button does."""
        self._window.close()

    def reopen(self) -> None:
        """Bring the window back, if it was closed."""
        if self._is_hidden:
            self._is_hidden = False
            self._window.show()
            self._window.raise_()
            self._window.activateWindow()

    def take(self, path: object) -> None:
        """Come to the front, with a file where there is one: another start asked for it."""
        self.reopen()
        if self._window.isMinimized():
            self._window.showNormal()
        self._window.raise_()
        self._window.activateWindow()
        if path is not None:
            self.file_opened.emit(path)

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self.reopen()

    def _on_file(self, path: object) -> None:
        self.reopen()
        self.file_opened.emit(path)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self._is_mac or self._is_quitting or not isinstance(event, QCloseEvent):
            return False
        event.ignore()
        self._is_hidden = True
        self._window.hide()
        return True
