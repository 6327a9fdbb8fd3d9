"""The sheet of all keyboard shortcuts, made from the table of commands."""

from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from app.models.commands import Command, Commands
from app.theme import Theme
from app.views.controls import ElidedLabel, section
from app.views.menus import as_shown
from app.views.sheet import Sheet

_WIDTH, _HEIGHT, _NARROW = 820, 640, 700


class Shortcuts(Sheet):
    """Two columns of menus with their keys; one where the window is narrow."""

    def __init__(self, commands: Commands, theme: Theme, parent: QWidget) -> None:
        super().__init__(self.tr("Keyboard shortcuts"), theme, parent)
        size = parent.window().size()
        width = min(_WIDTH, size.width() - 40)
        self._fill(_by_menu(commands), 1 if width < _NARROW else 2)
        self.arrange(QWidget(self))
        self.done_button.setDefault(True)
        self.resize(width, min(_HEIGHT, max(size.height() - 60, 360)))

    def _fill(self, menus: dict[str, list[Command]], num_columns: int) -> None:
        """Menus one below the other, the next one where there is most room."""
        row = QHBoxLayout(self.body)
        row.setContentsMargins(24, 4, 24, 16)
        row.setSpacing(28)
        columns = [QVBoxLayout() for _ in range(num_columns)]
        heights = [0] * num_columns
        for title, commands in menus.items():
            at = heights.index(min(heights))
            heights[at] += len(commands) + 2
            columns[at].addWidget(section(title or self.tr("Everywhere"), self.body))
            columns[at].addWidget(self._card(commands))
        for column in columns:
            column.setSpacing(8)
            column.addStretch(1)
            row.addLayout(column, 1)

    def _card(self, commands: list[Command]) -> QFrame:
        card = QFrame(self.body)
        card.setObjectName("prefs_card")
        grid = QGridLayout(card)
        grid.setContentsMargins(14, 9, 12, 9)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(0, 1)
        for number, command in enumerate(commands):
            keys = [command.hint, *command.keys] if command.hint else list(command.keys)
            shown = [as_shown(key) for key in keys]
            words = ElidedLabel(command.words, card)
            words.setAccessibleName(f"{command.words}: {self.tr(' or ').join(shown)}")
            grid.addWidget(words, number, 0)
            line = QHBoxLayout()
            line.setSpacing(5)
            line.addStretch(1)
            for text in shown:
                label = QLabel(text, card)
                label.setObjectName("prefs_key")
                line.addWidget(label)
            grid.addLayout(line, number, 1)
        return card


def _by_menu(commands: Commands) -> dict[str, list[Command]]:
    """The commands that have a key and somebody who does them."""
    found: dict[str, list[Command]] = {}
    for command in commands.items:
        if command.keys and commands.is_bound(command.id):
            found.setdefault(command.menu, []).append(command)
    return found
