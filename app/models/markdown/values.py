"""What Markdown becomes: a flat list of blocks, each of which knows its place."""

from dataclasses import dataclass
from typing import Literal
from unicodedata import bidirectional

RunKind = Literal["text", "code", "maths", "image", "break"]
Align = Literal["left", "center", "right"]
Look = Literal["paragraph", "heading", "rule", "maths", "plain"]


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of one kind; `target` makes it a link, `host` is where an image would come from."""

    text: str
    kind: RunKind = "text"
    is_bold: bool = False
    is_italic: bool = False
    is_struck: bool = False
    target: str = ""
    host: str = ""


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a block stands: in how many lists and quotes, and with what sign in front."""

    depth: int = 0
    quotes: int = 0
    marker: str = ""
    is_done: bool | None = None
    is_tight: bool = False


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph, a heading, a rule, or formulas on lines of their own."""

    runs: Runs
    place: Place = Place()
    look: Look = "paragraph"
    level: int = 0


@dataclass(frozen=True, slots=True)
class Code:
    """A fenced or indented stretch of code; open while it may still grow."""

    language: str
    text: str
    place: Place = Place()
    is_closed: bool = True


@dataclass(frozen=True, slots=True)
class Table:
    """Cells by row, the heads first; a part that goes on from another repeats its heads."""

    heads: tuple[Runs, ...]
    rows: tuple[tuple[Runs, ...], ...]
    aligns: tuple[Align, ...]
    place: Place = Place()

    @property
    def is_rtl(self) -> bool:
        """Whether its columns go from right to left, as the first letter of its heads does."""
        letters = (letter for cell in self.heads for run in cell for letter in run.text)
        sides = (bidirectional(letter) for letter in letters)
        return next((side for side in sides if side in ("L", "R", "AL")), "L") != "L"


Block = Prose | Code | Table
