"""Named facts below each other; what a name means is said on hover and to screen readers."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.models.step_story import Line


class FactList(QWidget):
    """Keeps its rows and fills them anew."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[tuple[QLabel, QLabel]] = []
        self.lines: list[Line] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)

    def show_lines(self, lines: list[Line]) -> None:
        """Other facts."""
        if lines == self.lines:
            return
        self.lines = lines
        while len(self._rows) < len(lines):
            self._add_row()
        for number, (name, value) in enumerate(self._rows):
            is_shown = number < len(lines)
            name.setVisible(is_shown)
            value.setVisible(is_shown)
            if is_shown:
                line = lines[number]
                name.setText(line.name)
                value.setText(line.text)
                value.setAccessibleName(f"{line.name}: {line.text}")
                for label in (name, value):
                    label.setToolTip(line.meaning)
                    label.setAccessibleDescription(line.meaning)

    def _add_row(self) -> None:
        name, value = QLabel(self), QLabel(self)
        name.setObjectName("muted")
        name.setAlignment(Qt.AlignmentFlag.AlignTop)
        value.setWordWrap(True)
        value.setTextFormat(Qt.TextFormat.PlainText)
        value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = len(self._rows)
        self._grid.addWidget(name, row, 0)
        self._grid.addWidget(value, row, 1)
        self._rows.append((name, value))
