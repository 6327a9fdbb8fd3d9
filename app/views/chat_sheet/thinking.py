"""Whether the model thinks before it answers: as its template has it, yes, or no."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)


class ThinkingChoice(QWidget):
    """Three buttons, one of them down."""

    chosen = Signal(object)

    def __init__(self, value: bool | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        label = QLabel(self.tr("Thinking"), self)
        self._group = QButtonGroup(self)
        self.buttons: dict[bool | None, QPushButton] = {}
        row = QHBoxLayout()
        row.setSpacing(6)
        for each, words in (
            (None, self.tr("As the model has it")),
            (True, self.tr("On")),
            (False, self.tr("Off")),
        ):
            button = QPushButton(words, self)
            button.setObjectName("tokens")
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.setAccessibleName(self.tr("Thinking: {0}").format(words))
            button.clicked.connect(lambda _=False, one=each: self.chosen.emit(one))
            self._group.addButton(button)
            self.buttons[each] = button
            row.addWidget(button)
        row.addStretch(1)
        does = QLabel(
            self.tr("Whether the model writes down its thoughts before it answers."), self
        )
        does.setObjectName("small")
        does.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(label)
        column.addLayout(row)
        column.addWidget(does)
        self.show_value(value)

    def show_value(self, value: bool | None) -> None:
        """Show what is set."""
        self.buttons[value].setChecked(True)
