"""A model that can be fetched: what it is, whether it will fit, and one button."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.fetching.found import FetchError
from app.models.downloads import Download
from app.models.model_words import bytes_words
from app.models.starters import rough_verdict
from app.views.controls import ElidedLabel, Pill
from app.views.library.download_words import is_unfinished, short_words
from app.views.library.offers import Offer
from app.views.library.parts import LibraryParts
from app.views.library.words import TONES, verdict_words
from app.views.switch_row import quiet

_STEPS, _SIDE = 1000, 124


class OfferRow(QFrame):
    """Get, then how far it is, then Chat; `show_state` changes only what is another."""

    chat_requested = Signal()
    key_requested = Signal()

    def __init__(self, parts: LibraryParts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("offer")
        self._parts = parts
        self.offer: Offer | None = None
        self._target = ""
        self._download: Download | None = None
        self.title = ElidedLabel("", self)
        self.title.setObjectName("offer_title")
        self.best, self.kind, self.verdict = Pill(self), Pill(self), Pill(self)
        self.facts = ElidedLabel("", self)
        self.facts.setObjectName("small")
        self.note = quiet("", self)
        self.more = QPushButton(self.tr("Details"), self)
        self.page = QPushButton(self.tr("Open its page"), self)
        self.button = QPushButton(self)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.words = QLabel(self)
        self.words.setObjectName("small")
        self.words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        for button in (self.more, self.page):
            button.setObjectName("quiet")
        for button in (self.more, self.page, self.button):
            button.setAutoDefault(False)
        self.button.setObjectName("get")
        self.more.clicked.connect(self._look)
        self.page.clicked.connect(self._open_page)
        self.button.clicked.connect(self._act)
        self._arrange()

    def show_offer(self, offer: Offer) -> None:
        """Another model in this row, or the same with other facts."""
        if offer == self.offer:
            self.follow()
            return
        self.offer = offer
        self.title.set_full_text(offer.title)
        self.title.setToolTip(offer.repo)
        self.facts.set_full_text(offer.facts)
        self.note.setText(offer.note)
        self.note.setVisible(bool(offer.note))
        self.best.setVisible(offer.is_best)
        self.kind.setVisible(bool(offer.kind) or offer.is_gated)
        if offer.is_best:
            self.best.show_state(self.tr("Recommended"), "good")
        gated = self.tr("terms to accept")
        self.kind.show_state(gated if offer.is_gated else offer.kind, "neutral")
        self.bar.setAccessibleName(self.tr("Progress of {0}").format(offer.title))
        self.more.setVisible(True)
        self.more.setAccessibleName(self.tr("Details of {0}").format(offer.title))
        self.page.setVisible(offer.is_gated)
        self.page.setAccessibleName(self.tr("Open the page of {0}").format(offer.title))
        if offer.is_best != bool(self.property("best")):
            self.setProperty("best", offer.is_best)
            self.style().unpolish(self)
            self.style().polish(self)
        self.show_fit()
        self.show_known()
        self.follow()

    def show_fit(self) -> None:
        """Whether it will fit into what is free now."""
        if self.offer is None:
            return
        verdict = rough_verdict(self._num_bytes(), self._parts.library.free_bytes)
        self.verdict.setVisible(verdict != "unknown")
        why = self.tr("Judged by its size; the model's own numbers tell more once it is here.")
        self.verdict.show_state(verdict_words(verdict), TONES[verdict], why)

    def show_known(self) -> None:
        """What the hub said when it was asked for this model's files."""
        known = self._parts.search.sizes.get(self.offer.repo) if self.offer is not None else None
        if known is None or self.offer is None:
            return
        self.more.hide()
        self.page.show()
        if isinstance(known, FetchError):
            words = known.sentence
        else:
            num = len(known.files)
            files = self.tr("1 file") if num == 1 else self.tr("{0} files").format(num)
            words = self.tr("{0}, {1} to fetch.").format(files, bytes_words(known.total_bytes))
            if known.license:
                words += " " + self.tr("Licence: {0}.").format(known.license)
        self.note.setText(f"{self.offer.note}\n{words}".strip())
        self.note.show()
        self.show_fit()

    def follow(self) -> None:
        """Read anew whether it is here, or on its way."""
        if self.offer is None:
            return
        model = self._parts.library.find(self.offer.repo)
        is_here = model is not None and model.is_complete and model.survey.fault is None
        download = self._parts.downloads.find(self.offer.repo)
        self._target = model.target if model is not None and is_here else ""
        if not self._target and download is not None and download.stage == "done":
            self._target = download.folder
        self.show_download(None if self._target else download)

    def show_download(self, download: Download | None) -> None:
        """How far it is; nothing is touched that reads the same."""
        self._download = download
        is_moving = download is not None and (is_unfinished(download) or download.stage == "paused")
        if download is not None:
            self.bar.setValue(round(download.fraction * _STEPS))
            self.words.setText(short_words(download))
            self.words.setToolTip(download.sentence)
        action = self._action()
        if action != self.button.text():
            self.button.setText(action)
            self.button.setAccessibleName(f"{action} {self.offer.title if self.offer else ''}")
        _show(self.bar, is_moving)
        _show(self.words, download is not None)
        _show(self.button, bool(action))

    def _action(self) -> str:
        if self._target:
            return self.tr("Chat")
        if self._download is None:
            return self.tr("Get")
        return {
            "paused": self.tr("Resume"),
            "failed": self.tr("Try again"),
        }.get(self._download.stage, "")

    def _act(self) -> None:
        intents = self._parts.intents
        if self._target:
            if not self._parts.is_loaded(self._target):
                intents.load_requested.emit(self._target)
            self.chat_requested.emit()
        elif self._download is not None:
            intents.resume_requested.emit(self._download.id)
        elif self.offer is not None:
            intents.download_requested.emit(self.offer.repo, True)

    def _look(self) -> None:
        if self.offer is not None:
            self._parts.intents.look_requested.emit(self.offer.repo)

    def _open_page(self) -> None:
        if self.offer is not None:
            self._parts.intents.page_requested.emit(self.offer.repo)

    def _num_bytes(self) -> int | None:
        if self.offer is None:
            return None
        known = self._parts.search.sizes.get(self.offer.repo)
        if known is None or isinstance(known, FetchError):
            return self.offer.num_bytes
        return known.total_bytes

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title, 1)
        for pill in (self.best, self.kind, self.verdict):
            head.addWidget(pill)
        links = QHBoxLayout()
        links.setSpacing(8)
        links.addWidget(self.facts, 1)
        links.addWidget(self.page)
        links.addWidget(self.more)
        left = QVBoxLayout()
        left.setSpacing(3)
        left.addLayout(head)
        left.addLayout(links)
        left.addWidget(self.note)
        side = QWidget(self)
        side.setFixedWidth(_SIDE)
        right = QVBoxLayout(side)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(5)
        right.addStretch(1)
        for widget in (self.words, self.bar, self.button):
            right.addWidget(widget)
        right.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 10, 14, 10)
        row.setSpacing(16)
        row.addLayout(left, 1)
        row.addWidget(side)


def _show(widget: QWidget, is_shown: bool) -> None:
    if widget.isHidden() == is_shown:
        widget.setVisible(is_shown)
