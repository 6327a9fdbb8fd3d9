"""The downloads: one row each, what runs first, what is done last."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.models.downloads import Download
from app.theme import Theme
from app.views.library.download_row import DownloadRow
from app.views.library.download_words import place_in_list
from app.views.library.parts import LibraryParts
from app.views.library.succession import holds_focus


class Fetching(QWidget):
    """Tells how many are not here yet, and how many of them failed, when that changes."""

    chat_requested = Signal()
    key_requested = Signal()
    get_requested = Signal()
    counted = Signal(int, int)

    def __init__(self, parts: LibraryParts, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts, self._theme = parts, theme
        self.rows: dict[int, DownloadRow] = {}
        self._order: list[int] = []
        self.num_unfinished = self.num_failed = 0
        self._state = (parts.model.stage, parts.model.name)
        self.stack = QStackedWidget(self)
        self._body = QWidget(self)
        self._column = QVBoxLayout()
        self.get = QPushButton(self.tr("Get models…"), self)
        self._arrange()
        self.get.clicked.connect(self.get_requested)
        downloads = parts.downloads
        for download in downloads.items:
            self._add(download)
        downloads.added.connect(self._add)
        downloads.changed.connect(self._change)
        downloads.removed.connect(self._remove)
        parts.library.changed.connect(self._follow_done)
        parts.model.changed.connect(self._on_model)
        self._reorder()

    def _add(self, download: Download) -> None:
        row = DownloadRow(self._parts, download, self._theme, self._body)
        row.chat_requested.connect(self.chat_requested)
        row.key_requested.connect(self.key_requested)
        self.rows[download.id] = row
        self._reorder()

    def _change(self, download: Download) -> None:
        row = self.rows.get(download.id)
        if row is None:
            return
        before = row.download
        is_moved = (before.position, before.stage) != (download.position, download.stage)
        row.show_download(download, is_first=self._is_first(download.id))
        if is_moved:
            self._reorder()

    def _remove(self, id: int) -> None:
        row = self.rows.pop(id, None)
        if row is not None:
            had_focus = holds_focus(row)
            place = self._order.index(id)
            self._column.removeWidget(row)
            self._reorder()
            if had_focus:
                self._focus_at(place)
            row.hide()
            row.deleteLater()

    def _focus_at(self, place: int) -> None:
        """A row with the keyboard went: the one in its place has it, else the way to more."""
        if self._order:
            self.rows[self._order[min(place, len(self._order) - 1)]].take_focus()
        else:
            self.get.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_model(self) -> None:
        """Rows change with what is loaded, not with how far it has come."""
        state = (self._parts.model.stage, self._parts.model.name)
        if state != self._state:
            self._state = state
            self._follow_done()

    def _follow_done(self) -> None:
        for row in self.rows.values():
            if row.download.stage == "done":
                row.follow()

    def _is_first(self, id: int) -> bool:
        """Whether no other that is on its way comes before it."""
        unfinished = [each.id for each in self._parts.downloads.items if each.is_under_way]
        return not unfinished or unfinished[0] == id

    def _reorder(self) -> None:
        """Rows where they belong; only those that moved are touched."""
        items = sorted(self._parts.downloads.items, key=place_in_list)
        order = [each.id for each in items if each.id in self.rows]
        if order != self._order:
            self._order = order
            for place, id in enumerate(order):
                self._column.insertWidget(place, self.rows[id])
        for each in items:
            if each.id in self.rows:
                self.rows[each.id].show_download(each, is_first=self._is_first(each.id))
        self.stack.setCurrentIndex(0 if order else 1)
        num = sum(each.is_under_way or each.stage == "paused" for each in items)
        failed = sum(each.stage == "failed" for each in items)
        if (num, failed) != (self.num_unfinished, self.num_failed):
            self.num_unfinished, self.num_failed = num, failed
            self.counted.emit(num, failed)

    def _arrange(self) -> None:
        body = self._body
        body.setObjectName("prefs_body")
        outer = QVBoxLayout(body)
        outer.setContentsMargins(24, 4, 24, 12)
        self._column.setSpacing(8)
        outer.addLayout(self._column)
        outer.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(body)
        empty = QWidget(self)
        words = QLabel(self.tr("No downloads."), empty)
        words.setObjectName("muted")
        self.get.setAutoDefault(False)
        column = QVBoxLayout(empty)
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(words, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.get, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        self.stack.addWidget(scroll)
        self.stack.addWidget(empty)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.stack)
