"""What is wrong for longer: one sentence on top of the middle column, for as long as it holds."""

import os

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

# Where a long path may go on in another line.
_BREAK = "\u200b"


class Lasting(QLabel):
    """Shown whole; nothing else that is said takes its place, and nobody can close it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lasting")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setIndent(0)  # in line with the title
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.sentence = ""
        self.hide()

    def say(self, sentence: str) -> None:
        """Say this from now on; empty when it is over."""
        self.sentence = sentence
        self.setText(sentence.replace(os.sep, os.sep + _BREAK))
        self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))
