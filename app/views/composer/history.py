"""What was asked before, as one goes back through it; holds no widget."""

from collections.abc import Callable, Sequence


def _none() -> Sequence[str]:
    return ()


class History:
    """`source` gives the earlier questions, the oldest first.

    Going back begins where nothing is typed, and goes on as long as what it gave is unchanged.
    """

    def __init__(self) -> None:
        self.source: Callable[[], Sequence[str]] = _none
        self._entries: list[str] = []
        self._at = -1
        self._draft = ""

    def moved(self, steps: int, text: str) -> str | None:
        """What to show in place of `text`, one further back (1) or forth (-1); None: nothing."""
        is_walking = 0 <= self._at < len(self._entries) and text == self._entries[self._at]
        if not is_walking:
            if text.strip() or steps < 0:
                return None
            self._begin(text)
        at = self._at + steps
        if at >= len(self._entries) or at < -1:
            return None
        self._at = at
        return self._entries[at] if at >= 0 else self._draft

    def _begin(self, draft: str) -> None:
        self._draft, self._at, self._entries = draft, -1, []
        for text in reversed(self.source()):
            if text.strip() and (not self._entries or text != self._entries[-1]):
                self._entries.append(text)
