"""The application object: the few events that the system sends to it alone, as signals."""

from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class Application(QApplication):
    """`file_opened`: double-clicked, or dropped on the icon; `quit_asked`: by Dock or log-out.

    Quitting is left to who hears of it, if anybody does.
    """

    file_opened = Signal(object)
    quit_asked = Signal()
    # Whether somebody hears of it, and ends the app in its own way.
    takes_quit = False

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_opened.emit(Path(event.file()))
            return True
        if event.type() == QEvent.Type.Quit and self.takes_quit:
            event.accept()
            self.quit_asked.emit()
            return True
        return super().event(event)
