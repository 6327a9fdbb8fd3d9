"""Where what is dragged over the side bar's list would go."""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QListView

from app.models.chats import Chats, Folder
from app.models.grouping import Place
from app.views.sidebar.dragging import Dragged
from app.views.sidebar.intents import Intents
from app.views.sidebar.rows import ChatRows, Heading


class DropTarget:
    """Chats go to a place; a folder goes between others, where the line is."""

    def __init__(self, view: QListView, rows: ChatRows, chats: Chats, intents: Intents) -> None:
        self._view, self._rows, self._chats, self._intents = view, rows, chats, intents
        self.place: Place | None = None
        self.line: int | None = None
        self._before: Folder | None = None

    def follow(self, dragged: Dragged, at: QPoint) -> None:
        """The mouse is here."""
        self.clear()
        if dragged.folder is not None:
            self._between(at)
            return
        place = self._rows.place_at(self._view.indexAt(at))
        if place is not None and place.kind != "traces":
            self.place = place

    def drop(self, dragged: Dragged) -> None:
        """The button came up: say what is asked for."""
        if dragged.folder is None:
            if self.place is not None:
                self._intents.place_requested.emit(dragged.chats, self.place)
        elif self.line is not None and self._before is not dragged.folder:
            self._intents.folder_moved.emit(dragged.folder, self._before)
        self.clear()

    def clear(self) -> None:
        """Nowhere."""
        self.place = self.line = self._before = None

    def _between(self, at: QPoint) -> None:
        """Above the first folder whose heading's middle lies below the mouse, or under them all."""
        order = sorted(self._chats.folders, key=lambda each: each.position)
        for folder in order:
            rect = self._view.visualRect(self._rows.index_of(Place("folder", folder.id)))
            if at.y() < rect.center().y():
                self._before, self.line = folder, rect.top() + 2
                return
        self._before, self.line = None, self._bottom(order[-1])

    def _bottom(self, folder: Folder) -> int:
        """Under the last chat of a folder."""
        number = self._rows.index_of(Place("folder", folder.id)).row()
        while not isinstance(self._rows.row(self._rows.index(number + 1, 0)), Heading | None):
            number += 1
        return self._view.visualRect(self._rows.index(number, 0)).bottom() + 1
