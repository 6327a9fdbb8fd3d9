"""The bar over the conversation: side bar, title, model, speculation badge, tints, inspector."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.models.conversation import Conversation
from app.models.display import TokenDisplay
from app.models.model_state import ModelState
from app.theme import Theme
from app.views.badge import Badge
from app.views.controls import ElidedLabel, IconButton
from app.views.library.model_button import ModelButton
from app.views.library.parts import LibraryParts
from app.views.menus import as_shown
from app.views.trace_menu import TraceMenu

HEADER_HEIGHT = 52
# Between the parts; half of it where it is narrower than this.
_SPACING, _ROOMY = 12, 400
# The badge shortens before the title gets less than this.
_TITLE_WIDTH = 160
# Where that would leave no model to be told, the title gets by with this; for it others go.
_SHORT_TITLE = 84
# Of the badge at least its dot stays.
_BADGE_WIDTH = 36
# What the style sheet puts around its words, and a little for rounding.
_BADGE_SIDES = 24
# The widest of what the badge says, in each of its forms: it keeps that width whatever it says.
_BADGE_FORMS = ("Speculation on · 10.0× plain", "Speculation paused", "10.0× plain")


class Header(QWidget):
    """One row; where it is narrow the badge shortens, then model and title elide.

    Where that leaves too little of these two the badge goes, and then the switch of the tokens.
    What the badge says moves nothing: its width follows from the room there is.
    """

    inspector_toggled = Signal(bool)

    def __init__(self, theme: Theme, display: TokenDisplay, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEADER_HEIGHT)
        self._chat: Conversation | None = None
        self._state: ModelState | None = None
        self._model_width = 0
        self._has_badge = True
        tip = self.tr("Show the side bar ({0})").format(as_shown("Ctrl+\\"))
        self.side = IconButton("side", tip, theme, self)
        self.side.hide()
        self.title = ElidedLabel("", self)
        self.title.setObjectName("title")
        self.model = ModelButton(theme, self)
        # The badge fills a place whose width is set: its own would be a part of its size hint.
        self._badge_place = QWidget(self)
        self.badge = Badge(self._badge_place)
        self.badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.badge.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        place = QHBoxLayout(self._badge_place)
        place.setContentsMargins(0, 0, 0, 0)
        place.addWidget(self.badge)
        self.tokens = QPushButton(self.tr("Tokens"), self)
        self.tokens.setObjectName("tokens")
        self.tokens.setCheckable(True)
        self.tokens.setChecked(display.is_on)
        self.tokens.setToolTip(
            self.tr("Show where each token came from, or the reply as Markdown ({0})").format(
                as_shown("Ctrl+T")
            )
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
        row.setSpacing(_SPACING)
        row.addWidget(self.side)
        row.addWidget(self.title, 1)
        row.addWidget(self.model)
        row.addWidget(self._badge_place)
        row.addWidget(self.tokens)
        row.addWidget(self.traces)
        row.addWidget(self.panel)

    def show_chat(self, chat: Conversation) -> None:
        """Follow another chat's title."""
        if self._chat is not None:
            self._chat.title_changed.disconnect(self._follow_title)
        self._chat = chat
        chat.title_changed.connect(self._follow_title)
        self._follow_model()
        self._follow_title()

    def show_models(self, parts: LibraryParts) -> None:
        """Show which model is chatted with, and offer others."""
        self._state = parts.model
        self.model.follow(parts)
        parts.model.changed.connect(self._follow_model)
        self.model.resized.connect(self._share)
        self._follow_model()

    def _follow_model(self) -> None:
        """Another name needs another width; how far loading is does not."""
        wanted = self.model.wanted_width
        has_badge = self._is_badge_meant()
        if wanted != self._model_width or has_badge != self._has_badge:
            self._model_width, self._has_badge = wanted, has_badge
            self._share()

    def _is_badge_meant(self) -> bool:
        """Without a model nothing is sped up, or held back; a chat to be read tells how it was."""
        state, chat = self._state, self._chat
        if state is None or (chat is not None and chat.is_read_only):
            return True
        return state.stage == "loading" or state.can_answer

    def _follow_title(self) -> None:
        if self._chat is not None:
            self.title.set_full_text(self._chat.title)
            self._share()

    def _share(self) -> None:
        """Leave to the model and the badge what the title and the buttons do not need."""
        spacing = _SPACING if self.width() >= _ROOMY else _SPACING // 2
        # Asked for the same the layout would ask for room again, without end.
        if spacing != self._row.spacing():
            self._row.setSpacing(spacing)
        title = self._chat.title if self._chat is not None else ""
        needed = min(_TITLE_WIDTH, self.title.fontMetrics().horizontalAdvance(title) + 2)
        has_model = not self.model.isHidden()
        least = min(needed, _SHORT_TITLE) + (self.model.fair_width if has_model else 0)
        room, is_shown = self._room(), True
        for widget, width, is_meant in (
            (self.tokens, self.tokens.sizeHint().width(), True),
            (self._badge_place, _BADGE_WIDTH, self._has_badge),
        ):
            left = room - width - self._row.spacing()
            is_shown = is_shown and is_meant and left >= least
            widget.setVisible(is_shown)
            room = left if is_shown else room
        if has_model:
            fair = min(self.model.fair_width, room - min(needed, _SHORT_TITLE))
            self.model.set_room(max(room - needed, fair))
            room -= self.model.width()
        if not self._badge_place.isHidden():
            width = self._badge_width(_BADGE_WIDTH + max(room - needed, 0))
            self._badge_place.setFixedWidth(width)
            self.badge.set_room(width)

    def _room(self) -> int:
        """What the sides and the buttons that are always there leave."""
        margins = self._row.contentsMargins()
        room = self.width() - margins.left() - margins.right()
        for widget in (self.side, self.model, self.traces, self.panel):
            if not widget.isHidden():
                is_flexible = widget is self.model
                room -= self._row.spacing() + (0 if is_flexible else widget.width())
        return room

    def _badge_width(self, room: int) -> int:
        """Of the widths it may have the largest there is room for."""
        self.badge.ensurePolished()
        metrics = self.badge.fontMetrics()
        for form in _BADGE_FORMS:
            width = metrics.horizontalAdvance(form) + _BADGE_SIDES
            if width <= room:
                return width
        return _BADGE_WIDTH

    def event(self, event: QEvent) -> bool:
        # The button of the side bar comes and goes, whatever the width.
        if event.type() == QEvent.Type.LayoutRequest:
            self._share()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()
