"""A model being fetched: its bar, its words, and what can be done about it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.models.downloads import Download
from app.models.model_words import bytes_words
from app.theme import Theme
from app.views.controls import ElidedLabel, Switch
from app.views.library.confirm import Confirm
from app.views.library.download_words import state_words
from app.views.library.parts import LibraryParts
from app.views.library.succession import show_only
from app.views.library.words import short_name
from app.views.switch_row import quiet

_STEPS = 1000
_GATED = ("gated", "unauthorized")


class DownloadRow(QFrame):
    """Follows one download; progress changes a bar and a line, nothing else.

    What came is thrown away only after a question.
    """

    chat_requested = Signal()
    key_requested = Signal()

    def __init__(
        self, parts: LibraryParts, download: Download, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("offer")
        self._parts = parts
        self.download = download
        self._shown: tuple[object, ...] | None = None
        self._is_first = True
        name = short_name(download.repo)
        self.title = ElidedLabel(name, self)
        self.title.setObjectName("offer_title")
        self.title.setToolTip(download.repo)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of {0}").format(name))
        self.words = quiet("", self)
        self.loads = Switch(self.tr("Use when ready"), theme, self)
        self.pause = self._button(self.tr("Pause"), name)
        self.resume = self._button(self.tr("Resume"), name)
        self.again = self._button(self.tr("Try again"), name)
        self.key = self._button(self.tr("Enter key…"), name)
        self.first = self._button(self.tr("Download first"), name)
        self.load = self._button(self.tr("Load"), name)
        self.chat = self._button(self.tr("Chat"), name)
        self.cancel = self._button(self.tr("Cancel"), name)
        self.forget = self._button(self.tr("Remove from list"), name)
        self.confirm = Confirm(self, self.tr("Keep"))
        self._connect()
        self._arrange()
        self.show_download(download, is_first=True)

    def show_download(self, download: Download, *, is_first: bool) -> None:
        """The download as it is now."""
        self.download = download
        self.bar.setValue(round(download.fraction * _STEPS))
        self._is_first = is_first
        target = self._target()
        failure = self._parts.failure_of(target)
        words = failure or state_words(download)
        if words != self.words.text():
            self.words.setText(words)
        is_used = self._parts.is_loaded(target), self._parts.is_loading(target), bool(failure)
        shown = (download.stage, download.fault, download.loads, is_first, target, is_used)
        if shown != self._shown:
            self._shown = shown
            self._show_stage(download)

    def follow(self) -> None:
        """Another model is loaded, or another one is here."""
        self.show_download(self.download, is_first=self._is_first)

    def take_focus(self) -> None:
        """Have the keyboard: another row went away below it."""
        for button in self._buttons:
            if not button.isHidden():
                button.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    def _show_stage(self, download: Download) -> None:
        stage = download.stage
        is_over = stage in ("failed", "done")
        self.bar.setVisible(stage != "done")
        is_loading = self._parts.is_loading(self._target())
        self.load.setText(self.tr("Loading…") if is_loading else self.tr("Load"))
        if is_over:
            self.confirm.put_away()
        show_only(self._buttons, self._meant(download))
        self.loads.setChecked(download.loads)
        tone = {"failed": "error", "retrying": "caution"}.get(stage, "")
        tone = "error" if self._parts.failure_of(self._target()) else tone
        if tone != self.words.property("tone"):
            self.words.setProperty("tone", tone)
            self.words.style().unpolish(self.words)
            self.words.style().polish(self.words)

    def _meant(self, download: Download) -> list[QWidget]:
        """What can be done about it now."""
        if download.stage == "done":
            target = self._target()
            is_loaded = self._parts.is_loaded(target)
            act = [self.chat] if is_loaded else [self.load] if target else []
            return [*act, self.forget]
        if download.stage == "failed":
            key = [self.key] if download.fault in _GATED else []
            return [self.again, *key, self.forget]
        if download.stage == "paused":
            return [self.resume, self.cancel, self.loads]
        first = [self.first] if download.stage == "waiting" and not self._is_first else []
        return [self.pause, *first, self.cancel, self.loads]

    def _target(self) -> str:
        """What it is loaded by, once it is here."""
        if self.download.stage != "done":
            return ""
        model = self._parts.library.find(self.download.repo)
        return model.target if model is not None else self.download.folder

    def _button(self, words: str, name: str) -> QPushButton:
        button = QPushButton(words, self)
        button.setAutoDefault(False)
        button.setAccessibleName(f"{words} {name}")
        return button

    def _connect(self) -> None:
        intents, id = self._parts.intents, self.download.id
        for button, signal in (
            (self.pause, intents.pause_requested),
            (self.resume, intents.resume_requested),
            (self.again, intents.resume_requested),
            (self.first, intents.first_requested),
            (self.forget, intents.forget_requested),
        ):
            button.clicked.connect(lambda _=False, one=signal: one.emit(id))
        self.loads.clicked.connect(self._on_loads)
        self.key.clicked.connect(self.key_requested)
        self.load.clicked.connect(self._load)
        self.chat.clicked.connect(self.chat_requested)
        self.cancel.clicked.connect(self._ask)
        self.confirm.agreed.connect(self._throw_away)

    def _on_loads(self) -> None:
        is_wanted = self.loads.isChecked()
        self._parts.intents.download_requested.emit(self.download.repo, is_wanted)

    def _load(self) -> None:
        target = self._target()
        if target and not self._parts.is_loading(target):
            self._parts.intents.load_requested.emit(target)

    def _ask(self) -> None:
        """Nothing is lost where nothing came; what was here before stays."""
        if self.download.verifies or not self.download.done_bytes:
            self._throw_away()
            return
        come = bytes_words(self.download.done_bytes)
        words = self.tr("Throw away {0} of {1}?").format(come, short_name(self.download.repo))
        self.confirm.ask(words, self.tr("Throw away"), self.cancel)

    def _throw_away(self) -> None:
        self._parts.intents.cancel_requested.emit(self.download.id)

    def _arrange(self) -> None:
        self.words.setObjectName("download_words")
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.title, 1)
        head.addWidget(self.loads)
        foot = QHBoxLayout()
        foot.setSpacing(6)
        foot.addWidget(self.words, 1)
        row = (self.first, self.key, self.pause, self.resume, self.again)
        for button in (*row, self.cancel, self.load, self.chat, self.forget):
            foot.addWidget(button)
        # In this order the keyboard is handed on: what destroys comes last.
        acts = (self.pause, self.resume, self.again, self.load, self.chat, self.key, self.first)
        self._buttons = (*acts, self.loads, self.forget, self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(7)
        column.addLayout(head)
        column.addWidget(self.bar)
        column.addLayout(foot)
        column.addWidget(self.confirm)
