"""Code in a card: its language, a button that copies it, and colours once it is complete."""

from collections.abc import Sequence
from time import perf_counter

from PySide6.QtCore import QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QTextBlock,
    QTextCharFormat,
    QTextLayout,
)
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from app.models.markdown.coloring import ColoredLine, is_colored
from app.models.markdown.colorist import COLORIST, Coloring
from app.models.markdown.values import Code
from app.theme import sans
from app.views.markdown.code_text import CodeText
from app.views.markdown.look import Look, bar_sheet
from app.views.markdown.read_only import Stretch, marks_of, units

_HEADER = 34
_SIDE = 14
_BOTTOM = 12
_BAR_ROOM = 12
# A pixel too few, and the lines would scroll.
_SLACK = 8
_TURN_SECONDS = 0.006
_SOON_MS = 10
_SAID_MS = 1_600


class CodeBlock(QWidget):
    """`copied` carries what was put on the clipboard."""

    copied = Signal(str)

    def __init__(self, code: Code, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look, self.code = look, code
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._copy = QPushButton(self.tr("Copy"), self)
        self._copy.setObjectName("quiet")
        self._copy.setCursor(Qt.CursorShape.PointingHandCursor)
        self._copy.clicked.connect(self.copy)
        self.text = CodeText(self)
        self._widest = 0
        self._colored: list[ColoredLine] = []
        self._coloring: Coloring | None = None
        self._turn = QTimer(self)
        self._turn.setSingleShot(True)
        self._turn.timeout.connect(self._color_some)
        self._unsaid = QTimer(self)
        self._unsaid.setSingleShot(True)
        self._unsaid.timeout.connect(lambda: self._copy.setText(self.tr("Copy")))
        self._dress()
        self._insert(code.text)
        self._begin_colors()

    @property
    def is_coloring(self) -> bool:
        """Whether colours are still being found."""
        return self._coloring is not None

    @property
    def colored(self) -> list[ColoredLine]:
        """The lines whose colours are known."""
        return self._colored

    def show_code(self, code: Code) -> None:
        """It grew, or became something else; what is added is all that is inserted."""
        is_grown = code.text.startswith(self.code.text) and code.language == self.code.language
        fresh = code.text[len(self.code.text) :] if is_grown else code.text
        if not is_grown:
            self.text.clear()
            self._widest = 0
        self.code = code
        self._name()
        if not is_grown or fresh:
            self._forget_colors()
        self._insert(fresh)
        self._begin_colors()

    def copy(self) -> None:
        """Put the code on the clipboard, and say so for a moment."""
        QGuiApplication.clipboard().setText(self.code.text)
        self._copy.setText(self.tr("Copied"))
        self._place_header()
        self._unsaid.start(_SAID_MS)
        self.copied.emit(self.code.text)

    def restyle(self) -> None:
        """Colours or sizes changed."""
        self._dress()
        self._widest = 0
        self._measure(self.text.toPlainText())
        block = self.text.document().firstBlock()
        for line in self._colored:
            self._apply(block, line)
            block = block.next()

    def fit(self, width: int) -> int:
        """Take a width; the height it needs."""
        inner = width - 2 * _SIDE
        lines = self.text.blockCount() * self.text.fontMetrics().lineSpacing()
        bar = _BAR_ROOM if self._widest > inner else 0
        self.text.setHorizontalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOn if bar else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        self.text.setGeometry(_SIDE, _HEADER, max(inner, 10), lines + bar + _SLACK)
        return _HEADER + lines + bar + _BOTTOM

    def words(self) -> str:
        """The text as it is searched."""
        return self.text.toPlainText()

    def light(self, found: Sequence[Stretch], current: int) -> None:
        """Light up matches."""
        self.text.setExtraSelections(
            marks_of(self.text.textCursor(), self.words(), found, current, self.look)
        )

    def rect_of(self, stretch: Stretch) -> QRect:
        """Where a stretch of the words stands in this widget; it is scrolled into view."""
        before = self.words()[: stretch[0]]
        cursor = self.text.textCursor()
        cursor.setPosition(units(before))
        rect = self.text.cursorRect(cursor)
        bar, slack = self.text.horizontalScrollBar(), 60
        if rect.left() < 0 or rect.right() > self.text.viewport().width() - slack:
            bar.setValue(max(bar.value() + rect.left() - slack, 0))
            rect = self.text.cursorRect(cursor)
        return rect.translated(self.text.pos())

    def selected_words(self) -> str:
        """What is selected."""
        return self.text.textCursor().selection().toPlainText()

    def _dress(self) -> None:
        colors = self.look.theme.palette
        self.text.setFont(self.look.code_font)
        self.text.document().setDefaultFont(self.look.code_font)
        self.text.setTabStopDistance(4 * self.text.fontMetrics().horizontalAdvance(" "))
        palette = self.text.palette()
        palette.setColor(QPalette.ColorRole.Text, self.look.text_color())
        palette.setColor(QPalette.ColorRole.Highlight, QColor(colors.selection))
        palette.setColor(QPalette.ColorRole.HighlightedText, QColor(colors.text))
        self.text.setStyleSheet(
            "QPlainTextEdit { background: transparent; border: 0;"
            f" color: {self.look.text_color().name()};"
            f" font-size: {self.look.code_font.pixelSize()}px;"
            f" selection-background-color: {colors.selection}; }}" + bar_sheet(self.look)
        )
        self._label.setStyleSheet(f"color: {colors.muted}; font-size: {self.look.small}px;")
        self._label.setFont(sans(self.look.small))
        self._name()
        self.update()

    def _name(self) -> None:
        language = self.code.language or self.tr("text")
        self._label.setText(language)
        self.text.setAccessibleName(self.tr("Code in {0}").format(language))
        self._copy.setAccessibleName(self.tr("Copy the code in {0}").format(language))
        self._place_header()

    def _place_header(self) -> None:
        size = self._copy.sizeHint()
        top = (_HEADER - size.height()) // 2 + 1
        self._copy.setGeometry(self.width() - size.width() - 8, top, size.width(), size.height())
        room = max(self._copy.x() - _SIDE - 8, 0)
        self._label.setGeometry(_SIDE, 1, room, _HEADER)

    def _insert(self, text: str) -> None:
        """Add text at the end; a line beyond all measure is broken for the eye."""
        if not text:
            return
        self._measure(self.text.add(text))

    def _measure(self, text: str) -> None:
        longest = max(text.split("\n"), key=len)
        advance = self.text.fontMetrics().horizontalAdvance(longest.expandtabs(4))
        self._widest = max(self._widest, advance)

    def _begin_colors(self) -> None:
        if not self.code.is_closed or self._colored or self._coloring is not None:
            return
        if self.code.text and is_colored(self.code.language, self.code.text):
            self._coloring = COLORIST.begin(self.code.language, self.code.text)
            self._turn.start(0)

    def _forget_colors(self) -> None:
        if self._coloring is not None:
            self._coloring.drop()
        self._colored, self._coloring = [], None

    def _color_some(self) -> None:
        """Put on the colours that have come, for a few milliseconds; go on in a later turn."""
        if self._coloring is None:
            return
        end = perf_counter() + _TURN_SECONDS
        block = self.text.document().findBlockByNumber(len(self._colored))
        while block.isValid() and perf_counter() < end:
            line = self._coloring.take()
            if line is None:
                break
            self._colored.append(line)
            self._apply(block, line)
            block = block.next()
        if self._coloring.is_over or not block.isValid():
            self._coloring = None
        else:
            self._turn.start(0 if perf_counter() >= end else _SOON_MS)

    def _apply(self, block: QTextBlock, line: ColoredLine) -> None:
        """Colour a line without touching its text."""
        if not line.stretches:
            return
        text, ranges = block.text(), []
        is_plain = text.isascii()
        for start, length, shade in line.stretches:
            stretch = QTextLayout.FormatRange()
            color = QTextCharFormat()
            color.setForeground(self.look.shade(shade))
            stretch.start = start if is_plain else units(text[:start])
            stretch.length = length if is_plain else units(text[start : start + length])
            stretch.format = color
            ranges.append(stretch)
        block.layout().setFormats(ranges)
        self.text.document().markContentsDirty(block.position(), block.length())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_header()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
            colors = self.look.theme.palette
            painter.setPen(QPen(QColor(colors.border), 1))
            painter.setBrush(QColor(colors.raised))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
