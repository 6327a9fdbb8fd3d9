"""What can be done when the model's context is full: said and chosen, never done in silence."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.models.context_meter import ContextUse, Full
from app.theme import Theme
from app.views.controls import IconButton
from app.views.flags.flow import FlowBox


class ContextChoice(QFrame):
    """A quiet bar above the composer; emits what was chosen."""

    leave_out_requested = Signal()
    new_chat_requested = Signal()
    send_anyway_requested = Signal()
    dismissed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("context_choice")
        self.words = QLabel(self)
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.leave_out = QPushButton(self.tr("Leave out the oldest turns"), self)
        self.new_chat = QPushButton(self.tr("New chat with this question"), self)
        self.anyway = QPushButton(self.tr("Send anyway"), self)
        self.leave_out.clicked.connect(self.leave_out_requested)
        self.new_chat.clicked.connect(self.new_chat_requested)
        self.anyway.clicked.connect(self.send_anyway_requested)
        self.close_button = IconButton("close", self.tr("Hide this"), theme, self)
        self.close_button.setFixedSize(22, 22)
        self.close_button.clicked.connect(self.dismissed)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.words, 1)
        head.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        actions = FlowBox(8, 6, self)
        for button in (self.leave_out, self.new_chat, self.anyway):
            actions.add(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 10, 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(actions)
        self._actions = actions
        self.hide()

    def show_before(self, use: ContextUse) -> None:
        """Before a question is sent that leaves too little room."""
        is_alone = not use.used
        fits_alone = use.typed < use.context
        if not fits_alone:
            words = self.tr(
                "This message alone is longer than the {0:,} tokens the model can read;"
                " shorten it, or take an attachment away."
            ).format(use.context)
        elif use.is_over:
            words = self.tr(
                "This message and the {0:,} tokens before it are more than the {1:,} the model"
                " can read. Left out turns stay in the chat, but are not sent."
            ).format(use.used, use.context)
        else:
            words = self.tr(
                "Only {0:,} of {1:,} tokens would be left for the reply, which ends where they"
                " do. Left out turns stay in the chat, but are not sent."
            ).format(use.context - use.asked, use.context)
        self._show(words, leaves_out=not is_alone, starts=not is_alone, sends=True)
        self.leave_out.setEnabled(fits_alone)
        self.new_chat.setEnabled(fits_alone)

    def show_after(self, full: Full) -> None:
        """After a reply that could not be begun, or ended, because the context was full."""
        if full == "failed":
            words = self.tr(
                "The chat has grown longer than the model can read, so the last question"
                " was not answered. Left out turns stay in the chat, but are not sent."
            )
        else:
            words = self.tr(
                "The reply ended because the model's context is full. Left out turns stay in the"
                " chat, but are not sent."
            )
        self._show(words, leaves_out=True, starts=True, sends=False)
        self.leave_out.setEnabled(True)
        self.new_chat.setEnabled(True)

    def _show(self, words: str, *, leaves_out: bool, starts: bool, sends: bool) -> None:
        self.words.setText(words)
        self.setAccessibleName(words)
        self.leave_out.setVisible(leaves_out)
        self.new_chat.setVisible(starts)
        self.anyway.setVisible(sends)
        self._actions.rearrange()
        self._actions.setVisible(leaves_out or starts or sends)
        if self.isHidden():
            self.show()
            # The caret stays where it is, so a screen reader would not come by.
            QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))
