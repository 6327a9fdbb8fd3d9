"""A model being fetched: its bar, its words, and what can be done about it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.models.downloads import Download
from app.theme import Theme
from app.views.controls import ElidedLabel, Switch
from app.views.library.download_words import is_unfinished, state_words
from app.views.library.parts import LibraryParts
from app.views.library.words import short_name
from app.views.switch_row import quiet

_STEPS = 1000
_GATED = ("gated", "unauthorized")


class DownloadRow(QFrame):
    """Follows one download; progress changes a bar and a line, nothing else."""

    chat_requested = Signal()
    key_requested = Signal()

    def __init__(
        self, parts: LibraryParts, download: Download, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setObjectName("offer")
        self._parts = parts
        self.download = download
        self._shown: tuple[str, str, bool, bool] | None = None
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
        self.first = self._button(self.tr("Fetch first"), name)
        self.chat = self._button(self.tr("Chat"), name)
        self.cancel = self._button(self.tr("Cancel"), name)
        self.forget = self._button(self.tr("Remove from list"), name)
        self._connect()
        self._arrange()
        self.show_download(download, is_first=True)

    def show_download(self, download: Download, *, is_first: bool) -> None:
        """The download as it is now."""
        self.download = download
        self.bar.setValue(round(download.fraction * _STEPS))
        words = state_words(download)
        if words != self.words.text():
            self.words.setText(words)
        shown = (download.stage, download.fault, download.loads, is_first)
        if shown != self._shown:
            self._shown = shown
            self._show_stage(download, is_first=is_first)

    def _show_stage(self, download: Download, *, is_first: bool) -> None:
        stage = download.stage
        is_over = stage in ("failed", "done")
        self.bar.setVisible(stage != "done")
        self.pause.setVisible(is_unfinished(download))
        self.resume.setVisible(stage == "paused")
        self.again.setVisible(stage == "failed")
        self.key.setVisible(stage == "failed" and download.fault in _GATED)
        self.first.setVisible(stage == "waiting" and not is_first)
        self.chat.setVisible(stage == "done")
        self.cancel.setVisible(not is_over)
        self.forget.setVisible(is_over)
        self.loads.setVisible(not is_over)
        self.loads.setChecked(download.loads)
        tone = {"failed": "error", "retrying": "caution"}.get(stage, "")
        if tone != self.words.property("tone"):
            self.words.setProperty("tone", tone)
            self.words.style().unpolish(self.words)
            self.words.style().polish(self.words)

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
            (self.cancel, intents.cancel_requested),
            (self.forget, intents.forget_requested),
        ):
            button.clicked.connect(lambda _=False, one=signal: one.emit(id))
        self.loads.clicked.connect(self._on_loads)
        self.key.clicked.connect(self.key_requested)
        self.chat.clicked.connect(self._chat)

    def _on_loads(self) -> None:
        is_wanted = self.loads.isChecked()
        self._parts.intents.download_requested.emit(self.download.repo, is_wanted)

    def _chat(self) -> None:
        model = self._parts.library.find(self.download.repo)
        target = model.target if model is not None else self.download.folder
        if target and not self._parts.is_loaded(target):
            self._parts.intents.load_requested.emit(target)
        self.chat_requested.emit()

    def _arrange(self) -> None:
        self.words.setObjectName("download_words")
        self.chat.setObjectName("send")
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.title, 1)
        head.addWidget(self.loads)
        foot = QHBoxLayout()
        foot.setSpacing(6)
        foot.addWidget(self.words, 1)
        for button in (
            self.first,
            self.key,
            self.pause,
            self.resume,
            self.again,
            self.cancel,
            self.chat,
            self.forget,
        ):
            foot.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 10)
        column.setSpacing(7)
        column.addLayout(head)
        column.addWidget(self.bar)
        column.addLayout(foot)
