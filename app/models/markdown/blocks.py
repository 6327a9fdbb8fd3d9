"""Cuts growing Markdown into segments that can be read one by one: closed ones, and the open end.

A segment is what no later text can change. Each line is looked at once when it is complete, and the
last one tentatively, so an append costs what it brings and what is open. Code in lists is a segment
of its own, at the depth of its item. Long lists, tables and quotes are cut between their rows; what
cannot be cut so is shown as plain text beyond a limit.
"""

from dataclasses import dataclass, replace
from typing import Literal

from app.models.markdown.fences import Fence, opened_by
from app.models.markdown.lines import Line, closer_of, read_line

SegmentKind = Literal["prose", "list", "quote", "fence", "table", "maths", "plain"]
SOFT_LIMIT = 1_500
HARD_LIMIT = 6_000
LINE_LIMIT = 6_000
TABLE_LIMIT = 900
_CHUNK = 1_800


@dataclass(frozen=True, slots=True)
class Segment:
    """Source to be read alone: less `indent` columns, at `depth`; a table's heads go before it."""

    kind: SegmentKind
    text: str
    start: int
    indent: int = 0
    depth: int = 0
    heads: str = ""
    is_closed: bool = True
    # Whether the line that ends a fence is missing.
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class _State:
    """Where the splitter stands: what is open, since where, and the lists around it."""

    kind: SegmentKind | None = None
    start: int = 0
    indent: int = 0
    depth: int = 0
    heads: str = ""
    fence: Fence | None = None
    closer: str = ""
    lists: tuple[int, ...] = ()
    num_lines: int = 0
    is_after_blank: bool = False


