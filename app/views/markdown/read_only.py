"""Rich text to be read: as tall as its content, with links by mouse and key, and no resources."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QKeyEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from app.views.markdown.look import Look

_KEYS = Qt.Key
_SCROLLING = {
    _KEYS.Key_Up,
    _KEYS.Key_Down,
    _KEYS.Key_PageUp,
    _KEYS.Key_PageDown,
    _KEYS.Key_Home,
    _KEYS.Key_End,
    _KEYS.Key_Space,
}
Stretch = tuple[int, int]


def units(text: str) -> int:
    """How many positions of a document a text takes."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def marks_of(
    cursor: QTextCursor, words: str, found: Sequence[Stretch], current: int, look: Look
) -> list[QTextEdit.ExtraSelection]:
    """The matches of a search, as lights in a document; `current` is the one shown."""
    return [
        _mark(QTextCursor(cursor), words, stretch, number == current, look)
        for number, stretch in enumerate(found)
    ]


def _mark(
    cursor: QTextCursor, words: str, stretch: Stretch, is_current: bool, look: Look
) -> QTextEdit.ExtraSelection:
    colors = look.theme.palette
    result = QTextEdit.ExtraSelection()
    place_cursor(cursor, words, stretch)
    light = QTextCharFormat()
    light.setBackground(QColor(colors.accent if is_current else colors.selection))
    light.setForeground(QColor(colors.on_accent if is_current else colors.text))
    result.cursor = cursor
    result.format = light
    return result


def place_cursor(cursor: QTextCursor, words: str, stretch: Stretch) -> None:
    """Select a stretch of a document's words."""
    start = units(words[: stretch[0]])
    end = start + units(words[stretch[0] : stretch[0] + stretch[1]])
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)


class ReadOnlyText(QTextBrowser):
    """Asks for nothing: what an image or a style would load is not loaded."""

    link_requested = Signal(str)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.viewport().setAutoFillBackground(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        document = self.document()
        document.setUndoRedoEnabled(False)
        document.setDocumentMargin(0)
        option = document.defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        document.setDefaultTextOption(option)
        self.anchorClicked.connect(self._on_anchor)
        self.has_links = False

    def set_width(self, width: int) -> None:
        """Wrap at a width. By its own Qt would lay out once more, before it is shown."""
        if self.lineWrapColumnOrWidth() != width:
            self.setLineWrapColumnOrWidth(width)
        if self.document().textWidth() != width:
            self.document().setTextWidth(width)

    def words(self) -> str:
        """The text as it is searched."""
        return self.toPlainText()

    def light(self, found: Sequence[Stretch], current: int) -> None:
        """Light up matches."""
        self.setExtraSelections(
            marks_of(self.textCursor(), self.words(), found, current, self.look)
        )

    def rect_of(self, stretch: Stretch) -> QRect:
        """Where a stretch of the words stands in this widget."""
        cursor = self.textCursor()
        place_cursor(cursor, self.words(), stretch)
        end = self.cursorRect(cursor)
        cursor.setPosition(cursor.anchor())
        return self.cursorRect(cursor).united(end).translated(self.viewport().pos())

    def selected_words(self) -> str:
        """What is selected."""
        return self.textCursor().selection().toPlainText()

    def note_links(self, has_links: bool) -> None:
        """Tab stops only where there is something to reach."""
        self.has_links = has_links
        policy = Qt.FocusPolicy.StrongFocus if has_links else Qt.FocusPolicy.ClickFocus
        if self.focusPolicy() != policy:
            self.setFocusPolicy(policy)

    def _targets(self) -> list[str]:
        """Every target as it was written."""
        return []

    def _on_anchor(self, url: QUrl) -> None:
        written = [target for target in self._targets() if QUrl(target) == url]
        self.link_requested.emit(written[0] if written else url.toString())

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        return None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # The arrows scroll the conversation; a selection by keys goes on to be one.
        if event.key() in _SCROLLING and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            event.ignore()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            cursor = self.textCursor()
            cursor.clearSelection()
            self.setTextCursor(cursor)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
