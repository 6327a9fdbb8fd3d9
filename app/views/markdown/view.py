"""A reply as Markdown, fed with text that grows at its end; its thoughts are folded away.

It opens nothing and fetches nothing: links are asked for by a signal, images are named.
"""

from PySide6.QtCore import QRect, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.models.markdown.thinking import Part, has_tag, held_tail, split_thinking
from app.theme import Theme
from app.views.markdown.column import Column
from app.views.markdown.look import BODY_PIXELS, Look
from app.views.markdown.pieces import Piece
from app.views.markdown.prose import BREAK
from app.views.markdown.recolor import Recolor
from app.views.markdown.search import Match, find, light
from app.views.markdown.thinking import ThinkingBlock

_GAP = 12
_TAG_LENGTH = len("</think>")


class MarkdownView(QWidget):
    """Takes its width from its parent's layout and sets its own height."""

    link_requested = Signal(str)
    copied = Signal(str)
    grown = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._look = Look(theme, BODY_PIXELS)
        self._text = self._held = ""
        self._opens_thinking = False
        self._is_over = False
        self._parts: list[Part] = []
        self._sections: list[Column | ThinkingBlock] = []
        self._seconds: float | None = None
        self._found: list[Match] = []
        # What a layout gave; before that, nothing is laid out.
        self._width = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Reply"))
        Recolor(theme, self, self.restyle)

    @property
    def source(self) -> str:
        """The text as it was given."""
        return self._text + self._held

    @property
    def is_settled(self) -> bool:
        """Whether all of the text is shown; a long one is shown over several turns."""
        return all(column.is_settled for column in self.columns())

    @property
    def thinking(self) -> list[ThinkingBlock]:
        """The blocks of thoughts, in order."""
        return [each for each in self._sections if isinstance(each, ThinkingBlock)]

    def columns(self) -> list[Column]:
        """The columns of blocks, those of thoughts included."""
        return [each if isinstance(each, Column) else each.column for each in self._sections]

    def pieces(self) -> list[Piece]:
        """All blocks that are shown, in order."""
        return [piece for column in self.columns() for piece in column.pieces]

    def set_source(self, text: str, is_over: bool, opens_thinking: bool = False) -> None:
        """Show this text; `opens_thinking` where the prompt ended inside of thoughts."""
        self.clear()
        self._opens_thinking = opens_thinking
        self.append(text)
        if is_over:
            self.finish()

    def append(self, text: str) -> None:
        """Add text at the end."""
        fresh = self._held + text
        num_held = held_tail(fresh)
        fresh, self._held = fresh[: len(fresh) - num_held], fresh[len(fresh) - num_held :]
        if fresh:
            self._take(fresh)

    def finish(self) -> None:
        """Nothing follows."""
        held, self._held = self._held, ""
        if held:
            self._take(held)
        self._is_over = True
        for section in self._sections:
            if isinstance(section, ThinkingBlock):
                section.finish(folds=section is not self._sections[-1])
            else:
                section.finish()

    def clear(self) -> None:
        """Begin again with nothing."""
        self._drop(0)
        self._text, self._held, self._parts, self._found = "", "", [], []
        self._is_over = self._opens_thinking = False
        self._place()

    def settle(self) -> None:
        """Show all of the text now."""
        for column in self.columns():
            column.settle()

    def thinking_seconds(self, seconds: float | None) -> None:
        """How long the thoughts took."""
        self._seconds = seconds
        for block in self.thinking:
            block.set_seconds(seconds)

    def set_pixels(self, pixels: int) -> None:
        """The size of body text; everything else follows."""
        if pixels != self._look.pixels:
            self._look.pixels = pixels
            self.restyle()

    def restyle(self) -> None:
        """Colours or sizes changed."""
        for section in self._sections:
            if isinstance(section, ThinkingBlock):
                section.restyle(self._look.pixels)
            else:
                section.restyle()

    def plain_text(self) -> str:
        """The text without its signs, a blank line between the blocks."""
        self.settle()
        return "\n\n".join(piece.words() for piece in self.pieces()).replace(BREAK, "")

    def selected_text(self) -> str:
        """What is selected; of several blocks, one below the other."""
        selected = (piece.selected_words() for piece in self.pieces())
        return "\n".join(words for words in selected if words).replace(BREAK, "")

    def matches(self, needle: str) -> list[Match]:
        """Where a text is found, whatever its case: block, start, length; all are lit up."""
        self.settle()
        self._found = find(self.pieces(), needle)
        light(self.pieces(), self._found, None)
        return self._found

    def show_match(self, number: int) -> QRect:
        """Make a match the current one; where it stands in this view, to be scrolled to."""
        block, start, length = self._found[number]
        piece = self.pieces()[block]
        for thoughts in self.thinking:
            if piece in thoughts.column.pieces:
                thoughts.set_open(True)
        light(self.pieces(), self._found, number)
        rect = piece.rect_of((start, length))
        return QRect(piece.mapTo(self, rect.topLeft()), rect.size())

    def clear_matches(self) -> None:
        """Put the lights of a search out."""
        self._found = []
        light(self.pieces(), [], None)

    def _take(self, fresh: str) -> None:
        """Text whose tags are whole: without one, it is the last part that grows."""
        seam = self._text[-_TAG_LENGTH:] + fresh
        self._text += fresh
        if self._sections and not has_tag(seam):
            self._column(-1).append(fresh)
            return
        parts, same = split_thinking(self._text, self._opens_thinking), 0
        while same < min(len(parts), len(self._parts)) and parts[same] == self._parts[same]:
            same += 1
        if same < min(len(parts), len(self._sections)) and self._continues(same, parts[same]):
            self._drop(same + 1)
            self._grow(same, parts[same])
            same += 1
        self._drop(same)
        for part in parts[same:]:
            self._add(part)
        self._parts = parts
        self._place()

    def _continues(self, number: int, part: Part) -> bool:
        """Whether a section shows the beginning of this part already."""
        section = self._sections[number]
        was_closed = self._parts[number].is_closed
        shown = self._column(number).text
        return (
            isinstance(section, ThinkingBlock) == (part.kind == "thinking")
            and not was_closed
            and part.text.startswith(shown)
        )

    def _grow(self, number: int, part: Part) -> None:
        column = self._column(number)
        column.append(part.text[len(column.text) :])
        if part.is_closed:
            self._sections[number].finish()

    def _column(self, number: int) -> Column:
        section = self._sections[number]
        return section.column if isinstance(section, ThinkingBlock) else section

    def _add(self, part: Part) -> None:
        section: Column | ThinkingBlock
        if part.kind == "thinking":
            section = ThinkingBlock(self._look, self)
            section.set_seconds(self._seconds)
        else:
            section = Column(self._look, self)
        self._sections.append(section)
        column = self._column(-1)
        column.link_requested.connect(self.link_requested)
        column.copied.connect(self.copied)
        section.resized.connect(self._place)
        section.fit(self._width)
        section.show()
        column.append(part.text)
        if part.is_closed:
            section.finish()

    def _drop(self, num_sections: int) -> None:
        """Keep the first sections only."""
        for section in self._sections[num_sections:]:
            section.resized.disconnect(self._place)
            section.hide()
            section.deleteLater()
        del self._sections[num_sections:]

    def _place(self) -> None:
        """Sections below each other; the height is theirs."""
        y = 0
        for section in self._sections:
            if section.content_height:
                y += _GAP if y else 0
                section.move(0, y)
                y += section.content_height
        if y != self.height() or self.minimumHeight() != y:
            self.setFixedHeight(y)
            self.grown.emit()

    def sizeHint(self) -> QSize:
        return QSize(640, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._width = self.width()
        for section in self._sections:
            section.fit(self._width)
