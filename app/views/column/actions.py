"""The quiet row of actions under a message, and the way among its siblings: 2/3.

Its buttons are there all the time, for the keyboard, and drawn only while the message is under the
mouse, has the focus, or is the last one; so nothing moves when they come and go.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from app.theme import Theme
from app.views.column.signs import Sign, sign_path

ROW_HEIGHT = 28
_BUTTON = 26


class ActionButton(QToolButton):
    """A sign with a name; painted only while `is_drawn`, or focused."""

    def __init__(self, sign: Sign, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sign, self._theme = sign, theme
        self.is_drawn = True
        self.setObjectName("icon")
        self.setFixedSize(_BUTTON, _BUTTON)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_name(name)

    def set_name(self, name: str) -> None:
        """What it does, for the tooltip and a screen reader."""
        self.setToolTip(name)
        self.setAccessibleName(name)

    def set_drawn(self, is_drawn: bool) -> None:
        """Draw it or leave it out; it can be reached by Tab in either case."""
        if is_drawn != self.is_drawn:
            self.is_drawn = is_drawn
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_drawn and not self.hasFocus():
            return
        super().paintEvent(event)
        colors = self._theme.palette
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            color = QColor(colors.text if self.underMouse() and self.isEnabled() else colors.muted)
            color.setAlphaF(1.0 if self.isEnabled() else 0.4)
            painter.setPen(QPen(color, 1.3, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.translate((self.width() - 16) / 2, (self.height() - 16) / 2)
            painter.drawPath(sign_path(self._sign))


class ChoiceSwitch(QWidget):
    """Which of several siblings is shown; gone where there is only one. Says how far to move.

    Few messages ever have siblings: what it is made of comes with the first.
    """

    moved = Signal(int)

    def __init__(self, what: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._what, self._theme = what, theme
        self.previous: ActionButton
        self.next: ActionButton
        self.place: QLabel
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_place(self, index: int, count: int, is_open: bool) -> None:
        """The chosen one's place, from 0; `is_open` where another may be chosen now."""
        if count > 1 and self.layout() is None:
            self._make()
        self.setVisible(count > 1)
        if self.layout() is None:
            return
        self.place.setText(f"{index + 1}/{count}")
        self.place.setAccessibleName(self.tr("{0} {1} of {2}").format(self._what, index + 1, count))
        allowed = {self.previous: is_open and index > 0, self.next: is_open and index < count - 1}
        for button, other in ((self.previous, self.next), (self.next, self.previous)):
            if button.hasFocus() and allowed[other] and not allowed[button]:
                # At an end the way back has the keyboard; Qt would lead it out of the message.
                other.setEnabled(True)
                other.setFocus()
        for button, is_allowed in allowed.items():
            button.setEnabled(is_allowed)

    def _make(self) -> None:
        before, behind = self.tr("Previous {0}"), self.tr("Next {0}")
        self.previous = ActionButton("previous", before.format(self._what), self._theme, self)
        self.next = ActionButton("next", behind.format(self._what), self._theme, self)
        self.place = QLabel(self)
        self.place.setObjectName("small")
        for button in (self.previous, self.next):
            button.setFixedWidth(20)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for widget in (self.previous, self.place, self.next):
            row.addWidget(widget)
        self.previous.clicked.connect(lambda: self.moved.emit(-1))
        self.next.clicked.connect(lambda: self.moved.emit(1))


class ActionRow(QWidget):
    """Buttons in the order they are added; `switch` keeps its place whatever is drawn."""

    def __init__(
        self, what: str, theme: Theme, *, is_right: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._is_right = theme, is_right
        self._buttons: list[ActionButton] = []
        self._is_drawn = True
        self.setFixedHeight(ROW_HEIGHT)
        self.switch = ChoiceSwitch(what, theme, self)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 1, 0, 1)
        self._row.setSpacing(2)
        if is_right:
            self._row.addStretch(1)
        self._row.addWidget(self.switch)
        if not is_right:
            self._row.addStretch(1)

    @property
    def is_drawn(self) -> bool:
        """Whether its buttons are drawn."""
        return self._is_drawn

    def add(self, sign: Sign, name: str) -> ActionButton:
        """One more button."""
        button = ActionButton(sign, name, self._theme, self)
        button.set_drawn(self._is_drawn)
        # At the right the siblings stand at the edge, at the left they come first.
        self._row.insertWidget(self._row.count() - 1, button)
        self._buttons.append(button)
        return button

    def set_drawn(self, is_drawn: bool) -> None:
        """Draw the buttons or leave them out."""
        if is_drawn != self._is_drawn:
            self._is_drawn = is_drawn
            for button in self._buttons:
                button.set_drawn(is_drawn)
