"""The field a prompt is typed into: Return sends, Shift-Return breaks, long pastes stay outside."""

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from app.models.attaching import LONG_PASTE, sound_text
from app.models.text_size import USUAL, TextSize
from app.theme import sans
from app.views.composer.history import History

MAX_LINES = 9
# How much smaller it is than what is read above.
_SMALLER = 1
# Below so many characters the whole text is looked at for something to send.
_SHORT = 1_000


def files_in(mime: QMimeData) -> tuple[Path, ...]:
    """The local files that are dragged or pasted."""
    return tuple(Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile())


def _is_version_key(event: QKeyEvent) -> bool:
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    is_arrow = event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right)
    return is_arrow and modifiers == Qt.KeyboardModifier.AltModifier


class PromptEdit(QPlainTextEdit):
    """Grows up to nine lines. Up and Down, where nothing is typed, go through `history`."""

    submitted = Signal()
    long_text_pasted = Signal(str)
    files_pasted = Signal(object)
    image_pasted = Signal()
    focus_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_composing = False
        self._text, self._revision = "", -1
        self.history = History()
        self.setFont(sans(USUAL - _SMALLER))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setAccessibleName(self.tr("Message"))
        self.document().setDocumentMargin(0)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.document().documentLayout().documentSizeChanged.connect(self._fit_height)
        self._fit_height()

    @property
    def text(self) -> str:
        """What was typed; put together once for each change."""
        revision = self.document().revision()
        if revision != self._revision:
            self._text, self._revision = sound_text(self.toPlainText()), revision
        return self._text

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing but white space; cheap with a long text, too."""
        if self.document().characterCount() <= _SHORT:
            return not self.toPlainText().strip()
        block = self.document().begin()
        while block.isValid() and not block.text().strip():
            block = block.next()
        return not block.isValid()

    def show_text(self, text: str) -> None:
        """Put a text there, the caret at its end."""
        self.setPlainText(text)
        self.moveCursor(QTextCursor.MoveOperation.End)

    def follow_size(self, size: TextSize) -> None:
        """Grow and shrink with the text of the conversation."""

        def follow() -> None:
            # A font's own size would give way to the style sheet's.
            self.setFont(sans(size.pixels - _SMALLER))
            self.setStyleSheet(f"font-size: {size.pixels - _SMALLER}px")
            self.ensurePolished()
            self._fit_height()

        size.changed.connect(follow)
        follow()

    def _fit_height(self) -> None:
        # A plain text document measures its height in lines.
        lines = min(max(int(self.document().size().height()), 1), MAX_LINES)
        height = lines * self.fontMetrics().lineSpacing() + 4
        if height != self.height():
            self.setFixedHeight(height)

    def _goes_back(self, key: int) -> bool:
        """Whether Up or Down was pressed where history is meant; then it is shown."""
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(key), 0)
        if not steps or not self._is_at_border(steps):
            return False
        shown = self.history.moved(steps, self.text)
        if shown is None:
            return False
        self.show_text(shown)
        if steps > 0:
            # So that Up goes on to the one before, however many lines this one has.
            self.moveCursor(QTextCursor.MoveOperation.Start)
            self.moveCursor(QTextCursor.MoveOperation.EndOfLine)
        return True

    def _is_at_border(self, steps: int) -> bool:
        """Whether the caret is on the first line (to go back), or on the last."""
        cursor = self.textCursor()
        line = cursor.block().layout().lineForTextPosition(cursor.positionInBlock()).lineNumber()
        if steps > 0:
            return cursor.blockNumber() == 0 and line <= 0
        is_last_block = cursor.blockNumber() == self.document().blockCount() - 1
        return is_last_block and line >= cursor.block().layout().lineCount() - 1

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and _is_version_key(event)
            and self.document().isEmpty()
        ):
            # Where there are no words to move by, the keys go to the versions of a reply.
            event.ignore()
            return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier
        if self._is_composing:
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.insertPlainText("\n")
                self.ensureCursorVisible()
            else:
                self.submitted.emit()
        elif event.modifiers() not in plain or not self._goes_back(event.key()):
            super().keyPressEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self._is_composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        files = files_in(source)
        text = source.text()
        if files:
            self.files_pasted.emit(files)
        elif source.hasImage() and not text:
            self.image_pasted.emit()
        elif len(text) > LONG_PASTE:
            self.long_text_pasted.emit(sound_text(text))
        else:
            self.insertPlainText(text)
            self.ensureCursorVisible()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if files_in(event.mimeData()):
            # Files are for the column or the window; dropped here they would become their names.
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()
