"""A list of chats under headings that fold; what is selected and in sight outlives a regrouping."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from app.models.chats import Chats, Folder
from app.models.conversation import Conversation
from app.models.grouping import Place
from app.theme import Theme
from app.views.sidebar.intents import Intents
from app.views.sidebar.row_painter import RowPainter
from app.views.sidebar.rows import ChatRows, Heading

_FLAG = QItemSelectionModel.SelectionFlag


class GroupedList(QListView):
    """Shows; what the mouse and keys do in it is told elsewhere."""

    def __init__(
        self, theme: Theme, chats: Chats, intents: Intents, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("chats")
        self.setAccessibleName(self.tr("Chats"))
        self._chats = chats
        self.rows = ChatRows(chats, intents, self)
        self.painter = RowPainter(theme, chats, self.rows, self)
        self.setModel(self.rows)
        self.setItemDelegate(self.painter)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setSingleStep(20)
        self._has_several = False
        self.selectionModel().selectionChanged.connect(self._on_selection)

    @property
    def is_editing(self) -> bool:
        """Whether a name is being typed."""
        return self.state() == QAbstractItemView.State.EditingState

    @property
    def chosen(self) -> tuple[Conversation, ...]:
        """The chats that are selected, from the top down."""
        rows = (self.rows.row(i) for i in sorted(self.selectedIndexes(), key=QModelIndex.row))
        return tuple(row for row in rows if isinstance(row, Conversation))

    def regroup(self, now: float | None = None) -> None:
        """Take over what is in the chats; what is selected stays so, and so does the view."""
        chosen, current = self.chosen, self.current_thing()
        first = min((index.row() for index in self.selectedIndexes()), default=-1)
        scrolled = self.verticalScrollBar().value()
        self.rows.regroup(now)
        if current is not None and self.current_thing() != current:
            index = self.rows.index_of(current)
            self.selectionModel().setCurrentIndex(index, _FLAG.NoUpdate)
        if self.chosen != chosen:
            self.select(chosen)
        has_keys = self.window().focusWidget() is self
        if first >= 0 and has_keys and not self.selectedIndexes():
            self._select_near(first)
        self.verticalScrollBar().setValue(scrolled)
        self.viewport().update()

    def select(self, chats: tuple[Conversation, ...]) -> None:
        """Select these chats alone, where they are in sight."""
        selection = self.selectionModel()
        selection.clearSelection()
        for chat in chats:
            index = self.rows.index_of(chat)
            if index.isValid():
                selection.select(index, _FLAG.Select)

    def _select_near(self, number: int) -> None:
        """What keys meant is gone: they go on with what stands there now, or above it."""
        last = self.rows.rowCount() - 1
        for at in (*range(number, last + 1), *range(min(number, last), -1, -1)):
            index = self.rows.index(at, 0)
            if isinstance(self.rows.row(index), Conversation):
                self.selectionModel().setCurrentIndex(index, _FLAG.ClearAndSelect)
                return

    def show_open(self, *, scrolls: bool = True) -> None:
        """Select the chat that is open, and have it in sight."""
        index = self.rows.index_of(self._chats.current)
        flags = _FLAG.ClearAndSelect if index.isValid() else _FLAG.Clear
        self.selectionModel().setCurrentIndex(index, flags)
        if index.isValid() and scrolls:
            self.scrollTo(index)

    def rename(self, thing: Conversation | Place) -> None:
        """Edit the name of a chat or a folder, in its place."""
        index = self.rows.index_of(thing)
        if index.isValid() and index.flags() & Qt.ItemFlag.ItemIsEditable:
            self.setCurrentIndex(index)
            self.edit(index)

    def fold(self, place: Place, is_folded: bool) -> None:
        """Hide the chats of a group, or show them."""
        self.rows.fold(place, is_folded)
        self.regroup()

    def _on_selection(self) -> None:
        """Whether one is chosen or several shows in all of them."""
        before, self._has_several = self._has_several, len(self.selectedIndexes()) > 1
        if before or self._has_several:
            self.viewport().update()

    def current_thing(self) -> Conversation | Place | None:
        """The chat, or the place of the heading, that the keyboard is at."""
        row = self.rows.row(self.currentIndex())
        if isinstance(row, Heading):
            return row.place
        return row if isinstance(row, Conversation) else None

    def folder_of(self, row: object) -> Folder | None:
        """The folder whose heading a row is."""
        if isinstance(row, Heading) and row.place.kind == "folder":
            return self._chats.folder(row.place.number)
        return None
