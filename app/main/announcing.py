"""Notifications of this desktop: a message where there is a tray, and the icon that asks."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

_SIZE = 64


class DesktopAnnouncer(QObject):
    """`chosen`: the person clicked on the message. The tray's icon is there only meanwhile."""

    chosen = Signal()

    def __init__(self, window: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._tray: QSystemTrayIcon | None = None
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.applicationStateChanged.connect(self._on_state)

    def announce(self, title: str, words: str) -> None:
        """Show the message, and let the window's icon ask for attention."""
        QApplication.alert(self._window)
        if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
            if self._tray is None:
                self._tray = QSystemTrayIcon(_icon(), self)
                self._tray.messageClicked.connect(self._on_chosen)
                self._tray.activated.connect(self._on_chosen)
            self._tray.show()
            self._tray.showMessage(title, words, _icon())

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive and self._tray is not None:
            self._tray.hide()

    def _on_chosen(self) -> None:
        if self._tray is not None:
            self._tray.hide()
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()
        self.chosen.emit()


def _icon() -> QIcon:
    """Three bars: one said, two drafted."""
    picture = QPixmap(_SIZE, _SIZE)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(Qt.PenStyle.NoPen)
        for number, color in enumerate(("#8a8f99", "#009e73", "#56b4e9")):
            painter.setBrush(QColor(color))
            painter.drawRoundedRect(8, 12 + number * 15, 48 - number * 10, 10, 5, 5)
    return QIcon(picture)
