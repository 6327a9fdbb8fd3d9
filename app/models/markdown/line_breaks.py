"""`<br>` as a line break: the only HTML that is read, for a table's cell has no other break."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

# A break of the source behind it is the same one.
_BREAK = re.compile(r"<br[ \t]*/?>(?:[ \t]*\n[ \t]*)?", re.IGNORECASE)


def add_line_breaks(parser: MarkdownIt) -> None:
    """Teach it to a parser."""
    parser.inline.ruler.before("autolink", "line_break", _line_break)


def _line_break(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "<":
        return False
    found = _BREAK.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        state.push("hardbreak", "br", 0)
    state.pos = found.end()
    return True
