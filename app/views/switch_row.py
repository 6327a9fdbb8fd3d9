"""One choice out of a few, side by side; and a line of a sheet: words, and a control at its end."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)


class Segments(QWidget):
    """Buttons of which one is pressed."""

    chosen = Signal(str)

    def __init__(
        self,
        choices: Sequence[tuple[str, str]],
        value: str,
        name: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QPushButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for id, title in choices:
            button = QPushButton(title, self)
            button.setObjectName("segment")
            button.setAccessibleName(f"{name}: {title}")
            button.setAutoDefault(False)
            button.setCheckable(True)
            button.setChecked(id == value)
            button.clicked.connect(lambda _=False, chosen=id: self.chosen.emit(chosen))
            self._group.addButton(button)
            self.buttons[id] = button
            row.addWidget(button)

    def show_value(self, value: str) -> None:
        """Press another button, without a word."""
        if value in self.buttons:
            self.buttons[value].setChecked(True)


class Card(QFrame):
    """Lines on a quiet ground, set off by thin rules."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("prefs_card")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(14, 4, 14, 4)
        self._column.setSpacing(0)

    def add(self, words: str, control: QWidget, aside: str = "", *, below: bool = False) -> None:
        """A line: what it is, a word on it, and its control at the end, or below."""
        if self._column.count():
            rule = QFrame(self)
            rule.setObjectName("prefs_line")
            rule.setFixedHeight(1)
            self._column.addWidget(rule)
        control.setParent(self)
        text = QVBoxLayout()
        text.setSpacing(2)
        label = QLabel(words, self)
        label.setBuddy(control)
        text.addWidget(label)
        if aside:
            text.addWidget(quiet(aside, self))
        line = QVBoxLayout() if below else QHBoxLayout()
        line.setContentsMargins(0, 9, 0, 9)
        line.setSpacing(6 if below else 16)
        line.addLayout(text, 1)
        if below:
            line.addWidget(control)
        else:
            line.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        self._column.addLayout(line)


def quiet(text: str, parent: QWidget) -> QLabel:
    """A sentence in small letters, which breaks where it has to."""
    label = QLabel(text, parent)
    label.setObjectName("small")
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return label
