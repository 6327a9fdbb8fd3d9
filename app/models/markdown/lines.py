"""What one line of Markdown is, seen alone."""

import re
from dataclasses import dataclass

_MARKER = re.compile(r"^([-*+]|(\d{1,9})[.)])([ \t]+|$)")
_RULE = re.compile(r"^([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_HEADING = re.compile(r"^#{1,6}(?:[ \t]|$)")
_DELIMITER = re.compile(r"^:?-+:?$")


@dataclass(frozen=True, slots=True)
class Line:
    """A line by what may begin with it; an item's text begins at column `content`."""

    text: str
    indent: int
    is_blank: bool = False
    is_rule: bool = False
    is_heading: bool = False
    is_quote: bool = False
    is_item: bool = False
    interrupts: bool = False
    content: int = 0
    rest: str = ""

    @property
    def is_delimiters(self) -> bool:
        """Whether this could be the line below the heads of a table."""
        text = self.text.strip()
        if "|" not in text or "-" not in text or len(text) >= 2_000:
            return False
        cells = text.removeprefix("|").removesuffix("|").split("|")
        return all(_DELIMITER.match(cell.strip()) for cell in cells)


def read_line(text: str) -> Line:
    """The facts of a line without its end."""
    bare = text.lstrip(" \t")
    indent = len(text[: len(text) - len(bare)].expandtabs(4))
    if not bare.strip():
        return Line(text, 0, is_blank=True)
    if bare[0] in "-*_" and _RULE.match(bare):
        return Line(text, indent, is_rule=True)
    found = _MARKER.match(bare)
    if found is not None:
        gap = len(found[3].expandtabs(4))
        content = indent + len(found[1]) + (gap if 1 <= gap <= 4 else 1)
        is_empty = found.end() == len(bare.rstrip())
        interrupts = found[2] in (None, "1") and not is_empty
        rest = bare[found.end() :]
        return Line(text, indent, is_item=True, content=content, interrupts=interrupts, rest=rest)
    is_heading = indent < 4 and bool(_HEADING.match(bare))
    return Line(text, indent, is_heading=is_heading, is_quote=bare[0] == ">" and indent < 4)


def closer_of(text: str) -> str:
    """What ends the formulas that a line begins; nothing if it begins none."""
    bare = text.strip()
    for opener, closer in (("$$", "$$"), ("\\[", "\\]")):
        if bare.startswith(opener):
            within = bare.find(closer, 2)
            return closer if within < 0 or within == len(bare) - 2 else ""
    return ""
