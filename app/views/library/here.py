"""The models on this machine: a list with a filter, its folders, the selected at its side."""

from PySide6.QtCore import QItemSelectionModel, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.theme import Theme
from app.views.library.detail import Detail
from app.views.library.folders import Folders
from app.views.library.model_list import ModelList
from app.views.library.parts import LibraryParts
from app.views.library.rows import ModelRows
from app.views.library.succession import holds_focus
from app.views.sidebar.search_field import SearchField

_LIST_SHARE, _DETAIL_SHARE = 9, 10


class Here(QWidget):
    """Return or a double click loads what is selected; what is selected outlives a rescan."""

    chat_requested = Signal()
    get_requested = Signal()
    downloads_requested = Signal()

    def __init__(self, parts: LibraryParts, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = parts
        self._selected = ""
        self._is_following = False
        self.filter = SearchField(self)
        self.filter.setPlaceholderText(self.tr("Filter"))
        self.filter.setAccessibleName(self.tr("Filter the models on this machine"))
        self.rows = ModelRows(parts, self)
        self.list = ModelList(theme, self.rows, self)
        self.stack = QStackedWidget(self)
        self.nothing = QLabel(self)
        self.get = QPushButton(self.tr("Get models…"), self)
        self.folders = Folders(parts, theme, self)
        self.detail = Detail(parts, theme, self)
        self._arrange()
        self._connect()
        self._reselect()
        self._show_nothing()
        self._show_detail()

    def select(self, target: str) -> None:
        """Select a model, if it is there."""
        index = self.rows.index_of(target)
        if index.isValid():
            self._selected = target
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.list.selectionModel().setCurrentIndex(index, flags)
            self.list.scrollTo(index)

    def _connect(self) -> None:
        self.filter.typed.connect(self._on_filter)
        self.filter.left_downwards.connect(self._enter_list)
        self.filter.entered.connect(self._enter_list)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.list.activated.connect(self._on_activated)
        self.get.clicked.connect(self.get_requested)
        self.detail.chat_requested.connect(self.chat_requested)
        self.detail.loading.downloads_requested.connect(self.downloads_requested)
        library = self._parts.library
        library.changed.connect(self._follow)
        library.memory_changed.connect(self._on_memory)
        library.scanning_changed.connect(self._show_nothing)
        self._parts.model.changed.connect(self.rows.follow_use)

    def _follow(self) -> None:
        """Take over the library; select what was, else what is in use, else the first."""
        # Of a row that leaves, the view hands the selection to a neighbour: nobody asked for it.
        self._is_following = True
        with self.list.held():
            self.rows.refresh()
            self._reselect()
        self._is_following = False
        self._show_nothing()
        self._show_detail()

    def _reselect(self) -> None:
        model = self._parts.model
        wanted = (self._selected, model.name if model.stage != "none" else "")
        here = [each for each in wanted if self.rows.index_of(each).isValid()]
        target = here[0] if here else self.rows.target_at(0)
        if not target:
            return
        is_other = target != self._selected
        if is_other or self.list.currentIndex() != self.rows.index_of(target):
            if is_other and holds_focus(self.detail):
                # What it was on is gone; another model's buttons are not what was meant.
                self._enter_list()
            self.select(target)

    def _show_detail(self) -> None:
        row = self.rows.row(self.list.currentIndex())
        self.detail.show_model(row.model if row is not None else None)

    def _show_nothing(self) -> None:
        text = self.filter.text().strip()
        if text:
            words = self.tr("No model here matches “{0}”.").format(text)
        elif self._parts.library.is_scanning:
            words = self.tr("Looking for models…")
        else:
            words = self.tr("No models yet.")
        self.nothing.setText(words)
        self.stack.setCurrentIndex(1 if self.rows.rowCount() == 0 else 0)

    def _on_filter(self, text: str) -> None:
        self.rows.filter = text
        self._follow()

    def _on_current(self) -> None:
        row = self.rows.row(self.list.currentIndex())
        if row is not None and not self._is_following:
            self._selected = row.model.target
            self._show_detail()

    def _on_activated(self) -> None:
        loading = self.detail.loading
        for button in (loading.load, loading.anyway, loading.chat):
            if not button.isHidden():
                button.click()
                return

    def _on_memory(self) -> None:
        self.rows.refit()
        self.detail.refit()

    def _enter_list(self) -> None:
        self.list.setFocus(Qt.FocusReason.TabFocusReason)

    def _arrange(self) -> None:
        self.nothing.setObjectName("muted")
        self.nothing.setWordWrap(True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.get.setAutoDefault(False)
        side = QWidget(self)
        side.setObjectName("models_side")
        side.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        top = QVBoxLayout()
        top.setContentsMargins(16, 10, 12, 6)
        top.addWidget(self.filter)
        empty = QWidget(self.stack)
        column = QVBoxLayout(empty)
        column.setSpacing(12)
        column.addStretch(1)
        column.addWidget(self.nothing)
        column.addWidget(self.get, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self.stack.addWidget(self.list)
        self.stack.addWidget(empty)
        middle = QVBoxLayout()
        middle.setContentsMargins(12, 0, 4, 0)
        middle.addWidget(self.stack)
        left = QVBoxLayout(side)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(0)
        left.addLayout(top)
        left.addLayout(middle, 1)
        left.addWidget(self.folders)
        for part in (side, self.detail):
            part.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(side, _LIST_SHARE)
        row.addWidget(self.detail, _DETAIL_SHARE)

    def minimumSizeHint(self) -> QSize:
        return QSize(480, 300)
