"""The palette itself: a card over the window with a field, what fits below it, and a way out."""

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsDropShadowEffect,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import Shiboken

from app.models.chats import Chats
from app.models.commands import Command, Commands
from app.models.conversation import Conversation
from app.theme import Theme
from app.views.palette.entries import Entries, Entry
from app.views.palette.results import HEADING, ROW, Results

_WIDTH, _MAX_ROWS, _MARGIN = 580, 10, 24
_KEYS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -8, Qt.Key.Key_PageDown: 8}
_ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _Field(QLineEdit):
    """Keeps the keys that move in the list from the window's own commands."""

    moved = Signal(int)
    entered = Signal()
    left = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            key = Qt.Key(event.key())
            if key in _KEYS or key in (*_ENTERS, Qt.Key.Key_Escape):
                event.accept()
                return True
        # Tab would leave the card, where nothing else takes the focus.
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            tab = {Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}.get(Qt.Key(event.key()))
            if tab is not None:
                self.moved.emit(tab)
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _KEYS:
            self.moved.emit(_KEYS[key])
        elif key in _ENTERS:
            self.entered.emit()
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class CommandPalette(QWidget):
    """Lies over its whole parent while open; a click beside the card closes it.

    A command is run; a chat or a folder is only told.
    """

    chat_chosen = Signal(object)
    folder_chosen = Signal(object)

    def __init__(self, theme: Theme, commands: Commands, chats: Chats, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._commands, self._chats = theme, commands, chats
        self._ground = parent
        self._entries: Entries | None = None
        self._before: QWidget | None = None
        self.card = QFrame(self)
        self.card.setObjectName("palette")
        self.field = _Field(self.card)
        self.field.setObjectName("palette_field")
        self.field.setPlaceholderText(self.tr("Find a command, a chat or a folder"))
        self.field.setAccessibleName(self.tr("Find a command, a chat or a folder"))
        self.results = Results(theme, self.card)
        self.nothing = QLabel(self.tr("Nothing is called that."), self.card)
        self.nothing.setObjectName("palette_nothing")
        column = QVBoxLayout(self.card)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        for widget in (self.field, self.results, self.nothing):
            column.addWidget(widget)
        self._cast_shadow()
        self.field.textChanged.connect(self._find)
        self.field.moved.connect(self.results.step)
        self.field.entered.connect(self._enter)
        self.field.left.connect(self.close_palette)
        self.results.entered_entry.connect(self._take)
        commands.ran.connect(self._on_ran)
        parent.installEventFilter(self)
        self.hide()

    @property
    def is_open(self) -> bool:
        """Whether it lies over the window now."""
        return not self.isHidden()

    def toggle(self) -> None:
        """Open it, or close it where it is open."""
        self.close_palette() if self.is_open else self.open_palette()

    def open_palette(self) -> None:
        """Show what there is now, with the field empty."""
        self._entries = Entries(self._commands, self._chats)
        self._before = self.window().focusWidget()
        self.field.clear()
        self.setGeometry(self._ground.rect())
        self.show()
        self.raise_()
        self._find("")
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_palette(self) -> None:
        """Give the window back, and the focus to where it was."""
        if self.isHidden():
            return
        self.hide()
        self._entries = None
        before, self._before = self._before, None
        # What had it may have gone meanwhile.
        if before is not None and Shiboken.isValid(before) and before.isVisible():
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def _on_ran(self, id: str) -> None:
        # Its own command opens and closes it.
        if id != "palette":
            self.close_palette()

    def _cast_shadow(self) -> None:
        shadow = QGraphicsDropShadowEffect(self.card)
        shadow.setBlurRadius(40)
        shadow.setOffset(0, 10)
        shadow.setColor(QColor(0, 0, 0, 90))
        self.card.setGraphicsEffect(shadow)

    def _find(self, query: str) -> None:
        if self._entries is None:
            return
        rows = self._entries.rows(query)
        self.results.show_rows(rows)
        self.results.setVisible(bool(rows))
        self.nothing.setVisible(not rows)
        self._place()

    def _enter(self) -> None:
        if self.results.entry is not None:
            self._take(self.results.entry)

    def _take(self, entry: Entry) -> None:
        self.close_palette()
        target = entry.target
        if isinstance(target, Command):
            self._commands.run(target.id)
        elif isinstance(target, Conversation):
            self.chat_chosen.emit(target)
        else:
            self.folder_chosen.emit(target)

    def _place(self) -> None:
        """In the upper part, as wide as there is room, as high as its rows."""
        rows = self.results.rows.rows
        height = sum(ROW if row.entry is not None else HEADING for row in rows)
        room = self.height() - 2 * _MARGIN - 70
        self.results.setFixedHeight(max(min(height, _MAX_ROWS * ROW, room), ROW))
        width = min(_WIDTH, self.width() - 2 * _MARGIN)
        self.card.setFixedWidth(width)
        layout = self.card.layout()
        if layout is not None:
            layout.activate()
        size = self.card.sizeHint()
        top = max(min(self.height() // 7, self.height() - size.height() - _MARGIN), _MARGIN)
        self.card.setGeometry(QRect((self.width() - width) // 2, top, width, size.height()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.is_open:
            self.setGeometry(self._ground.rect())
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        veil = QColor(0, 0, 0, 90 if self._theme.palette.is_dark else 36)
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), veil)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.card.geometry().contains(event.position().toPoint()):
            self.close_palette()
