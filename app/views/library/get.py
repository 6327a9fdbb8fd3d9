"""Get models: a short list to begin with, a search on the hub, and the key for gated ones."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.models.downloads import Download
from app.models.starters import STARTERS, recommended
from app.views.controls import section
from app.views.library.found_list import FoundList
from app.views.library.key_field import KeyField
from app.views.library.offer_row import OfferRow
from app.views.library.offers import offer_of
from app.views.library.parts import LibraryParts
from app.views.sidebar.search_field import SearchField


class Get(QWidget):
    """The starters while nothing is searched for, else what was found."""

    chat_requested = Signal()

    def __init__(self, parts: LibraryParts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = parts
        self._state = (parts.model.stage, parts.model.name)
        self.field = SearchField(self)
        self.field.setPlaceholderText(self.tr("Search the hub for MLX models"))
        self.field.setAccessibleName(self.tr("Search the hub for models"))
        body = QWidget(self)
        body.setObjectName("prefs_body")
        self.starters = QWidget(body)
        self.best = OfferRow(parts, self.starters)
        self.rows: dict[str, OfferRow] = {}
        self._fill_starters()
        self.found = FoundList(parts, body)
        self.key = KeyField(self)
        self.area = QScrollArea(self)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self._arrange(body)
        self._connect()
        if parts.search.text:
            self.field.setText(parts.search.text)
        self._on_typed(self.field.text())

    def row_of(self, repo: str) -> OfferRow | None:
        """The row of a repository, among the starters or what was found."""
        if self._is_searching():
            return self.found.row_of(repo)
        is_best = self.best.offer is not None and self.best.offer.repo == repo
        return self.best if is_best else self.rows.get(repo)

    def _is_searching(self) -> bool:
        return bool(self.field.text().strip())

    def _connect(self) -> None:
        parts = self._parts
        self.field.typed.connect(self._on_typed)
        self.field.paused.connect(self._on_paused)
        self.field.entered.connect(self.field.search_now)
        self.found.chat_requested.connect(self.chat_requested)
        self.found.again_requested.connect(self._search_again)
        self.area.verticalScrollBar().valueChanged.connect(self.found.look_soon)
        self.found.key_requested.connect(self.key.open)
        self.key.saved.connect(parts.intents.token_changed)
        parts.library.changed.connect(self._follow)
        parts.model.changed.connect(self._on_model)
        parts.library.memory_changed.connect(self._on_memory)
        parts.downloads.added.connect(self._on_download)
        parts.downloads.changed.connect(self._on_download)
        parts.downloads.removed.connect(self._follow)
        parts.search.looked_at.connect(self._on_looked_at)

    def _on_typed(self, _text: str) -> None:
        is_searching = self._is_searching()
        self.starters.setVisible(not is_searching)
        self.found.setVisible(is_searching)
        self.found.follow()

    def _on_paused(self, text: str) -> None:
        self._parts.intents.search_requested.emit(text.strip())

    def _search_again(self) -> None:
        """The button is gone while it is looked for; the field says for what."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.search_now()

    def _every_row(self) -> list[OfferRow]:
        return [self.best, *self.rows.values(), *self.found.rows]

    def _follow(self) -> None:
        for row in self._every_row():
            row.follow()

    def _on_model(self) -> None:
        """Rows change with what is loaded, not with how far it has come."""
        state = (self._parts.model.stage, self._parts.model.name)
        if state != self._state:
            self._state = state
            self._follow()

    def _on_memory(self) -> None:
        self._recommend()
        for row in self._every_row():
            row.show_fit()

    def _on_download(self, download: Download) -> None:
        for row in self._every_row():
            if row.offer is not None and row.offer.repo == download.repo:
                if download.stage == "done":
                    row.follow()
                else:
                    row.show_download(download)

    def _on_looked_at(self, repo: str) -> None:
        for row in self._every_row():
            if row.offer is not None and row.offer.repo == repo:
                row.show_known()

    def _fill_starters(self) -> None:
        titles = {
            "small": self.tr("Small: for any machine"),
            "medium": self.tr("Medium: 16 GB and more"),
            "large": self.tr("Large: 32 GB and more"),
        }
        column = QVBoxLayout(self.starters)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(section(self.tr("For this machine"), self.starters))
        column.addWidget(self.best)
        self.best.chat_requested.connect(self.chat_requested)
        for group, title in titles.items():
            column.addWidget(section(title, self.starters))
            for starter in (each for each in STARTERS if each.group == group):
                row = OfferRow(self._parts, self.starters)
                row.show_offer(offer_of(starter))
                row.chat_requested.connect(self.chat_requested)
                self.rows[starter.repo] = row
                column.addWidget(row)
        self._recommend()

    def _recommend(self) -> None:
        """The one for this machine stands on top, and not in its group."""
        best = recommended(self._parts.library.free_bytes)
        self.best.show_offer(offer_of(best, is_best=True))
        for repo, row in self.rows.items():
            row.setVisible(repo != best.repo)

    def _arrange(self, body: QWidget) -> None:
        inner = QVBoxLayout(body)
        inner.setContentsMargins(24, 0, 24, 12)
        inner.setSpacing(8)
        inner.addWidget(self.starters)
        inner.addWidget(self.found)
        inner.addStretch(1)
        self.area.setWidget(body)
        top = QVBoxLayout()
        top.setContentsMargins(24, 4, 24, 8)
        top.addWidget(self.field)
        foot = QVBoxLayout()
        foot.setContentsMargins(20, 6, 24, 0)
        foot.addWidget(self.key)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(top)
        column.addWidget(self.area, 1)
        column.addLayout(foot)
