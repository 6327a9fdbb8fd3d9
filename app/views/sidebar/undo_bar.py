"""What was done just now, with a button that undoes it, for ten seconds."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.views.controls import ElidedLabel

SHOWN_MS = 10_000


class UndoBar(QWidget):
    """Hidden while there is nothing to undo."""

    undo_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("undo_bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.words = ElidedLabel("", self)
        self.button = QPushButton(self.tr("Undo"), self)
        self.button.setObjectName("undo")
        self.button.clicked.connect(self._on_undo)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOWN_MS)
        self._timer.timeout.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(self.words, 1)
        row.addWidget(self.button)
        self.hide()

    def offer(self, words: str) -> None:
        """Say what was done, and offer to undo it."""
        self.words.set_full_text(words)
        self.button.setAccessibleName(self.tr("Undo: {0}").format(words))
        self.show()
        self._timer.start()

    def _on_undo(self) -> None:
        self.hide()
        self.undo_requested.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()
