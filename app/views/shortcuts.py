"""The sheet of all keyboard shortcuts, made from the table of commands."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.models.commands import Command, Commands
from app.theme import Theme
from app.views.controls import ElidedLabel, section
from app.views.menus import as_shown

_WIDTH, _HEIGHT, _NARROW = 820, 640, 700


class Shortcuts(QDialog):
    """Two columns of menus with their keys; one where the window is narrow."""

    def __init__(self, commands: Commands, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Sheet)
        self.setObjectName("prefs")
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._theme = theme
        theme.changed.connect(self._follow_theme)
        self._follow_theme()
        size = parent.window().size()
        width = min(_WIDTH, size.width() - 40)
        self._body = QWidget(self)
        self._body.setObjectName("prefs_body")
        self._fill(_by_menu(commands), 1 if width < _NARROW else 2)
        self._arrange()
        self.resize(width, min(_HEIGHT, max(size.height() - 60, 360)))

    def _fill(self, menus: dict[str, list[Command]], num_columns: int) -> None:
        """Menus one below the other, the next one where there is most room."""
        row = QHBoxLayout(self._body)
        row.setContentsMargins(24, 4, 24, 16)
        row.setSpacing(28)
        columns = [QVBoxLayout() for _ in range(num_columns)]
        heights = [0] * num_columns
        for title, commands in menus.items():
            at = heights.index(min(heights))
            heights[at] += len(commands) + 2
            columns[at].addWidget(section(title or self.tr("Everywhere"), self._body))
            columns[at].addWidget(self._card(commands))
        for column in columns:
            column.setSpacing(8)
            column.addStretch(1)
            row.addLayout(column, 1)

    def _card(self, commands: list[Command]) -> QFrame:
        card = QFrame(self._body)
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

    def _arrange(self) -> None:
        title = QLabel(self.tr("Keyboard shortcuts"), self)
        title.setObjectName("prefs_title")
        self.done_button = QPushButton(self.tr("Done"), self)
        self.done_button.setDefault(True)
        self.done_button.clicked.connect(self.close)
        head = QHBoxLayout()
        head.setContentsMargins(24, 18, 24, 8)
        head.addWidget(title, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(24, 10, 24, 16)
        foot.addStretch(1)
        foot.addWidget(self.done_button)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self._body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(scroll, 1)
        column.addLayout(foot)

    def _follow_theme(self) -> None:
        self.setPalette(self._theme.qt_palette())


def _by_menu(commands: Commands) -> dict[str, list[Command]]:
    """The commands that have a key and somebody who does them."""
    found: dict[str, list[Command]] = {}
    for command in commands.items:
        if command.keys and commands.is_bound(command.id):
            found.setdefault(command.menu, []).append(command)
    return found
