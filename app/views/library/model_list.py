"""The list of models on this machine, as a view of its rows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from app.theme import Theme
from app.views.library.row_painter import ROW_HEIGHT, ModelRowPainter
from app.views.library.rows import Index, ModelRows

_RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ModelList(QListView):
    """Return is the same as a double click, on every system."""

    def __init__(self, theme: Theme, rows: ModelRows, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = rows
        self.setObjectName("model_list")
        self.setAccessibleName(self.tr("Models on this machine"))
        self.setItemDelegate(ModelRowPainter(theme, rows, self))
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.verticalScrollBar().setSingleStep(24)
        self.setModel(rows)

    @contextmanager
    def held(self) -> Iterator[None]:
        """While rows come and go, what is looked at stays where it is; the top stays the top."""
        scroll = self.verticalScrollBar()
        before = scroll.value()
        place, above = divmod(before, ROW_HEIGHT)
        target = self._rows.target_at(place) if before else ""
        yield
        index = self._rows.index_of(target)
        if index.isValid():
            self.executeDelayedItemsLayout()
            before = index.row() * ROW_HEIGHT + above
        scroll.setValue(before)

    def dataChanged(  # noqa: N802
        self, first: Index, last: Index, roles: Sequence[int] = ()
    ) -> None:
        # Not the list view's own, which lays out all rows: each is as high as any other.
        QAbstractItemView.dataChanged(self, first, last, roles)

    def doItemsLayout(self) -> None:  # noqa: N802
        if self.isVisible():
            super().doItemsLayout()
        else:  # each widget around it that is put in its place would have all rows laid out anew
            self.scheduleDelayedItemsLayout()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _RETURN and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)
