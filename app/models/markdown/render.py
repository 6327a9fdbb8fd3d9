"""A segment of Markdown as blocks, read by markdown-it; what would take it too long stays text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

from app.models.markdown.blocks import HARD_LIMIT, Segment
from app.models.markdown.clean import clean
from app.models.markdown.fences import opened_by
from app.models.markdown.inline import plain_runs, runs_of
from app.models.markdown.line_breaks import add_line_breaks
from app.models.markdown.lines import read_line
from app.models.markdown.maths import add_maths
from app.models.markdown.values import Align, Block, Code, Place, Prose, Run, Runs, Table

_MAX_NESTING = 120
_MAX_DEPTH = 9
_MAX_LENGTH = 3 * HARD_LIMIT
_TASK = re.compile(r"^\[([ xX])\](?:\s|$)")
_UNDECIDED = re.compile(r"(?:^|\n)[ \t]*(?:[-=*+_#]{1,3}|\d{1,3}[.)])[ \t]*$")
_SIGNS = re.compile(r"(?:(?:[-*+>]|\d{1,9}[.)])[ \t]*){16}")
_MAX_INDENT = 40
_LIMITS = {"[": 250, "*": 900, "_": 900, "`": 900, "~": 600, "<": 600, "&": 1_500, "\\": 2_500}


def _parser() -> MarkdownIt:
    # References and underlined headings reach back or ahead; live, text would change its look.
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": _MAX_NESTING})
    parser.enable(["table", "strikethrough"]).disable(["reference", "lheading"])
    add_maths(parser)
    add_line_breaks(parser)
    return parser


_PARSER = _parser()


def render(segment: Segment) -> list[Block]:
    """The blocks of a segment."""
    place = Place(depth=min(segment.depth, _MAX_DEPTH))
    if segment.kind == "fence":
        return [_code(segment, place)]
    text = _dedent(segment.text, segment.indent) if segment.indent else segment.text
    if segment.kind == "maths":
        return [Prose(_verbatim(text), place, "maths")]
    if segment.kind == "plain" or _is_tangled(text):
        return [Prose(plain_runs(text), place, "plain")] if text.strip() else []
    if not segment.is_closed:
        text = _UNDECIDED.sub("", text)
    walk = _Walk(place)
    walk.read(iter(_PARSER.parse(segment.heads + text)))
    return walk.blocks


def _code(segment: Segment, place: Place) -> Code:
    """The content of a fence; the line that ends it is not part of it."""
    first, _, rest = segment.text.partition("\n")
    fence = opened_by(first.removesuffix("\r"))
    language = fence.language if fence is not None else ""
    if not segment.is_cut:
        rest = rest.removesuffix("\n")
        rest = rest[: max(rest.rfind("\n"), 0)]
    if segment.indent:
        rest = _dedent(rest, segment.indent)
    return Code(clean(language)[:40], clean(rest), place, segment.is_closed)


def _verbatim(text: str) -> Runs:
    return tuple(
        replace(run, kind="maths") if run.kind == "text" else run
        for run in plain_runs("\n".join(line.strip() for line in text.split("\n")))
    )


def _dedent(text: str, columns: int) -> str:
    """Lines without their first blank columns."""
    lines = []
    for line in text.split("\n"):
        bare = line.lstrip(" \t")
        blank = line[: len(line) - len(bare)].expandtabs(4)
        lines.append(blank[columns:] + bare)
    return "\n".join(lines)


def _is_tangled(text: str) -> bool:
    """Whether a text has more signs or levels than people write: reading it could take long."""
    if len(text) > _MAX_LENGTH or any(text.count(s) > most for s, most in _LIMITS.items()):
        return True
    for line in text.split("\n"):
        facts = read_line(line)
        if facts.indent >= _MAX_INDENT and (facts.is_item or facts.is_quote):
            return True
        if not facts.is_rule and _SIGNS.match(line.lstrip(" \t")):
            return True
    return False


@dataclass(slots=True)
class _List:
    """An open list: the number of its next item, and the sign that waits for its first block."""

    number: int | None


@dataclass(slots=True)
class _Walk:
    """A way through tokens, noting blocks."""

    base: Place
    blocks: list[Block] = field(default_factory=list)
    lists: list[_List] = field(default_factory=list)
    quotes: int = 0
    marker: str = ""
    is_tight: bool = False
    level: int = 0

    def read(self, tokens: Iterator[Token]) -> None:
        """Note the blocks of all tokens."""
        for token in tokens:
            kind = token.type
            if kind in ("bullet_list_open", "ordered_list_open"):
                start = token.attrGet("start")
                number = int(start) if start is not None else 1
                self.lists.append(_List(number if kind[0] == "o" else None))
            elif kind in ("bullet_list_close", "ordered_list_close"):
                self.lists.pop()
            elif kind == "list_item_open":
                self._open_item()
            elif kind == "list_item_close":
                if self.marker:
                    self._add(Prose((), self._place()))
            elif kind in ("blockquote_open", "blockquote_close"):
                self.quotes += 1 if kind == "blockquote_open" else -1
            elif kind == "table_open":
                self._add(_table(tokens, self._place()))
            else:
                self._leaf(token)

    def _leaf(self, token: Token) -> None:
        kind = token.type
        if kind == "paragraph_open":
            self.is_tight, self.level = token.hidden, 0
        elif kind == "heading_open":
            self.is_tight, self.level = False, int(token.tag[1])
        elif kind == "inline":
            self._inline(token)
        elif kind in ("fence", "code_block"):
            language = token.info.split(maxsplit=1)[0] if token.info.strip() else ""
            text = clean(token.content.removesuffix("\n"))
            self._add(Code(clean(language)[:40].lower(), text, self._place()))
        elif kind == "hr":
            self._add(Prose((), self._place(), "rule"))

    def _open_item(self) -> None:
        if self.marker:
            self._add(Prose((), self._place()))
        inner = self.lists[-1]
        self.marker = "•" if inner.number is None else f"{inner.number}."
        if inner.number is not None:
            inner.number += 1
        self.is_tight = True

    def _inline(self, token: Token) -> None:
        runs, place = runs_of(token.children or ()), self._place()
        if self.level:
            self._add(Prose(runs, place, "heading", self.level))
            return
        first = runs[0] if runs else Run("")
        task = _TASK.match(first.text) if place.marker and first.kind == "text" else None
        if task is not None:
            rest = replace(first, text=first.text[task.end() :].lstrip())
            runs = (rest, *runs[1:]) if rest.text else runs[1:]
            place = replace(place, is_done=task[1] != " ")
        is_maths = bool(runs) and all(run.kind in ("maths", "break") for run in runs)
        is_display = is_maths and runs[0].text.startswith(("$$", "\\["))
        self._add(Prose(runs, place, "maths" if is_display else "paragraph"))

    def _place(self) -> Place:
        """Where the next block stands; the sign of an item goes to its first."""
        depth = min(self.base.depth + len(self.lists), _MAX_DEPTH)
        marker, self.marker = self.marker, ""
        return Place(depth, min(self.quotes, _MAX_DEPTH), marker, None, self.is_tight)

    def _add(self, block: Block) -> None:
        self.blocks.append(block)


def _table(tokens: Iterator[Token], place: Place) -> Table:
    """The table whose opening token was just taken."""
    rows: list[list[Runs]] = []
    aligns: list[Align] = []
    for token in tokens:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "th_open":
            aligns.append(_align(str(token.attrGet("style") or "")))
        elif token.type == "inline":
            rows[-1].append(runs_of(token.children or ()))
    body = tuple(tuple(row) for row in rows[1:])
    return Table(tuple(rows[0]), body, tuple(aligns), place)


def _align(style: str) -> Literal["left", "center", "right"]:
    if style.endswith("center"):
        return "center"
    return "right" if style.endswith("right") else "left"
