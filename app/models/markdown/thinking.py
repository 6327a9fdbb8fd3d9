"""What a model thought before it answered, told from the answer by its tags."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from app.models.markdown.fences import Fence, opened_by

PartKind = Literal["thinking", "text"]
_OPEN, _CLOSE = "<think>", "</think>"
_TAG = re.compile(r"</?think>")
_TICKS = re.compile("`+")
# Each part becomes a section of its own; beyond this many, tags are text.
_MOST_PARTS = 200


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a reply; `start` is where its text begins in the reply."""

    kind: PartKind
    text: str
    start: int
    is_closed: bool


def split_thinking(text: str, opens_thinking: bool) -> list[Part]:
    """Thinking and text in turn; a close without an open makes thinking of all before it.

    Blank stretches before a tag are no part: some models always write empty thoughts. Tags in
    fences or inline code are text. Only a tag that is written outside of them counts, and inside
    thinking a `</think>` on a line of its own always does: thoughts break off in the middle.
    """
    parts: list[Part] = []
    is_thinking, start = opens_thinking, 0
    tags = _tags(text, is_thinking)
    if not opens_thinking and tags and tags[0][1] == _CLOSE:
        is_thinking = True
    for place, tag in tags:
        if (tag == _CLOSE) != is_thinking:
            continue
        if len(parts) >= _MOST_PARTS and not is_thinking:
            break
        kind: PartKind = "thinking" if is_thinking else "text"
        if text[start:place].strip():
            parts.append(Part(kind, text[start:place], start, True))
        start, is_thinking = place + len(tag), not is_thinking
    if start < len(text) or not parts:
        parts.append(Part("thinking" if is_thinking else "text", text[start:], start, False))
    return parts


def held_tail(text: str) -> int:
    """How many characters at the end may be the beginning of a tag, and better wait."""
    for length in range(min(len(text), len(_CLOSE) - 1), 0, -1):
        tail = text[-length:]
        if _OPEN.startswith(tail) or _CLOSE.startswith(tail):
            return length
    return 0


def has_tag(text: str) -> bool:
    """Whether a tag is written anywhere in the text."""
    return _TAG.search(text) is not None


def _tags(text: str, is_thinking: bool) -> list[tuple[int, str]]:
    """Where tags stand that count."""
    found: list[tuple[int, str]] = []
    if _TAG.search(text) is None:
        return found
    fence: Fence | None = None
    place = 0
    for line in text.split("\n"):
        bare = line.rstrip("\r")
        for start, tag, is_code in _tags_of(bare):
            in_code = fence is not None or is_code
            if not in_code or (is_thinking and tag == _CLOSE and bare.strip() == _CLOSE):
                found.append((place + start, tag))
                is_thinking, fence = tag == _OPEN, None
        fence = opened_by(bare) if fence is None else fence.after(bare)
        place += len(line) + 1
    return found


def _tags_of(line: str) -> Iterator[tuple[int, str, bool]]:
    """The tags of a line: where, which, and whether inside of inline code."""
    tags = list(_TAG.finditer(line))
    spans = _code_spans(line) if tags and "`" in line else []
    at = 0
    for tag in tags:
        while at < len(spans) and spans[at][1] <= tag.start():
            at += 1
        yield tag.start(), tag[0], at < len(spans) and spans[at][0] < tag.start()


def _code_spans(line: str) -> list[tuple[int, int]]:
    """Where inline code stands: between two runs of equally many ticks, looked at once each."""
    ticks = [run.span() for run in _TICKS.finditer(line)]
    closers = [-1] * len(ticks)
    nearest: dict[int, int] = {}
    for number in range(len(ticks) - 1, -1, -1):
        length = ticks[number][1] - ticks[number][0]
        closers[number] = nearest.get(length, -1)
        nearest[length] = number
    spans: list[tuple[int, int]] = []
    number = 0
    while number < len(ticks):
        closer = closers[number]
        if closer >= 0:
            spans.append((ticks[number][0], ticks[closer][1]))
        number = max(closer, number) + 1
    return spans
