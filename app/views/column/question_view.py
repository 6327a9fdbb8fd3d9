"""A question with its actions: copy, edit in place, and the other edits of it."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.models.exchange import Exchange
from app.models.question import Question
from app.theme import Theme
from app.views.column.actions import ActionRow
from app.views.column.intents import Intents
from app.views.column.question_editor import QuestionEditor
from app.views.messages import PromptBubble

_ROOM = 14


class QuestionView(QWidget):
    """Says what is asked for; the conversation has it changed."""

    def __init__(
        self, exchange: Exchange, intents: Intents, theme: Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._exchange, self._intents = exchange, intents
        self._is_focused = False
        self.editor: QuestionEditor | None = None
        self.bubble = PromptBubble(exchange.prompt, theme, self, exchange.question)
        self.row = ActionRow("question", theme, is_right=True, parent=self)
        self.copy = self.row.add("copy", self.tr("Copy your message"))
        self.edit = self.row.add("edit", self.tr("Edit your message"))
        self.row.switch.moved.connect(self.choose_beside)
        self.copy.clicked.connect(self._copy)
        self.edit.clicked.connect(self.begin_edit)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._column.addWidget(self.bubble)
        self._column.addWidget(self.row)
        intents.allowed_changed.connect(self.refresh)
        if exchange.id in intents.edits:
            self._open_editor(intents.edits[exchange.id])
        self.refresh()
        self._follow_attention()

    def refresh(self) -> None:
        """Which actions have a meaning now."""
        self.edit.setVisible(not self._intents.is_read_only)
        waits = "" if self._intents.can_choose else self.tr("Wait until the reply is written")
        self.edit.setEnabled(not waits)
        self.edit.setToolTip(waits or self.edit.accessibleName())
        siblings = self._exchange.siblings
        self.row.switch.show_place(siblings.index, len(siblings), self._intents.can_choose)
        # Where something stands under the bubble for good, the reply keeps its distance from that.
        is_roomy = self.editor is not None or len(siblings) > 1
        self._column.setContentsMargins(0, 0, 0, _ROOM if is_roomy else 0)
        if self.editor is not None:
            is_open = self._intents.can_answer and not waits
            why = "" if is_open else waits or self.tr("Load a model to ask this")
            self.editor.set_open(is_open, why)

    def choose_beside(self, by: int) -> None:
        """Choose the edit before or after this one."""
        siblings = list(self._exchange.siblings)
        at = self._exchange.siblings.index + by
        if 0 <= at < len(siblings) and self._intents.can_choose:
            self._intents.choose_requested.emit(siblings[at], None)

    def begin_edit(self) -> None:
        """Turn the bubble into a field."""
        if self.editor is not None or self._intents.is_read_only or not self._intents.can_choose:
            return
        self._open_editor(self._exchange.question.text).begin()
        self.refresh()

    def _open_editor(self, text: str) -> QuestionEditor:
        """With the question, or with what was typed in its place the last time."""
        editor = self.editor = QuestionEditor(self._exchange.question, self.bubble.pixels, self)
        editor.field.setPlainText(text)
        editor.field.textChanged.connect(self._tell_typed)
        editor.sent.connect(self._send)
        editor.cancelled.connect(self.cancel_edit)
        self._column.insertWidget(0, editor, 0, Qt.AlignmentFlag.AlignRight)
        self.bubble.hide()
        self.row.hide()
        editor.show()
        return editor

    def cancel_edit(self) -> None:
        """Leave everything as it was."""
        if self.editor is None:
            return
        editor, self.editor = self.editor, None
        self._intents.edit_typed.emit(self._exchange, None)
        focus = QApplication.focusWidget()
        had_focus = focus is not None and editor.isAncestorOf(focus)
        self._column.removeWidget(editor)
        self.bubble.show()
        self.row.show()
        self.refresh()
        # Before the editor goes: Qt would lead the keyboard somewhere else on the way.
        if had_focus:
            self.edit.setFocus()
        editor.hide()
        editor.deleteLater()

    def set_pixels(self, pixels: int) -> None:
        """The size of the text."""
        self.bubble.set_pixels(pixels)
        if self.editor is not None:
            self.editor.field.set_pixels(pixels)

    def set_focused(self, is_focused: bool) -> None:
        """Whether the keyboard is in this question."""
        self._is_focused = is_focused
        self._follow_attention()

    def _send(self, question: Question) -> None:
        self.cancel_edit()
        self._intents.edit_requested.emit(self._exchange, question)

    def _tell_typed(self) -> None:
        if self.editor is not None:
            self._intents.edit_typed.emit(self._exchange, self.editor.field.toPlainText())

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._exchange.prompt)

    def _follow_attention(self) -> None:
        self.row.set_drawn(self._is_focused or self.underMouse())

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._follow_attention()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._follow_attention()
