"""The list of models on this machine, as a view of its rows."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from app.theme import Theme
from app.views.library.row_painter import ModelRowPainter
from app.views.library.rows import ModelRows

_RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ModelList(QListView):
    """Return is the same as a double click, on every system."""

    def __init__(self, theme: Theme, rows: ModelRows, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("model_list")
        self.setAccessibleName(self.tr("Models on this machine"))
        self.setModel(rows)
        self.setItemDelegate(ModelRowPainter(theme, rows, self))
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.verticalScrollBar().setSingleStep(24)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _RETURN and self.currentIndex().isValid():
            self.activated.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)
