"""The composer: the prompt, what is attached to it, how much it is, and the way to send it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.models.attaching import TEXT_ONLY
from app.models.context_meter import ContextUse, Full
from app.models.question import Attachment, Question
from app.theme import Theme
from app.views.composer.attach_files import attachable, choose_files
from app.views.composer.card import Card
from app.views.composer.chips import Reading
from app.views.composer.draft import Draft
from app.views.composer.peek import open_peek
from app.views.composer.prompt_edit import files_in
from app.views.composer.settings_button import SettingsButton
from app.views.composer.sizes import Sizes
from app.views.context_choice import ContextChoice


class Composer(QWidget):
    """Emits intents only; what may be sent, and why not, is told to it.

    `leave_out_requested` and `new_chat_requested` carry the Question that does not fit, or None
    where it is the last one of the chat, which was asked already. `count_requested` has the texts
    whose tokens are not known, and `files_chosen` the paths of files to attach.
    """

    send_requested = Signal(object)
    stop_requested = Signal()
    load_requested = Signal()
    draft_changed = Signal(object)
    files_chosen = Signal(object)
    reading_cancelled = Signal(object)
    count_requested = Signal(object)
    leave_out_requested = Signal(object)
    new_chat_requested = Signal(object)
    said = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._blocked, self._context = "", ""
        self._is_generating = False
        self._use: ContextUse | None = None
        self._full: Full = ""
        self._is_asking = False
        self._readings: tuple[Reading, ...] = ()
        self._sizes = Sizes()
        self.choice = ContextChoice(theme, self)
        self.card = Card(theme, self)
        self.edit, self.chips, self.foot = self.card.edit, self.card.chips, self.card.foot
        self.state, self.button = self.foot.state, self.foot.button
        self.size_hint, self.show_load = self.foot.size_words, self.foot.show_load
        self.draft = Draft(self.edit, self)
        self.settings = SettingsButton(self.foot.settings, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.choice)
        column.addWidget(self.card)
        self._connect()
        self._update()

    @property
    def question(self) -> Question:
        """All that would be asked."""
        return self.draft.question

    @property
    def text(self) -> str:
        """All that would be sent, as the model reads it."""
        return self.question.prompt

    @property
    def use(self) -> ContextUse | None:
        """How full the context would be with what is typed; None without a model."""
        if self._use is None:
            return None
        tokens, is_exact = self._measured()
        return replace(self._use, typed=tokens, is_exact=is_exact)

    def set_text(self, text: str) -> None:
        """Put a prompt there, to be changed or sent."""
        self.edit.show_text(text)
        self.edit.setFocus()

    def set_state(self, words: str, blocked: str, is_generating: bool, context: str) -> None:
        """What to say below; why nothing can be sent; whether there is something to stop."""
        self.state.set_full_text(words)
        self._blocked, self._is_generating, self._context = blocked, is_generating, context
        self._update()

    def show_context(self, use: ContextUse | None, full: Full = "") -> None:
        """How full the context is, and whether the last reply met its end."""
        self._use = use
        if full != self._full:
            self._full = full
            if full:
                self._is_asking = False
                self.choice.show_after(full)
            elif not self._is_asking:
                self.choice.hide()
        self._update()

    def show_draft(self, question: Question) -> None:
        """What was being written in the chat that is shown now."""
        self._full, self._is_asking = "", False
        self.choice.hide()
        self.draft.show(question)
        self.count_requested.emit(self._sizes.missing(self.question))

    def flush_draft(self) -> None:
        """Tell at once what has been typed: before another chat is shown, and at the end."""
        self.draft.flush()

    def attach(self, attachment: Attachment) -> None:
        """One more text to send along."""
        self.draft.attach(attachment)

    def show_readings(self, readings: Sequence[Reading]) -> None:
        """The files that are being read for this question: key, name and words of each."""
        self._readings = tuple(readings)
        self._update()

    def show_counts(self, texts: Sequence[str], counts: Sequence[int]) -> None:
        """How many tokens texts have that were asked for."""
        self._sizes.learn(texts, counts, self.question)
        self._update()

    def forget_counts(self) -> None:
        """Another model counts otherwise."""
        self._sizes.forget()
        self.count_requested.emit(self._sizes.missing(self.question))
        self._update()

    def accepts(self, mime: QMimeData) -> bool:
        """Whether something dragged here can be attached or typed; traces are the window's."""
        if self.isHidden():
            return False
        return bool(attachable(mime)) if files_in(mime) else mime.hasText() or mime.hasImage()

    def take(self, mime: QMimeData) -> None:
        """Attach or type what was dropped."""
        files = attachable(mime)
        if files:
            self.files_chosen.emit(files)
        else:
            self.edit.insertFromMimeData(mime)
        self.edit.setFocus()

    def set_is_target(self, is_target: bool) -> None:
        """Whether something is dragged above that would be taken."""
        self.card.set_flag("target", is_target)

    def submit(self) -> None:
        """Send, if there is something and nothing is in the way; first ask if it does not fit."""
        if not self._can_send():
            if not self.draft.is_empty:
                self.said.emit(self._reason())
            return
        use = self.use
        if use is not None and use.is_tight:
            self._is_asking = True
            self.choice.show_before(use)
        else:
            self._send()

    def _send(self) -> None:
        if self._can_send():
            self._end_asking()
            self.send_requested.emit(self.draft.take())

    def _choose(self, emit: Callable[[object], None]) -> None:
        """Pass a choice on, with the question it is about."""
        if not self._is_asking:
            if not self._is_generating and not self._blocked:
                self.choice.hide()
                emit(None)
        elif self._can_send():
            self._end_asking()
            emit(self.draft.take())

    def _end_asking(self) -> None:
        self._is_asking = False
        self.choice.hide()
        self.edit.setFocus()

    def _can_send(self) -> bool:
        return not self._reason()

    def _reason(self) -> str:
        if self._is_generating:
            return self.tr("Wait until the reply ends, or stop it")
        if self._blocked:
            return self._blocked
        if self._readings:
            return self.tr("Wait until the files are read, or take them away")
        return self.tr("Type a message first") if self.draft.is_empty else ""

    def _measured(self) -> tuple[int, bool]:
        typed = self.edit.text if self.draft.is_settled else None
        length = self.edit.document().characterCount() - 1
        return self._sizes.total(length, typed, self.draft.attachments)

    def _update(self) -> None:
        attachments = self.draft.attachments
        counts = tuple(self._sizes.of(each) for each in attachments)
        self.chips.show_all(attachments, counts, self._readings)
        self.foot.show_button(stops=self._is_generating, reason=self._reason())
        tokens, is_exact = self._measured()
        short = (f"{tokens:,}" if is_exact else f"≈ {tokens:,}") if tokens else ""
        unit = self.tr("{0} token") if tokens == 1 else self.tr("{0} tokens")
        words = unit.format(short) if short else ""
        if short and self._context:
            words = self.tr("{0} + {1}").format(self._context, short)
        use = self.use
        self.foot.show_sizes(words, short, self._context, use)
        if self._is_asking and use is not None:
            if use.is_tight:
                self.choice.show_before(use)
            else:
                self._end_asking()

    def _detach(self, number: int) -> None:
        self.draft.detach(number)
        self.edit.setFocus()

    def _on_clicked(self) -> None:
        if self._is_generating:
            self.stop_requested.emit()
        else:
            self.submit()

    def _on_settled(self, question: Question) -> None:
        self.draft_changed.emit(question)
        self.count_requested.emit(self._sizes.missing(self.question))

    def _connect(self) -> None:
        self.draft.changed.connect(self._update)
        self.draft.settled.connect(self._on_settled)
        self.edit.submitted.connect(self.submit)
        self.edit.files_pasted.connect(self.files_chosen)
        self.edit.image_pasted.connect(lambda: self.said.emit(TEXT_ONLY))
        self.edit.focus_changed.connect(lambda has: self.card.set_flag("active", has))
        self.chips.opened.connect(lambda number: open_peek(self.draft, number, self))
        self.chips.removed.connect(self._detach)
        self.chips.reading_cancelled.connect(self.reading_cancelled)
        self.foot.attach_clicked.connect(lambda: choose_files(self, self.files_chosen.emit))
        self.foot.clicked.connect(self._on_clicked)
        self.foot.load_clicked.connect(self.load_requested)
        self.foot.load_clicked.connect(self.edit.setFocus)
        self.choice.leave_out_requested.connect(lambda: self._choose(self.leave_out_requested.emit))
        self.choice.new_chat_requested.connect(lambda: self._choose(self.new_chat_requested.emit))
        self.choice.send_anyway_requested.connect(self._send)
        self.choice.dismissed.connect(self._end_asking)
