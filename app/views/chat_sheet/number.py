"""One number of a chat's settings: its field, what it does, and what is wrong with it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from app.models.chat_fields import ChatField, FieldError
from app.models.chat_settings import ChatSettings


class Number(QWidget):
    """Checked while it is typed; what fits is emitted when the field is left, or on Return."""

    changed = Signal(object)

    def __init__(
        self, field: ChatField, settings: ChatSettings, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.field, self._settings = field, settings
        label = QLabel(self.tr(field.label), self)
        self.line = QLineEdit(self)
        self.line.setObjectName("sheet_field")
        self.line.setPlaceholderText(self.tr(field.usual))
        self.line.setAccessibleName(self.tr(field.label))
        self.line.setAccessibleDescription(self.tr(field.does))
        self.line.textEdited.connect(self._check)
        self.line.editingFinished.connect(self._take)
        label.setBuddy(self.line)
        does = _small(self.tr(field.does), "small", self)
        self.problem = _small("", "sheet_problem", self)
        self.problem.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for part in (label, self.line, self.problem, does):
            column.addWidget(part)
        column.addStretch(1)
        self.show_settings(settings)

    def show_settings(self, settings: ChatSettings) -> None:
        """Show what the settings have, in place of what was typed."""
        self._settings = settings
        text = self.field.text_in(settings)
        if text != self.line.text() and self._is_settled():
            self.line.setText(text)
            self._say("")

    def reset(self, settings: ChatSettings) -> None:
        """Show what the settings have, whatever was typed."""
        self.line.clear()
        self._say("")
        self.show_settings(settings)

    def _is_settled(self) -> bool:
        """Whether the field holds no text that waits to be put right."""
        return not self.problem.text()

    def _check(self, text: str) -> ChatSettings | None:
        try:
            changed = self.field.changed(self._settings, text)
        except FieldError as error:
            self._say(str(error))
            return None
        self._say("")
        return changed

    def _take(self) -> None:
        changed = self._check(self.line.text())
        if changed is not None and changed != self._settings:
            self.changed.emit(changed)

    def _say(self, sentence: str) -> None:
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))
        if self.line.property("refused") != bool(sentence):
            self.line.setProperty("refused", bool(sentence))
            self.line.style().unpolish(self.line)
            self.line.style().polish(self.line)


def _small(text: str, name: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    return label
