"""Fences of code: which line opens one, and which closes it.

A fence closes at a line of at least as many of its own signs and nothing else. Inside a fence whose
language is Markdown, a fence with a language opens one more level, which the next bare fence
closes: models write ```markdown around ```python without counting signs. A fence that nothing
closes is code to the end.
"""

import re
from dataclasses import dataclass, replace

_FENCE = re.compile(r"^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})(.*)$", re.DOTALL)
# Deeper levels are not told apart.
_MOST_LEVELS = 50
_MARKDOWN = {"markdown", "md", "mdx", "gfm", "commonmark"}


_TICKS = re.compile("`+")
_SHORTEST = 3


def fence_around(text: str) -> str:
    """A fence that nothing in the text closes: longer than any run of backticks there."""
    return "`" * max(max(map(len, _TICKS.findall(text)), default=0) + 1, _SHORTEST)


@dataclass(frozen=True, slots=True)
class Fence:
    """An open fence: its sign, how many of them, its language, and the levels within."""

    sign: str
    count: int
    language: str
    inner: tuple[int, ...] = ()

    def after(self, line: str) -> "Fence | None":
        """The fence behind a line of its content; None where the line closed it."""
        found = _FENCE.match(line)
        if found is None or found[2][0] != self.sign:
            return self
        count, info = len(found[2]), found[3].strip()
        if info:
            nests = self.language in _MARKDOWN and len(self.inner) < _MOST_LEVELS
            return replace(self, inner=(*self.inner, count)) if nests else self
        if self.inner and count >= self.inner[-1]:
            return replace(self, inner=self.inner[:-1])
        return None if not self.inner and count >= self.count else self


def opened_by(line: str) -> Fence | None:
    """The fence that a line outside of any opens."""
    found = _FENCE.match(line)
    if found is None:
        return None
    words = found[3].strip().split(maxsplit=1)
    language = words[0].strip("{}.").lower() if words else ""
    return Fence(found[2][0], len(found[2]), language)
