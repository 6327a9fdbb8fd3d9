"""Lines of code, not wrapped: as tall as they are, scrolled sideways only."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

LINE_PIECE = 4_000


class CodeText(QPlainTextEdit):
    """The lines themselves: as tall as they are, scrolled sideways only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.document().setDocumentMargin(0)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)

    def add(self, text: str) -> str:
        """Add text at the end, a line beyond all measure broken for the eye; the changed lines."""
        if len(text) > LINE_PIECE:
            text = "\n".join(map(_broken, text.split("\n")))
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        first = cursor.block()
        cursor.insertText(text)
        end = text.find("\n")
        return first.text() + (text[end:] if end >= 0 else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if is_plain and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Space):
            event.ignore()
            return
        super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        # Sideways is this text's own; up and down is the conversation's.
        delta = event.pixelDelta() if not event.pixelDelta().isNull() else event.angleDelta()
        if abs(delta.x()) > abs(delta.y()):
            super().wheelEvent(event)
        else:
            event.ignore()


def _broken(line: str) -> str:
    return "\n".join(line[i : i + LINE_PIECE] for i in range(0, max(len(line), 1), LINE_PIECE))
