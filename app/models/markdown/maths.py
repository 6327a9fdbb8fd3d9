"""Formulas inside a line: `$…$`, `$$…$$`, `\\(…\\)` and `\\[…\\]`, told from prices."""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

_LONGEST = 2_000
_MATHS_SIGN = re.compile(r"[\\^_={}+<>|]")
_LONE = re.compile(r"^(?:[A-Za-z]|\d+)'*$|^[A-Za-z]\([A-Za-z, ]+\)$|^[\d.,]*[A-Za-z]$")


def add_maths(parser: MarkdownIt) -> None:
    """Teach a parser the four forms; tokens of type `maths` hold their source."""
    parser.inline.ruler.before("escape", "maths", _maths)


def _maths(state: StateInline, silent: bool) -> bool:
    sign = state.src[state.pos]
    if sign == "$":
        end = _dollars(state.src, state.pos)
    elif sign == "\\" and state.src[state.pos + 1 : state.pos + 2] in ("(", "["):
        closer = "\\)" if state.src[state.pos + 1] == "(" else "\\]"
        found = state.src.find(closer, state.pos + 2, state.pos + _LONGEST)
        end = found + 2 if found >= 0 else -1
    else:
        return False
    if end < 0:
        return False
    if not silent:
        token = state.push("maths", "", 0)
        token.content = state.src[state.pos : end]
    state.pos = end
    return True


def _dollars(text: str, start: int) -> int:
    """Where a formula in dollars ends; -1 for a price."""
    if text.startswith("$$", start):
        found = text.find("$$", start + 2, start + _LONGEST)
        return found + 2 if found > start + 2 else -1
    before = text[start - 1] if start else ""
    if before.isalnum() or text[start + 1 : start + 2].isspace():
        return -1
    end = text.find("$", start + 1, start + _LONGEST)
    content = text[start + 1 : end]
    if end < 0 or not content or content[-1].isspace() or "\n\n" in content:
        return -1
    if text[end + 1 : end + 2].isdigit():
        return -1
    # "5 or 6" between two dollars is money; a formula has a sign of one, or is a lone name.
    is_formula = _MATHS_SIGN.search(content) or _LONE.match(content)
    return end + 1 if is_formula else -1
