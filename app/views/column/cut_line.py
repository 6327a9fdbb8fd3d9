"""The divider where the prompt begins, once earlier turns are no longer sent."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from app.views.column.intents import Intents


class CutLine(QWidget):
    """A line with words in it, and the way back."""

    def __init__(self, intents: Intents, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        words = QLabel(self.tr("Turns above are no longer sent"), self)
        words.setObjectName("small")
        self.clear = QPushButton(self.tr("Send all again"), self)
        self.clear.setObjectName("quiet")
        self.clear.clicked.connect(intents.first_cleared)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 4, 0, 4)
        row.setSpacing(8)
        row.addWidget(self._line(), 1)
        row.addWidget(words)
        row.addWidget(self.clear)
        row.addWidget(self._line(), 1)

    def _line(self) -> QFrame:
        line = QFrame(self)
        line.setObjectName("cut_line")
        line.setFixedHeight(1)
        line.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        return line
