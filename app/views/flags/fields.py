"""The controls of flags: a switch, a choice from a list, a field to type in."""

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QSizePolicy, QWidget

from app.models.flag import Flag, FlagValue
from app.theme import Theme
from app.views.controls import Switch
from app.views.popup_menu import PopupMenu

_SWITCH_WIDTH = 32
_NUMBER_WIDTH = 84


class SwitchField(Switch):
    """On or off."""

    chosen = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("", theme, parent)
        self.setFixedWidth(_SWITCH_WIDTH)
        self.clicked.connect(lambda: self.chosen.emit(self.isChecked()))

    def show_value(self, value: FlagValue) -> None:
        """Show what is set."""
        self.setChecked(value is True)


class ChoiceField(QPushButton):
    """One of a few words: Space opens the list, the arrow keys go on to the next one."""

    chosen = Signal(object)

    def __init__(self, flag: Flag, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("flag_choice")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._flag = flag
        self.values: tuple[FlagValue, ...] = flag.choices or (None, True, False)
        self._value: FlagValue = flag.default
        self.menu_of_values = PopupMenu(self)
        for value in self.values:
            action = QAction(flag.text(value), self.menu_of_values)
            action.setCheckable(True)
            action.triggered.connect(lambda _=False, chosen=value: self.chosen.emit(chosen))
            self.menu_of_values.addAction(action)
        self.clicked.connect(self._open)

    def show_value(self, value: FlagValue) -> None:
        """Show what is set."""
        self._value = value
        self.setText(f"{self._flag.text(value)} ▾")
        for action, one in zip(self.menu_of_values.actions(), self.values, strict=True):
            action.setChecked(one == value)

    def _open(self) -> None:
        menu = self.menu_of_values
        menu.popup(self.mapToGlobal(QPoint(0, self.height() + 2)))
        menu.setActiveAction(menu.actions()[self.values.index(self._value)])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if not step:
            super().keyPressEvent(event)
            return
        number = self.values.index(self._value) + step
        if 0 <= number < len(self.values):
            self.chosen.emit(self.values[number])


class NumberField(QLineEdit):
    """A number, or auto: Return or leaving the field takes it, the arrow keys count.

    What does not fit stays as it was typed until it is changed; Escape brings back what is set.
    """

    typed = Signal(str)
    chosen = Signal(object)
    reverted = Signal()

    def __init__(self, flag: Flag, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flag, self._value = flag, flag.default
        self._taken = ""
        self.setFixedWidth(_NUMBER_WIDTH)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.returnPressed.connect(lambda: self._take(again=True))
        self.editingFinished.connect(self._take)

    def show_value(self, value: FlagValue) -> None:
        """Show what is set, in place of what was typed."""
        self._value = value
        self._taken = self._flag.text(value)
        self.setText(self._taken)

    def _take(self, *, again: bool = False) -> None:
        if again or self.text() != self._taken:
            self._taken = self.text()
            self.typed.emit(self._taken)

    def _is_altered(self) -> bool:
        return self.text() != self._flag.text(self._value)

    def event(self, event: QEvent) -> bool:
        # Elsewhere Escape stops a reply; here it first takes back what was typed.
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self._is_altered()
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()), 0)
        if step:
            self.chosen.emit(self._flag.stepped(self._value, step))
        elif event.key() == Qt.Key.Key_Escape and self._is_altered():
            self.show_value(self._value)
            self.reverted.emit()
        else:
            super().keyPressEvent(event)
