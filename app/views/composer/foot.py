"""The line below the prompt: attach, settings, what is going on, sizes, Send or Stop."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QSpacerItem, QWidget

from app.models.context_meter import ContextUse
from app.theme import Theme
from app.views.composer.meter import WIDTH, Meter
from app.views.controls import ElidedLabel, IconButton

# In less, the numbers of the context are left to the bar and its tooltip.
_ROOMY = 480
_LEAST_LOAD = 120


class Foot(QWidget):
    """Shows what it is told, and says what was clicked."""

    attach_clicked = Signal()
    clicked = Signal()
    load_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = self._typed = self._short = ""
        self.plus = IconButton("plus", self.tr("Attach files"), theme, self)
        self.plus.clicked.connect(self.attach_clicked)
        self.settings = QPushButton(self)
        self.settings.setObjectName("chat_settings")
        self.settings.setToolTip(self.tr("Settings of this chat"))
        self.settings.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.state = ElidedLabel("", self)
        self.state.setObjectName("muted")
        self._load_words = ""
        self.load = QPushButton(self)
        self.load.setObjectName("link")
        self.load.setAutoDefault(False)
        self.load.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.load.clicked.connect(self.load_clicked)
        self.load.setAccessibleName(self.tr("Load"))
        self.load.hide()
        self.size_words = QLabel(self)
        self.size_words.setObjectName("muted")
        self.meter = Meter(theme, self)
        self.button = QPushButton(self)
        self.button.setObjectName("send")
        self.button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.button.clicked.connect(self.clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.plus)
        row.addWidget(self.settings)
        row.addSpacing(4)
        row.addWidget(self.load)
        row.addWidget(self.state, 1)
        # Takes the room of the words where there are none.
        row.addItem(QSpacerItem(0, 0, QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum))
        row.addSpacing(8)
        row.addWidget(self.size_words)
        row.addSpacing(4)
        row.addWidget(self.meter, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addSpacing(8)
        row.addWidget(self.button)

    def show_sizes(self, typed: str, short: str, context: str, use: ContextUse | None) -> None:
        """The size of what is typed, or else of the conversation; the meter has both."""
        self._typed, self._short, self._context = typed, short, context
        self.meter.show_use(use)
        self._fit()

    def show_load(self, title: str) -> None:
        """Offer to load the model of that title; nothing where it is empty."""
        self._load_words = self.tr("Load {0}").format(title) if title else ""
        self.load.setAccessibleName(self._load_words or self.tr("Load"))
        self.load.setVisible(bool(title))
        self._fit()

    def _fit_load(self) -> None:
        """A long name keeps its end, which tells sizes and bits apart."""
        most = max(self.width() // 3, _LEAST_LOAD)
        mode = Qt.TextElideMode.ElideMiddle
        shown = self.load.fontMetrics().elidedText(self._load_words, mode, most)
        self.load.setToolTip(self._load_words if shown != self._load_words else "")
        self.load.setText(shown.replace("&", "&&"))

    def show_button(self, *, stops: bool, reason: str) -> None:
        """Send or Stop, and why it cannot be pressed, if it cannot."""
        self.button.setText(self.tr("Stop") if stops else self.tr("Send"))
        self.button.setEnabled(stops or not reason)
        self.button.setToolTip(self.tr("Stop this reply (Escape)") if stops else reason)
        if self.button.property("stops") != stops:
            self.button.setProperty("stops", stops)
            self.button.style().unpolish(self.button)
            self.button.style().polish(self.button)

    def _fit(self) -> None:
        self._fit_load()
        is_roomy = self.width() >= _ROOMY
        self.state.setVisible(is_roomy or self.load.isHidden())
        self.meter.setFixedWidth(WIDTH if is_roomy else WIDTH // 2)
        words = (self._typed or self._context) if is_roomy else self._short
        self.size_words.setText(words)
        self.size_words.setVisible(bool(words))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
