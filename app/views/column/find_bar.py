"""The bar for finding words in a chat: a field, n of m, on and back."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QWidget

from app.theme import Theme
from app.views.column.actions import ActionButton
from app.views.escape import EscapeKeeper

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FindBar(QFrame):
    """Says what is looked for, and which way; what was found is told to it."""

    needle_changed = Signal(str)
    moved = Signal(int)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("floating")
        self.field = QLineEdit(self)
        self.field.setObjectName("find_field")
        self.field.setPlaceholderText(self.tr("Find in this chat"))
        self.field.setAccessibleName(self.tr("Find in this chat"))
        self.field.setMinimumWidth(150)
        self.place = QLabel(self)
        self.place.setObjectName("small")
        self.place.setMinimumWidth(76)
        self.place.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.previous = ActionButton("up", self.tr("Previous match"), theme, self)
        self.next = ActionButton("down", self.tr("Next match"), theme, self)
        self.close_button = ActionButton("close", self.tr("Close"), theme, self)
        EscapeKeeper(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 5, 6, 5)
        row.setSpacing(4)
        row.addWidget(self.field, 1)
        for widget in (self.place, self.previous, self.next, self.close_button):
            row.addWidget(widget)
        self.field.textChanged.connect(self.needle_changed)
        self.previous.clicked.connect(lambda: self.moved.emit(-1))
        self.next.clicked.connect(lambda: self.moved.emit(1))
        self.close_button.clicked.connect(self.hide)
        self.show_place(-1, 0)
        self.hide()

    def open(self) -> None:
        """Ready to be typed into; what was looked for last is selected."""
        self.show()
        self.raise_()
        self.field.selectAll()
        self.field.setFocus()
        if self.field.text():
            self.needle_changed.emit(self.field.text())

    def show_place(self, index: int, count: int) -> None:
        """Which match is shown, from 0, or -1; a count of -1 is not known yet."""
        if not self.field.text() or count < 0:
            words = ""
        elif not count:
            words = self.tr("No matches")
        elif index < 0:
            words = self.tr("1 match") if count == 1 else self.tr("{0:,} matches").format(count)
        else:
            words = self.tr("{0:,} of {1:,}").format(index + 1, count)
        self.place.setText(words)
        self.previous.setEnabled(count > 0)
        self.next.setEnabled(count > 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        elif event.key() in _ENTER:
            is_back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.moved.emit(-1 if is_back else 1)
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.closed.emit()
