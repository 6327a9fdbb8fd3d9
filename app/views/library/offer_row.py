"""A model that can be fetched: what it is, whether it will fit, and one button."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.fetching.found import FetchError, RemoteModel
from app.models.downloads import Download
from app.models.starters import rough_verdict
from app.views.library.download_words import short_words
from app.views.library.offer_look import STEPS, OfferLook
from app.views.library.offers import Offer, details_words, facts_words
from app.views.library.parts import LibraryParts
from app.views.library.succession import has_focus
from app.views.library.words import TONES, verdict_words


class OfferRow(OfferLook):
    """Get, then how far it is, then Load, then Chat; its details are folded away."""

    chat_requested = Signal()

    def __init__(self, parts: LibraryParts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = parts
        self.offer: Offer | None = None
        self._target = ""
        self._download: Download | None = None
        # The button went while the keyboard was on it; it gets it back when it comes again.
        self._is_lent = False
        self.more.toggled.connect(self._on_folded)
        self.page.clicked.connect(self._open_page)
        self.button.clicked.connect(self._act)
        self._name_fold()

    def show_offer(self, offer: Offer) -> None:
        """Another model in this row, or the same with other facts."""
        if offer == self.offer:
            self.follow()
            return
        is_another = self.offer is None or offer.repo != self.offer.repo
        self.offer = offer
        self.title.set_full_text(offer.title)
        self.title.setToolTip(offer.repo)
        self.best.setVisible(offer.is_best)
        self.kind.setVisible(bool(offer.kind) or offer.is_gated)
        if offer.is_best:
            self.best.show_state(self.tr("Recommended"), "good")
        gated = self.tr("terms to accept")
        self.kind.show_state(gated if offer.is_gated else offer.kind, "neutral")
        self.bar.setAccessibleName(self.tr("Progress of {0}").format(offer.title))
        self.more.setAccessibleName(self.tr("Details of {0}").format(offer.title))
        self.page.setAccessibleName(self.tr("Open the page of {0}").format(offer.title))
        if offer.is_best != bool(self.property("best")):
            self.setProperty("best", offer.is_best)
            self.style().unpolish(self)
            self.style().polish(self)
        if is_another:
            self.more.setChecked(False)
        self.show_known()
        self.follow()

    def show_fit(self) -> None:
        """Whether it will fit into what is free now."""
        if self.offer is None:
            return
        known = self._remote()
        size = known.total_bytes if known is not None else self.offer.num_bytes
        verdict = rough_verdict(size, self._parts.library.free_bytes)
        self.verdict.setVisible(verdict != "unknown")
        why = self.tr("Judged by its size; the model's own numbers tell more once it is here.")
        self.verdict.show_state(verdict_words(verdict), TONES[verdict], why)

    def show_known(self) -> None:
        """What the hub said when it was asked for this model's files, as far as it is wanted."""
        offer = self.offer
        if offer is None:
            return
        self.facts.set_full_text(facts_words(offer, self._remote()))
        is_open = self.more.isChecked()
        note = f"{offer.note}\n{self._details(offer)}".strip() if is_open else offer.note
        self.note.setText(note)
        _show(self.note, bool(note))
        _show(self.page, is_open or offer.is_gated)
        self.show_fit()

    def _details(self, offer: Offer) -> str:
        known = self._parts.search.sizes.get(offer.repo)
        if known is None:
            return self.tr("Asking the hub…")
        return known.sentence if isinstance(known, FetchError) else details_words(known)

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
        is_moving = download is not None and (download.is_under_way or download.stage == "paused")
        if download is not None:
            self.bar.setValue(round(download.fraction * STEPS))
            self.words.setText(short_words(download))
        self._show_trouble(download)
        action = self._action()
        if action and action != self.button.text():
            self.button.setText(action)
            self.button.setAccessibleName(f"{action} {self.offer.title if self.offer else ''}")
        _show(self.bar, is_moving)
        _show(self.words, download is not None)
        self._show_button(bool(action))

    def _show_trouble(self, download: Download | None) -> None:
        """Why it cannot be had, waits, or could not be loaded: all of it."""
        sentence, tone = self._parts.failure_of(self._target), "error"
        if download is not None and download.stage in ("failed", "retrying"):
            sentence = download.sentence
            tone = "error" if download.stage == "failed" else "caution"
        if sentence:
            self.trouble.setText(sentence)
            if tone != self.trouble.property("tone"):
                self.trouble.setProperty("tone", tone)
                self.trouble.style().unpolish(self.trouble)
                self.trouble.style().polish(self.trouble)
        _show(self.trouble, bool(sentence))

    def _show_button(self, is_shown: bool) -> None:
        """The keyboard waits on the details while there is no button."""
        if is_shown:
            _show(self.button, True)
            if self._is_lent and has_focus(self.more):
                self.button.setFocus(Qt.FocusReason.OtherFocusReason)
            self._is_lent = False
        elif not self.button.isHidden():
            if has_focus(self.button):
                self._is_lent = True
                self.more.setFocus(Qt.FocusReason.OtherFocusReason)
            self.button.hide()

    def _action(self) -> str:
        """What the button does now; empty while there is nothing to do but wait."""
        if self._target:
            if self._parts.is_loading(self._target):
                return self.tr("Loading…")
            is_loaded = self._parts.is_loaded(self._target)
            return self.tr("Chat") if is_loaded else self.tr("Load")
        if self._download is None:
            return self.tr("Get")
        return {
            "paused": self.tr("Resume"),
            "failed": self.tr("Try again"),
        }.get(self._download.stage, "")

    def _act(self) -> None:
        intents, parts = self._parts.intents, self._parts
        if self._target:
            if parts.is_loaded(self._target):
                self.chat_requested.emit()
            elif not parts.is_loading(self._target):
                intents.load_requested.emit(self._target)
        elif self._download is not None:
            intents.resume_requested.emit(self._download.id)
        elif self.offer is not None:
            intents.download_requested.emit(self.offer.repo, True)

    def _on_folded(self, is_open: bool) -> None:
        """The hub is asked when it is unfolded; what it refused may be another thing by now."""
        self._name_fold()
        if is_open and self.offer is not None and self._remote() is None:
            self._parts.intents.look_requested.emit(self.offer.repo)
        self.show_known()

    def _name_fold(self) -> None:
        sign = "▾" if self.more.isChecked() else "▸"
        self.more.setText(f"{self.tr('Details')} {sign}")

    def _open_page(self) -> None:
        if self.offer is not None:
            self._parts.intents.page_requested.emit(self.offer.repo)

    def _remote(self) -> RemoteModel | None:
        """What the hub says of its files; None where it was not asked, or refused."""
        known = self._parts.search.sizes.get(self.offer.repo) if self.offer is not None else None
        return known if isinstance(known, RemoteModel) else None


def _show(widget: QWidget, is_shown: bool) -> None:
    if widget.isHidden() == is_shown:
        widget.setVisible(is_shown)
