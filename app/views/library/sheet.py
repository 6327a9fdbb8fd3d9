"""The sheet of models: those on this machine, those to be had, those on their way."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QFont, QFontMetrics, QKeySequence, QShortcut
from PySide6.QtWidgets import QPushButton, QStackedWidget, QVBoxLayout, QWidget

from app.models.model_words import bytes_words
from app.theme import Theme
from app.views.controls import ElidedLabel
from app.views.library.fetching import Fetching
from app.views.library.get import Get
from app.views.library.here import Here
from app.views.library.parts import LibraryParts
from app.views.library.words import DOT
from app.views.sheet import Sheet
from app.views.switch_row import Segments

PARTS = ("here", "get", "downloads")
_WIDTH, _HEIGHT = 820, 600
_LEAST_WIDTH, _LEAST_HEIGHT = 600, 420
# What the style sheet puts around a segment's words.
_SEGMENT_SIDES = 30


class ModelsSheet(Sheet):
    """Reads models and emits intents; Ctrl+1 to Ctrl+3 go to its parts."""

    # While it is open, free memory is worth measuring.
    watched = Signal(bool)

    def __init__(self, parts: LibraryParts, theme: Theme, parent: QWidget) -> None:
        super().__init__(self.tr("Models"), theme, parent)
        self._parts = parts
        self.setAcceptDrops(True)
        titles = (self.tr("On this machine"), self.tr("Get models"), self.tr("Downloads"))
        self.segments = Segments(
            tuple(zip(PARTS, titles, strict=True)), "here", self.tr("Part"), self
        )
        self._downloads_title = titles[2]
        self.here = Here(parts, theme, self)
        # Made when it is first shown.
        self._get: Get | None = None
        self._get_place = QWidget(self)
        self.downloads = Fetching(parts, theme, self)
        self.stack = QStackedWidget(self)
        self.free = ElidedLabel("", self)
        self.free.setObjectName("small")
        # Room for its count from the start: the parts beside it keep their places.
        for button in self.segments.buttons.values():
            _widen(button, (*titles, f"{titles[2]} · 20 · !"))
        self._fill()
        self._connect()
        self._follow_memory()
        self._on_counted(self.downloads.num_unfinished, self.downloads.num_failed)
        window = parent.window()
        height = min(_HEIGHT, max(window.height() - 60, _LEAST_HEIGHT))
        self.setMinimumSize(_LEAST_WIDTH, _LEAST_HEIGHT)
        self.resize(min(_WIDTH, max(window.width() - 20, _LEAST_WIDTH)), height)

    def show_part(self, name: str) -> None:
        """Bring one of the parts to the front, the focus where one begins in it."""
        self.segments.show_value(name)
        first: QWidget = self.segments.buttons[name]
        if name == "here":
            first = self.here.list
        elif name == "get":
            first = self.get.field
        self.stack.setCurrentIndex(PARTS.index(name))
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def get(self) -> Get:
        """The part to get models in."""
        if self._get is None:
            self._get = made = Get(self._parts, self._get_place)
            made.chat_requested.connect(self.close)
            column = self._get_place.layout()
            if column is not None:
                column.addWidget(made)
            # Tab comes to it before it comes to the foot.
            self.setTabOrder(made, self.done_button)
        return self._get

    def show_key_outcome(self, sentence: str) -> None:
        """What became of the hub's key that was saved here, or forgotten."""
        key = self.get.key
        key.show_outcome(sentence)
        if key.said.isVisible() and self.saying.sentence == sentence:
            self.saying.clear()

    def show_at(self, where: str) -> None:
        """Show a part by its name, or the model of a target."""
        if where in PARTS:
            self.show_part(where)
        else:
            self.show_part("here")
            self.here.select(where)

    @property
    def part(self) -> str:
        """The part that is shown."""
        return PARTS[self.stack.currentIndex()]

    def _connect(self) -> None:
        self.segments.chosen.connect(self.show_part)
        for place, name in enumerate(PARTS, 1):
            shortcut = QShortcut(QKeySequence(f"Ctrl+{place}"), self)
            shortcut.activated.connect(lambda one=name: self.show_part(one))
        for part in (self.here, self.downloads):
            part.chat_requested.connect(self.close)
        self.here.get_requested.connect(lambda: self.show_part("get"))
        self.here.downloads_requested.connect(lambda: self.show_part("downloads"))
        self.downloads.get_requested.connect(lambda: self.show_part("get"))
        self.downloads.key_requested.connect(self._show_key)
        self.downloads.counted.connect(self._on_counted)
        self._parts.library.memory_changed.connect(self._follow_memory)
        self.finished.connect(self._on_finished)

    def _on_finished(self) -> None:
        self.watched.emit(False)

    def _show_key(self) -> None:
        self.show_part("get")
        self.get.key.open()

    def _on_counted(self, num: int, num_failed: int) -> None:
        button = self.segments.buttons["downloads"]
        told = [self.tr("Part: Downloads")]
        words = [self._downloads_title]
        if num:
            words.append(str(num))
            told.append(self.tr("{0} not finished").format(num))
        if num_failed:
            words.append("!")
            told.append(self.tr("{0} failed").format(num_failed))
        button.setText(DOT.join(words))
        button.setToolTip(self.tr("A download failed") if num_failed else "")
        button.setAccessibleName(", ".join(told))

    def _follow_memory(self) -> None:
        free = self._parts.library.free_bytes
        words = self.tr("{0} of memory is free for a model").format(bytes_words(free))
        self.free.set_full_text(words if free is not None else "")

    def _fill(self) -> None:
        place = QVBoxLayout(self._get_place)
        place.setContentsMargins(0, 0, 0, 0)
        for part in (self.here, self._get_place, self.downloads):
            self.stack.addWidget(part)
        self.put_together(self.stack, self.free, self.segments)
        self.body.hide()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _folders(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        folders = _folders(event)
        if folders:
            event.acceptProposedAction()
            self.show_part("here")
            for folder in folders:
                self._parts.intents.folder_added.emit(folder)


def _widen(button: QPushButton, texts: Sequence[str]) -> None:
    """Make room for any of these as it is when the button is down: bold."""
    font = QFont(button.font())
    font.setWeight(QFont.Weight.DemiBold)
    button.ensurePolished()
    widest = max(map(QFontMetrics(font).horizontalAdvance, texts))
    button.setFixedWidth(widest + _SEGMENT_SIDES)


def _folders(event: QDropEvent) -> list[str]:
    """The folders that are dragged."""
    urls = event.mimeData().urls() if event.mimeData().hasUrls() else []
    paths = [url.toLocalFile() for url in urls if url.isLocalFile()]
    return [path for path in paths if Path(path).is_dir()]
