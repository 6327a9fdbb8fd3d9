"""The question as it is being written: typed text and attachments, told in good time."""

from PySide6.QtCore import QObject, QTimer, Signal

from app.models.attaching import pasted
from app.models.question import Attachment, Question
from app.views.composer.prompt_edit import PromptEdit

SETTLE_MS = 150


class Draft(QObject):
    """`changed` is said at each change; `settled`, with the Question, a moment later.

    A key costs the same however long the text is: it is put together only when it settles.
    """

    changed = Signal()
    settled = Signal(object)

    def __init__(self, edit: PromptEdit, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._edit = edit
        self._is_showing = False
        self.attachments: tuple[Attachment, ...] = ()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE_MS)
        self._timer.timeout.connect(self._settle)
        edit.textChanged.connect(self._on_changed)
        edit.long_text_pasted.connect(self.paste)

    @property
    def question(self) -> Question:
        """All that would be asked."""
        return Question(self._edit.text, self.attachments)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to ask."""
        return not self.attachments and self._edit.is_blank

    @property
    def is_settled(self) -> bool:
        """Whether nothing changed since the question was last told."""
        return not self._timer.isActive()

    def show(self, question: Question) -> None:
        """Put a question there that was begun before; it is nobody's news."""
        self._is_showing = True
        self._timer.stop()
        self.attachments = question.attachments
        self._edit.show_text(question.text)
        self._is_showing = False
        self.changed.emit()

    def take(self) -> Question:
        """Take all of it out, to be sent."""
        question, self.attachments = self.question, ()
        self._edit.clear()
        self._on_changed()
        self.flush()
        return question

    def paste(self, text: str) -> None:
        """Attach a long paste."""
        earlier = sum(each.kind == "paste" for each in self.attachments)
        self.attach(pasted(text, earlier + 1))

    def attach(self, attachment: Attachment) -> None:
        """One more attachment, at the end."""
        self.attachments = (*self.attachments, attachment)
        self._on_changed()

    def detach(self, number: int) -> None:
        """Take an attachment away."""
        kept = list(self.attachments)
        del kept[number]
        self.attachments = tuple(kept)
        self._on_changed()

    def insert_as_text(self, number: int) -> None:
        """Turn an attachment into typed text, where the caret is."""
        text = self.attachments[number].as_prompt
        self.detach(number)
        self._edit.insertPlainText(text)
        self._edit.ensureCursorVisible()

    def flush(self) -> None:
        """Tell at once what has not been told yet."""
        if self._timer.isActive():
            self._timer.stop()
            self._settle()

    def _settle(self) -> None:
        self.settled.emit(self.question)

    def _on_changed(self) -> None:
        if self._is_showing:
            return
        # Not put off by further keys: what was typed is told in time while typing goes on.
        if not self._timer.isActive():
            self._timer.start()
        self.changed.emit()
