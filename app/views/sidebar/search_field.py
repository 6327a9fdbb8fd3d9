"""The field of the side bar that one searches with."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.views.escape import EscapeKeeper

DEBOUNCE_MS = 80
_LONGEST = 1_000


class SearchField(QLineEdit):
    """`typed` at every change, `paused` a moment after the last; Down and Return are passed on."""

    typed = Signal(str)
    paused = Signal(str)
    left_downwards = Signal()
    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("search")
        self.setPlaceholderText(self.tr("Search chats"))
        self.setAccessibleName(self.tr("Search chats"))
        self.setMaxLength(_LONGEST)
        self.setClearButtonEnabled(True)
        EscapeKeeper(self, lambda: bool(self.text()))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DEBOUNCE_MS)
        self._timer.timeout.connect(self.search_now)
        self.textChanged.connect(self._on_changed)

    def search_now(self) -> None:
        """Do not wait for the moment after the last key."""
        self._timer.stop()
        self.paused.emit(self.text())

    def _on_changed(self, text: str) -> None:
        self._timer.start()
        self.typed.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Escape:
                self.clear()
            case Qt.Key.Key_Down:
                self.left_downwards.emit()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.entered.emit()
            case _:
                super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()
