"""The bar over the conversation: title, speculation badge, tints, inspector."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.models.conversation import Conversation
from app.models.display import TokenDisplay
from app.theme import Theme
from app.views.badge import Badge
from app.views.controls import ElidedLabel, IconButton
from app.views.trace_menu import TraceMenu

HEADER_HEIGHT = 52
# The badge shortens before the title gets less than this.
_TITLE_WIDTH = 160


class Header(QWidget):
    """One row; where it is narrow the badge shortens first, then the title elides."""

    inspector_toggled = Signal(bool)

    def __init__(self, theme: Theme, display: TokenDisplay, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEADER_HEIGHT)
        self._chat: Conversation | None = None
        self.title = ElidedLabel("", self)
        self.title.setObjectName("title")
        self.badge = Badge(self)
        self.tokens = QPushButton(self.tr("Tokens"), self)
        self.tokens.setObjectName("tokens")
        self.tokens.setCheckable(True)
        self.tokens.setChecked(display.is_on)
        self.tokens.setToolTip(
            self.tr("Show where each token came from, or the reply as Markdown (Ctrl+T)")
        )
        self.tokens.setAccessibleName(self.tr("Show token origins"))
        self.tokens.toggled.connect(display.set_on)
        display.changed.connect(lambda: self.tokens.setChecked(display.is_on))
        self.traces = TraceMenu(theme, self)
        self.panel = IconButton("panel", self.tr("Show the inspector"), theme, self)
        self.panel.setCheckable(True)
        self.panel.toggled.connect(self.inspector_toggled)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(20, 0, 14, 0)
        row.setSpacing(12)
        row.addWidget(self.title, 1)
        row.addWidget(self.badge)
        row.addWidget(self.tokens)
        row.addWidget(self.traces)
        row.addWidget(self.panel)

    def show_chat(self, chat: Conversation) -> None:
        """Follow another chat's title."""
        if self._chat is not None:
            self._chat.title_changed.disconnect(self._follow_title)
        self._chat = chat
        chat.title_changed.connect(self._follow_title)
        self._follow_title()

    def _follow_title(self) -> None:
        if self._chat is not None:
            self.title.set_full_text(self._chat.title)
            self._share()

    def _share(self) -> None:
        """Leave to the badge what the title and the buttons do not need."""
        margins = self._row.contentsMargins()
        taken = margins.left() + margins.right() + self._row.spacing() * (self._row.count() - 1)
        for number in range(self._row.count()):
            item = self._row.itemAt(number)
            if item is not None and item.widget() not in (self.title, self.badge):
                taken += item.sizeHint().width()
        title = self._chat.title if self._chat is not None else ""
        needed = min(_TITLE_WIDTH, self.title.fontMetrics().horizontalAdvance(title) + 2)
        self.badge.set_room(max(self.width() - taken - needed, 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()
