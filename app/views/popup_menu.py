"""A menu with round corners, where the system lets a window have them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget


class PopupMenu(QMenu):
    """The look is the style sheet's; without this its corners are filled."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)

    def add_menu(self, words: str) -> "PopupMenu":
        """A menu below this one."""
        made = PopupMenu(self)
        made.setTitle(words)
        self.addMenu(made)
        return made
