"""What a model thought before it answered, told from the answer by its tags."""

import re
from dataclasses import dataclass
from typing import Literal

from app.models.markdown.fences import Fence, opened_by

PartKind = Literal["thinking", "text"]
_OPEN, _CLOSE = "<think>", "</think>"
_TAG = re.compile(r"</?think>")
_CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")


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
    fence: Fence | None = None
    place = 0
    for line in text.split("\n"):
        bare = line.rstrip("\r")
        spans = [span.span() for span in _CODE_SPAN.finditer(bare)] if "`" in bare else []
        for tag in _TAG.finditer(bare):
            in_code = fence is not None or any(a < tag.start() < b for a, b in spans)
            if not in_code or (is_thinking and tag[0] == _CLOSE and bare.strip() == _CLOSE):
                found.append((place + tag.start(), tag[0]))
                is_thinking, fence = tag[0] == _OPEN, None
        fence = opened_by(bare) if fence is None else fence.after(bare)
        place += len(line) + 1
    return found
