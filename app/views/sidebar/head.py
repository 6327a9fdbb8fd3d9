"""The head of the side bar: its name, a menu, a new chat."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.theme import Theme
from app.views.controls import IconButton
from app.views.header import HEADER_HEIGHT
from app.views.popup_menu import PopupMenu
from app.views.sidebar.intents import Intents


class SidebarHead(QWidget):
    """`archived` and `trash` are menu entries that the side bar answers."""

    def __init__(self, theme: Theme, intents: Intents, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEADER_HEIGHT)
        name = QLabel("Draftscope", self)
        name.setObjectName("app_name")
        self.new = IconButton("plus", self.tr("New chat"), theme, self)
        self.new.clicked.connect(intents.new_requested)
        self.more = IconButton("more", self.tr("Chats and folders"), theme, self)
        self.more.clicked.connect(self._show_menu)
        self.menu = PopupMenu(self)
        folder = self.menu.addAction(self.tr("New folder"))
        folder.triggered.connect(lambda: intents.folder_requested.emit(()))
        brought = self.menu.addAction(self.tr("Import…"))
        brought.triggered.connect(lambda: intents.import_requested.emit())
        self.menu.addSeparator()
        self.archived = self.menu.addAction(self.tr("Show archived"))
        self.trash = self.menu.addAction(self.tr("Show Trash"))
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 0, 12, 0)
        row.setSpacing(2)
        row.addWidget(name)
        row.addStretch(1)
        row.addWidget(self.more)
        row.addWidget(self.new)

    def _show_menu(self) -> None:
        self.menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height() + 2)))
