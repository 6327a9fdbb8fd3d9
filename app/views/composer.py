"""The composer card: the prompt, what is attached to it, its size, Send or Stop."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.views.controls import ElidedLabel
from app.views.prompt_edit import PromptEdit

CHARACTERS_PER_TOKEN = 4


class Composer(QFrame):
    """Emits intents only; what may be sent, and why not, is told to it."""

    send_requested = Signal(str)
    stop_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("composer")
        self._pasted: list[str] = []
        self._blocked = ""
        self._is_generating = False
        self._context = ""
        self.edit = PromptEdit(self)
        self.edit.setPlaceholderText(self.tr("Message"))
        self.edit.submitted.connect(self.submit)
        self.edit.textChanged.connect(self._update)
        self.edit.long_text_pasted.connect(self._attach)
        self.edit.focus_changed.connect(self._on_focus_changed)
        self.attachment = QPushButton(self)
        self.attachment.setObjectName("chip")
        self.attachment.setToolTip(self.tr("Remove the pasted text"))
        self.attachment.clicked.connect(self._detach)
        self.attachment.hide()
        self.state = ElidedLabel("", self)
        self.state.setObjectName("muted")
        self.size_hint = QLabel(self)
        self.size_hint.setObjectName("muted")
        self.button = QPushButton(self)
        self.button.setObjectName("send")
        self.button.clicked.connect(self._on_clicked)
        foot = QHBoxLayout()
        foot.setSpacing(16)
        foot.addWidget(self.state, 1)
        foot.addWidget(self.size_hint)
        foot.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(15, 13, 14, 12)
        column.setSpacing(10)
        attached = QHBoxLayout()
        attached.addWidget(self.attachment)
        attached.addStretch(1)
        column.addLayout(attached)
        column.addWidget(self.edit)
        column.addLayout(foot)
        self._update()

    @property
    def text(self) -> str:
        """All that would be sent."""
        typed = self.edit.toPlainText()
        return "\n\n".join(part for part in (typed, *self._pasted) if part.strip())

    def set_text(self, text: str) -> None:
        """Put a prompt there, to be changed or sent."""
        self.edit.setPlainText(text)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.edit.setFocus()

    def set_state(self, words: str, blocked: str, is_generating: bool, context: str) -> None:
        """What to say below; why nothing can be sent; whether there is something to stop."""
        self.state.set_full_text(words)
        self._blocked, self._is_generating, self._context = blocked, is_generating, context
        self._update()

    def submit(self) -> None:
        """Send, if there is something and nothing is in the way."""
        if self._reason() or self._is_generating:
            return
        text = self.text
        self._pasted.clear()
        self.edit.clear()
        self._update()
        self.send_requested.emit(text)

    def _reason(self) -> str:
        if self._blocked:
            return self._blocked
        if not self._pasted and not self.edit.toPlainText().strip():
            return self.tr("Type a message first")
        return ""

    def _update(self) -> None:
        reason = self._reason()
        stops = self._is_generating
        self.button.setText(self.tr("Stop") if stops else self.tr("Send"))
        self.button.setEnabled(stops or not reason)
        self.button.setToolTip(self.tr("Stop this reply (Escape)") if stops else reason)
        if self.button.property("stops") != stops:
            self.button.setProperty("stops", stops)
            self.button.style().unpolish(self.button)
            self.button.style().polish(self.button)
        self.attachment.setVisible(bool(self._pasted))
        pasted = sum(map(len, self._pasted))
        self.attachment.setText(self.tr("Pasted text · {0:,} characters  ✕").format(pasted))
        characters = self.edit.document().characterCount() - 1 + pasted
        words = self._size_words(characters)
        self.size_hint.setText(words)
        self.size_hint.setVisible(bool(words))

    def _size_words(self, characters: int) -> str:
        if not characters:
            return self._context
        tokens = -(-characters // CHARACTERS_PER_TOKEN)
        return self.tr("{0:,} characters, ≈ {1:,} tokens").format(characters, tokens)

    def _attach(self, text: str) -> None:
        self._pasted.append(text)
        self._update()

    def _detach(self) -> None:
        self._pasted.clear()
        self._update()

    def _on_clicked(self) -> None:
        if self._is_generating:
            self.stop_requested.emit()
        else:
            self.submit()

    def _on_focus_changed(self, has_focus: bool) -> None:
        self.setProperty("active", has_focus)
        self.style().unpolish(self)
        self.style().polish(self)
