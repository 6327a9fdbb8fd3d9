"""A question with its actions: copy, edit in place, and the other edits of it."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.models.exchange import Exchange
from app.models.question import Question
from app.theme import Theme
from app.views.column.actions import ActionRow
from app.views.column.intents import Intents
from app.views.column.question_editor import QuestionEditor
from app.views.messages import PromptBubble


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
        self.refresh()
        self._follow_attention()

    def refresh(self) -> None:
        """Which actions have a meaning now."""
        self.edit.setVisible(not self._intents.is_read_only)
        self.edit.setEnabled(self._intents.may_ask)
        siblings = self._exchange.siblings
        is_open = self._intents.can_answer
        self.row.switch.show_place(siblings.index, len(siblings), self._intents.can_choose)
        if self.editor is not None:
            why = "" if is_open else self.tr("Wait until the reply is written")
            self.editor.set_open(is_open, why)

    def choose_beside(self, by: int) -> None:
        """Choose the edit before or after this one."""
        siblings = list(self._exchange.siblings)
        at = self._exchange.siblings.index + by
        if 0 <= at < len(siblings) and self._intents.can_choose:
            self._intents.choose_requested.emit(siblings[at], None)

    def begin_edit(self) -> None:
        """Turn the bubble into a field."""
        if self.editor is not None or not self._intents.may_ask:
            return
        self.editor = QuestionEditor(self._exchange.question, self)
        self.editor.sent.connect(self._send)
        self.editor.cancelled.connect(self.cancel_edit)
        self._column.insertWidget(0, self.editor)
        self._column.setContentsMargins(0, 0, 0, 14)
        self.bubble.hide()
        self.row.hide()
        self.editor.show()
        self.editor.begin()

    def cancel_edit(self) -> None:
        """Leave everything as it was."""
        if self.editor is None:
            return
        editor, self.editor = self.editor, None
        focus = QApplication.focusWidget()
        had_focus = focus is not None and editor.isAncestorOf(focus)
        self._column.removeWidget(editor)
        editor.hide()
        editor.deleteLater()
        self._column.setContentsMargins(0, 0, 0, 0)
        self.bubble.show()
        self.row.show()
        if had_focus:
            self.edit.setFocus()

    def set_focused(self, is_focused: bool) -> None:
        """Whether the keyboard is in this question."""
        self._is_focused = is_focused
        self._follow_attention()

    def _send(self, question: Question) -> None:
        self.cancel_edit()
        self._intents.edit_requested.emit(self._exchange, question)

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
