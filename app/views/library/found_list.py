"""What was found on the hub: rows, or a sentence on why there are none."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.views.library.offer_row import OfferRow
from app.views.library.offers import offer_found
from app.views.library.parts import LibraryParts
from app.views.switch_row import quiet

LOOK_MS = 250
_AT_ONCE, _HELPING = 7, 2


class FoundList(QWidget):
    """Rows are kept and filled anew: a search for each key typed must be cheap.

    Of the rows in sight whose size the hub did not say it is asked, one at a time.
    """

    chat_requested = Signal()
    again_requested = Signal()
    key_requested = Signal()

    def __init__(self, parts: LibraryParts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = parts
        self._kept: list[OfferRow] = []
        self._num = 0
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(0)
        self._rest.timeout.connect(self._go_on)
        self._asked = ""
        self._look = QTimer(self)
        self._look.setSingleShot(True)
        self._look.setInterval(LOOK_MS)
        self._look.timeout.connect(self._look_at_next)
        self.sentence = quiet("", self)
        self.sentence.setObjectName("muted")
        self.again = QPushButton(self.tr("Try again"), self)
        self.key = QPushButton(self.tr("Enter key…"), self)
        for button in (self.again, self.key):
            button.setAutoDefault(False)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.again)
        row.addWidget(self.key)
        row.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 6, 0, 0)
        self._column.setSpacing(8)
        self._column.addWidget(self.sentence)
        self._column.addLayout(row)
        self.again.clicked.connect(self.again_requested)
        self.key.clicked.connect(self.key_requested)
        parts.search.changed.connect(self.follow)
        parts.search.looked_at.connect(self._on_looked_at)
        self.follow()

    @property
    def rows(self) -> list[OfferRow]:
        """Those that are shown."""
        return self._kept[: self._num]

    def row_of(self, repo: str) -> OfferRow | None:
        """The row of a repository."""
        for row in self.rows:
            if row.offer is not None and row.offer.repo == repo:
                return row
        return None

    def follow(self) -> None:
        """Show the search as it stands."""
        if self.isHidden():
            return
        search = self._parts.search
        if search.stage == "searching":
            self._asked = ""
        words = {
            "idle": self.tr("Searching…"),
            "searching": self.tr("Searching…"),
            "found": "",
            "failed": "",
        }[search.stage]
        if search.stage == "found" and not search.results:
            words = self.tr("Nothing on the hub matches “{0}” and runs here.").format(search.text)
        fault = search.error.fault if search.error is not None else ""
        if search.error is not None:
            words = search.error.sentence
        self.sentence.setText(words)
        self.sentence.setVisible(bool(words))
        self.again.setVisible(search.stage == "failed")
        self.key.setVisible(fault in ("gated", "unauthorized"))
        self._fill()

    def look_soon(self) -> None:
        """Other rows are in sight, once it is scrolled no more."""
        if self.isVisible():
            self._look.start()

    def _look_at_next(self) -> None:
        """The first row in sight whose size is not known; what was refused is not asked again."""
        sizes = self._parts.search.sizes
        if self._asked and self._asked not in sizes:
            return
        self._asked = ""
        for row in self.rows:
            offer = row.offer
            if offer is None or offer.num_bytes is not None or offer.repo in sizes:
                continue
            if not row.visibleRegion().isEmpty():
                self._asked = offer.repo
                self._parts.intents.look_requested.emit(offer.repo)
                return

    def _on_looked_at(self, repo: str) -> None:
        if repo == self._asked and repo in self._parts.search.sizes:
            self.look_soon()

    def _fill(self) -> None:
        """The first rows at once, the others in helpings."""
        num = len(self._parts.search.results)
        for row in self._kept[num:]:
            row.hide()
        self._num = 0
        self._fill_more(_AT_ONCE)

    def _go_on(self) -> None:
        self._fill_more(_HELPING)

    def _fill_more(self, most: int) -> None:
        results = self._parts.search.results
        end = min(self._num + most, len(results))
        for number in range(self._num, end):
            if number == len(self._kept):
                self._kept.append(self._made())
            row = self._kept[number]
            row.show_offer(offer_found(results[number]))
            row.show()
        self._num = end
        if end < len(results):
            self._rest.start()
        else:
            self._rest.stop()
        self.look_soon()

    def _made(self) -> OfferRow:
        row = OfferRow(self._parts, self)
        row.chat_requested.connect(self.chat_requested)
        self._column.addWidget(row)
        return row

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._rest.stop()
        self._look.stop()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._num < len(self._parts.search.results):
            self._rest.start()
        self.look_soon()
