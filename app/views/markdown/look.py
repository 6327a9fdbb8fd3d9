"""How Markdown is set: fonts and sizes, the gaps between blocks, colours of code."""

from dataclasses import dataclass

from PySide6.QtGui import QColor, QFont, QTextBlockFormat, QTextCharFormat

from app.models.markdown.coloring import Shade
from app.models.markdown.values import Block, Prose, Run
from app.theme import Theme, mono, sans

BODY_PIXELS = 15
INDENT = 26
QUOTE_INDENT = 16
LINE_HEIGHT = 126.0
MATHS_INSET = 12
MATHS_ROOM = 7
_HEADING_SCALE = {1: 1.42, 2: 1.24, 3: 1.1}
_HEADING_GAP = {1: 1.6, 2: 1.5, 3: 1.3}
# All of 4.5:1 and more on the raised ground of their palette.
_SHADES: dict[bool, dict[Shade, str]] = {
    False: {
        "keyword": "#8430b0",
        "string": "#0b6e4f",
        "number": "#a04a00",
        "comment": "#667080",
        "name": "#0a5cab",
        "builtin": "#8a5300",
    },
    True: {
        "keyword": "#cf9cf0",
        "string": "#86d1a4",
        "number": "#f0b076",
        "comment": "#8f97a3",
        "name": "#7fbdf2",
        "builtin": "#e3c377",
    },
}


@dataclass(slots=True)
class Look:
    """The look in force, shared by all blocks of a column."""

    theme: Theme
    pixels: int = BODY_PIXELS
    is_muted: bool = False

    def px(self, value: float) -> int:
        """A length of the 15 px design at the size in force."""
        return round(value * self.pixels / BODY_PIXELS)

    @property
    def small(self) -> int:
        """The size of labels."""
        return max(round(self.pixels * 0.8), 9)

    @property
    def code_font(self) -> QFont:
        """The font of code blocks."""
        return mono(max(round(self.pixels * 0.88), 8))

    def text_color(self, quotes: int = 0) -> QColor:
        """The colour of text."""
        colors = self.theme.palette
        return QColor(colors.muted if self.is_muted or quotes else colors.text)

    def shade(self, shade: Shade) -> QColor:
        """The colour of a stretch of code."""
        return QColor(_SHADES[self.theme.palette.is_dark][shade])

    def run_format(self, run: Run, prose: Prose) -> QTextCharFormat:
        """How a run of a prose block is set."""
        scale = _HEADING_SCALE.get(prose.level, 1.0)
        size = max(round(self.pixels * scale), 8)
        if run.kind in ("code", "maths"):
            font = mono(max(round(size * 0.88), 8))
        else:
            font = sans(max(round(size * 0.87), 8) if run.kind == "image" else size)
        if run.is_bold or prose.level:
            font.setWeight(QFont.Weight.DemiBold)
        font.setItalic(run.is_italic)
        font.setStrikeOut(run.is_struck)
        result = QTextCharFormat()
        result.setFont(font)
        result.setForeground(self.text_color(prose.place.quotes))
        if run.kind == "image":
            result.setForeground(QColor(self.theme.palette.muted))
        if run.target:
            result.setAnchor(True)
            result.setAnchorHref(run.target)
            result.setToolTip(run.target)
            result.setForeground(QColor(self.theme.palette.accent))
            result.setFontUnderline(True)
        return result

    def block_format(self, prose: Prose, before: Block | None, is_right: bool) -> QTextBlockFormat:
        """Indent, gap and line height of a prose block; `is_right` for text from right to left."""
        result = QTextBlockFormat()
        height = 112.0 if prose.level else LINE_HEIGHT
        kind = QTextBlockFormat.LineHeightTypes.ProportionalHeight
        result.setLineHeight(height, kind.value)
        margin = self.margin(prose)
        (result.setRightMargin if is_right else result.setLeftMargin)(margin)
        result.setTopMargin(self.gap(before, prose))
        return result

    def margin(self, block: Block) -> int:
        """How far a block is indented."""
        place = block.place
        inner = MATHS_INSET if isinstance(block, Prose) and block.look == "maths" else 0
        # A number of three digits and more needs more than its column.
        inner += 9 * max(len(place.marker) - 3, 0)
        return self.px(INDENT * place.depth + QUOTE_INDENT * place.quotes + inner)

    def gap(self, before: Block | None, block: Block) -> int:
        """The space between two blocks."""
        if before is None:
            return 0
        if not isinstance(block, Prose) or not isinstance(before, Prose):
            is_head = isinstance(before, Prose) and before.level
            if isinstance(block, Prose) and block.level:
                return self.px(20)
            return self.px(10 if is_head else 14)
        if block.level:
            return self.px(6 if before.level else 14 * _HEADING_GAP.get(block.level, 1.2))
        if before.level:
            return self.px(6)
        if "rule" in (block.look, before.look):
            return self.px(12)
        if block.look == "maths" or before.look == "maths":
            return self.px(16)
        is_list = block.place.depth and before.place.depth
        if is_list and (block.place.is_tight or before.place.is_tight):
            return self.px(5)
        return self.px(9 if is_list else 12)


def bar_sheet(look: Look) -> str:
    """The style of a scroll bar below wide code and tables."""
    return (
        "QScrollBar:horizontal { background: transparent; height: 10px; margin: 2px 0; }"
        f"QScrollBar::handle:horizontal {{ background: {look.theme.palette.control_border};"
        " border-radius: 3px; min-width: 28px; }"
        "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }"
        "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
    )
