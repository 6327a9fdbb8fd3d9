"""The preferences: a sheet of the window for what holds in all chats, each change at once."""

from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.models.chat_fields import FIELDS
from app.models.chat_settings import ChatSettings
from app.models.text_size import TextSize
from app.theme import Theme
from app.views.chat_sheet.number import Number
from app.views.controls import Switch, section
from app.views.sheet import Sheet
from app.views.switch_row import Card, Segments, quiet

_FIELDS = ("temperature", "top_p", "max_tokens")
_WIDTH, _HEIGHT = 560, 720
# A switch without its word.
_SWITCH = 32


@dataclass(frozen=True, slots=True)
class PreferenceValues:
    """What the sheet shows when it opens; `folder` is where the data lies."""

    theme: str
    defaults: ChatSettings
    notify: bool
    notify_words: bool
    folder: str
    idle_minutes: int = 0
    # One sentence on what is kept, or why nothing is.
    kept: str = ""


class Preferences(Sheet):
    """Emits what was chosen; the text size is a model that both sides follow."""

    theme_chosen = Signal(str)
    defaults_changed = Signal(object)
    notify_changed = Signal(bool)
    notify_words_changed = Signal(bool)
    idle_changed = Signal(int)
    folder_requested = Signal()
    flags_requested = Signal()

    def __init__(
        self, values: PreferenceValues, text_size: TextSize, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(self.tr("Preferences"), theme, parent)
        self._values, self._text_size = values, text_size
        self._defaults = values.defaults
        column = QVBoxLayout(self.body)
        column.setContentsMargins(24, 4, 24, 16)
        column.setSpacing(8)
        for title, card in (
            (self.tr("Appearance"), self._appearance()),
            (self.tr("New chats"), self._new_chats()),
            (self.tr("Model"), self._model()),
            (self.tr("When a reply ends"), self._endings()),
            (self.tr("Data"), self._data()),
        ):
            column.addWidget(section(title, self.body))
            column.addWidget(card)
        column.addStretch(1)
        self.arrange(quiet(self.tr("Changes hold at once."), self))
        # Return is for the fields: it takes a number in.
        self.done_button.setAutoDefault(False)
        text_size.changed.connect(self._follow_size)
        height = min(_HEIGHT, max(parent.window().height() - 60, 380))
        self.resize(min(_WIDTH, parent.window().width() - 40), height)

    def _appearance(self) -> Card:
        card = Card(self.body)
        self.themes = Segments(
            (
                ("auto", self.tr("Like the system")),
                ("light", self.tr("Light")),
                ("dark", self.tr("Dark")),
            ),
            self._values.theme,
            self.tr("Theme"),
        )
        self.themes.chosen.connect(self.theme_chosen)
        card.add(self.tr("Theme"), self.themes)
        sizes = QWidget(card)
        row = QHBoxLayout(sizes)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        self.smaller = QPushButton("A−", sizes)
        self.smaller.setAccessibleName(self.tr("Smaller text"))
        self.bigger = QPushButton("A+", sizes)
        self.bigger.setAccessibleName(self.tr("Bigger text"))
        self.size_words = QLabel(sizes)
        self.size_words.setObjectName("muted")
        for button, by in ((self.smaller, -1), (self.bigger, 1)):
            button.setAutoDefault(False)
            button.clicked.connect(partial(self._grow, by))
        for widget in (self.size_words, self.smaller, self.bigger):
            row.addWidget(widget)
        card.add(self.tr("Text of chats"), sizes)
        self._follow_size()
        return card

    def _new_chats(self) -> Card:
        card = Card(self.body)
        self.system = QPlainTextEdit(self._defaults.system, card)
        self.system.setObjectName("sheet_text")
        self.system.setAccessibleName(self.tr("System prompt of new chats"))
        self.system.setPlaceholderText(self.tr("None: the model answers as it was trained to."))
        self.system.setTabChangesFocus(True)
        self.system.setFixedHeight(72)
        self.system.textChanged.connect(self._on_system)
        card.add(self.tr("System prompt"), self.system, below=True)
        numbers = QWidget(card)
        row = QHBoxLayout(numbers)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        known = {field.name: field for field in FIELDS}
        self.numbers = [Number(known[name], self._defaults, numbers) for name in _FIELDS]
        # Side by side there is no room for all of it.
        limit = self.numbers[-1].line
        limit.setToolTip(limit.placeholderText())
        limit.setPlaceholderText(self.tr("no limit"))
        for number in self.numbers:
            number.changed.connect(self._use)
            row.addWidget(number, 1)
        card.add(self.tr("How tokens are chosen"), numbers, below=True)
        self.flags = QPushButton(self.tr("Open settings"), card)
        self.flags.setAutoDefault(False)
        self.flags.clicked.connect(self._on_flags)
        aside = self.tr("Drafting has a pane of its own in the inspector.")
        card.add(self.tr("Speculation"), self.flags, aside)
        return card

    def _model(self) -> Card:
        card = Card(self.body)
        values = ("0", "15", "60", "240")
        words = (self.tr("Never"), self.tr("15 min"), self.tr("1 h"), self.tr("4 h"))
        now = str(self._values.idle_minutes)
        shown = tuple(zip(values, words, strict=True))
        if now not in values:
            shown += ((now, self.tr("{0} min").format(now)),)
        self.idle = Segments(shown, now, self.tr("Unload the model when idle"))
        self.idle.chosen.connect(lambda minutes: self.idle_changed.emit(int(minutes)))
        aside = self.tr("Gives its memory back; it is loaded again when you ask something.")
        card.add(self.tr("Unload when idle"), self.idle, aside)
        return card

    def _endings(self) -> Card:
        card = Card(self.body)
        self.notify = Switch("", self._theme, card)
        self.notify.setAccessibleName(self.tr("Notify when a long reply ends in the background"))
        self.notify.setChecked(self._values.notify)
        self.words = Switch("", self._theme, card)
        self.words.setAccessibleName(self.tr("Show the reply's words in notifications"))
        self.words.setChecked(self._values.notify_words)
        self.words.setEnabled(self._values.notify)
        for switch in (self.notify, self.words):
            switch.setFixedWidth(_SWITCH)
        self.notify.toggled.connect(self.words.setEnabled)
        self.notify.toggled.connect(self.notify_changed)
        self.words.toggled.connect(self.notify_words_changed)
        aside = self.tr("For replies of more than ten seconds, while another app is in front.")
        card.add(self.tr("Notify me"), self.notify, aside)
        aside = self.tr("Off, a notification names the chat and nothing else.")
        card.add(self.tr("Show the first words of the reply"), self.words, aside)
        return card

    def _data(self) -> Card:
        card = Card(self.body)
        self.folder = QPushButton(self.tr("Open folder"), card)
        self.folder.setAutoDefault(False)
        self.folder.clicked.connect(self.folder_requested)
        kept = self._values.kept or self.tr(
            "Chats, drafts and how replies came to be stay on this computer until you delete them."
        )
        card.add(self.tr("Chats"), self.folder, f"{kept}\n{self._values.folder}")
        remembered = self.tr(
            "The window's place and size, side bar, inspector, text size, theme, the open chat and"
            " what you set here."
        )
        card.add(self.tr("Remembered between starts"), QWidget(card), remembered)
        return card

    def _on_system(self) -> None:
        self._use(replace(self._defaults, system=self.system.toPlainText().strip()))

    def _use(self, settings: ChatSettings) -> None:
        if settings != self._defaults:
            self._defaults = settings
            for number in self.numbers:
                number.show_settings(settings)
            self.defaults_changed.emit(settings)

    def _on_flags(self) -> None:
        self.close()
        self.flags_requested.emit()

    def _grow(self, by: int) -> None:
        self._text_size.grow(by)

    def _follow_size(self) -> None:
        self.size_words.setText(self.tr("{0} px").format(self._text_size.pixels))