class Splitter:
    """`closed` only grows; `open_segments` is what the rest reads as so far."""

    def __init__(self) -> None:
        self.closed: list[Segment] = []
        self._text = ""
        self._line_start = 0
        self._scanned = 0
        self._state = _State()
        self.is_over = False

    @property
    def text(self) -> str:
        """All that was appended."""
        return self._text

    def append(self, text: str) -> None:
        """Add text at the end."""
        self._text += text
        while True:
            end = self._text.find("\n", self._scanned)
            self._scanned = len(self._text)
            stop = end if end >= 0 else len(self._text)
            if self._state.fence is None and stop - self._line_start > LINE_LIMIT:
                self._cut_line(stop)
            if end < 0:
                return
            self._feed(self._line_start, end, end + 1, self.closed)
            self._line_start = self._scanned = end + 1

    def finish(self) -> None:
        """Nothing follows: what is open is closed."""
        if not self.is_over:
            self.is_over = True
            if self._line_start < len(self._text):
                size = len(self._text)
                self._feed(self._line_start, size, size, self.closed)
                self._line_start = self._scanned = size
            self._close(len(self._text), self.closed)

    def open_segments(self) -> list[Segment]:
        """What is not closed, as it would be read if it ended here."""
        kept, result, size = self._state, list[Segment](), len(self._text)
        if self._line_start < size:
            self._feed(self._line_start, size, size, result)
        if self._state.kind is not None:
            result.append(self._segment(size, is_closed=False))
        self._state = kept
        return result

    def _segment(self, end: int, *, is_closed: bool) -> Segment:
        now, kind = self._state, self._state.kind or "prose"
        text, is_cut = self._text[now.start : end], now.fence is not None
        return Segment(kind, text, now.start, now.indent, now.depth, now.heads, is_closed, is_cut)

    def _close(self, end: int, into: list[Segment]) -> None:
        """End the open segment before `end`; the lists around it stay."""
        if self._state.kind is not None:
            into.append(self._segment(end, is_closed=True))
        self._state = _State(lists=self._state.lists)

    def _begin(self, kind: SegmentKind, start: int, into: list[Segment], **more: object) -> None:
        self._close(start, into)
        lists = self._state.lists if kind in ("list", "fence", "maths", "plain") else ()
        depth = len(lists) if kind != "list" else 0
        state = _State(kind, start, depth=depth, lists=lists, num_lines=1)
        self._state = replace(state, **more)  # type: ignore[arg-type]

    def _cut_line(self, stop: int) -> None:
        """A line without end is handed on in chunks of plain text, cut at spaces."""
        while stop - self._line_start > LINE_LIMIT:
            begin = self._line_start
            space = self._text.rfind(" ", begin + _CHUNK // 2, begin + _CHUNK)
            end = space + 1 if space >= 0 else begin + _CHUNK
            self._begin("plain", begin, self.closed, lists=())
            self._close(end, self.closed)
            self._line_start = end

    def _feed(self, begin: int, end: int, after: int, into: list[Segment]) -> None:
        """Take the line from `begin` to `end`; what follows its end begins at `after`."""
        text, now = self._text[begin:end].removesuffix("\r"), self._state
        if now.fence is not None:
            fence = now.fence.after(text)
            self._state = replace(now, fence=fence)
            if fence is None:
                self._close(after, into)
        elif now.kind == "maths" and begin - now.start <= HARD_LIMIT:
            if text.rstrip().endswith(now.closer) or not text.strip():
                self._close(after, into)
        else:
            if now.kind == "maths":  # Too long for formulas: the sign was none.
                self._close(begin, into)
            self._take(text, begin, after, into)

    def _take(self, text: str, begin: int, after: int, into: list[Segment]) -> None:
        """A line outside of code and formulas."""
        line = read_line(text)
        if line.is_blank:
            if self._state.kind in ("prose", "table", "quote"):
                self._close(after, into)
            self._state = replace(self._state, is_after_blank=True)
            return
        fence = opened_by(text) if line.text.lstrip()[0] in "`~" else None
        closer = closer_of(text) if fence is None else ""
        if fence is not None or closer:
            self._open_verbatim(line, begin, after, fence, closer, into)
        elif self._in_list(line, begin, into):
            self._open_in_item(line, begin, after, into)
        else:
            self._in_text(line, begin, after, into)
        if self._state.kind is not None:
            self._state = replace(self._state, is_after_blank=False)

    def _open_in_item(self, line: Line, begin: int, after: int, into: list[Segment]) -> None:
        """Code or formulas right behind the sign of an item."""
        if not line.is_item or line.rest[:1] not in ("`", "~", "$", "\\"):
            return
        fence = opened_by(line.rest)
        closer = closer_of(line.rest) if fence is None else ""
        if fence is not None or closer:
            inner = Line(line.rest, line.content)
            begin += len(line.text) - len(line.rest)
            self._open_verbatim(inner, begin, after, fence, closer, into)

    def _open_verbatim(
        self, line: Line, begin: int, after: int, fence: Fence | None, closer: str,
        into: list[Segment],
    ) -> None:  # fmt: skip
        lists = tuple(column for column in self._state.lists if column <= line.indent)
        self._close(begin, into)
        self._state = replace(self._state, lists=lists)
        kind: SegmentKind = "fence" if fence is not None else "maths"
        self._begin(kind, begin, into, indent=line.indent, fence=fence, closer=closer)
        if closer and len(line.text.strip()) >= 4 and line.text.rstrip().endswith(closer):
            self._close(after, into)

    def _in_list(self, line: Line, begin: int, into: list[Segment]) -> bool:
        """Whether the line belongs to a list, and has been taken as such."""
        now = self._state
        if now.kind == "plain" and not (now.is_after_blank and line.indent == 0):
            if begin - now.start > _CHUNK:
                self._begin("plain", begin, into)
            return True
        begins = line.is_item and (now.kind not in ("prose", "quote", "table") or line.interrupts)
        lists = tuple(column for column in now.lists if column <= line.indent)
        if not begins and not lists:
            is_lazy = now.kind == "list" and not now.is_after_blank
            if not is_lazy or line.is_heading or line.is_rule or line.is_quote:
                return False
            if begin - now.start > HARD_LIMIT:
                self._begin("plain", begin, into)
            return True
        is_top = not lists
        is_far = is_top and begin - now.start > SOFT_LIMIT
        if now.kind != "list" or line.indent < now.indent or is_far:
            # Behind code the item goes on: read as if its own column were the margin.
            indent = lists[-1] if lists else 0
            self._begin("list", begin, into, indent=indent, depth=len(lists))
        elif begin - now.start > HARD_LIMIT:
            self._begin("plain", begin, into)
            return True
        if begins:
            lists = (*lists, line.content)
        self._state = replace(self._state, lists=lists)
        return True

    def _in_text(self, line: Line, begin: int, after: int, into: list[Segment]) -> None:
        """A line outside of any list."""
        now, size = self._state, begin - self._state.start
        kind: SegmentKind = "quote" if line.is_quote else "prose"
        if now.kind == "table":
            if size > TABLE_LIMIT:
                heads = now.heads or self._first_lines(now.start, begin)
                self._begin("table", begin, into, heads=heads)
        elif now.kind == "prose" and now.num_lines == 1 and line.is_delimiters:
            self._state = replace(now, kind="table", num_lines=2)
        elif line.is_heading or line.is_rule:
            self._begin("prose", begin, into)
            self._close(after, into)
        elif (
            now.kind not in ("prose", "quote") or now.is_after_blank or self._cuts(line, now, size)
        ):
            self._begin(kind, begin, into)
        else:
            self._state = replace(now, num_lines=now.num_lines + 1)

    def _cuts(self, line: Line, now: _State, size: int) -> bool:
        """Whether a line goes on in a segment of its own."""
        if now.kind == "quote":
            return size > (SOFT_LIMIT if line.text.strip() == ">" else HARD_LIMIT)
        if line.is_quote or size > SOFT_LIMIT:
            return True
        # The first row of a table, unless the prose already is one.
        begins = self._text[now.start : now.start + 80].lstrip()
        return line.text.lstrip()[0] == "|" and not begins.startswith("|")

    def _first_lines(self, begin: int, end: int) -> str:
        """The heads of a table, and the line below them."""
        return "\n".join(self._text[begin:end].split("\n", 2)[:2]) + "\n"
