"""The text of a reply in the making, and how much of it the caches hold.

The caches always hold a prefix of `tokens`, so what is *pending* (emitted, not yet cached) need not
be kept anywhere: it is the rest. Rolling back is moving the caches; emitting is growing the text.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from engine.model.cache import Caches


@dataclass(slots=True)
class Context:
    """Prompt and emitted tokens, and the caches that follow them."""

    tokens: list[int]
    caches: Caches

    @property
    def position(self) -> int:
        """The length of the text: cached + pending."""
        return len(self.tokens)

    @property
    def pending(self) -> list[int]:
        """Tokens that are in the text but not yet in the caches."""
        return self.tokens[self.caches.length :]

    def emit(self, tokens: Iterable[int]) -> None:
        """Grow the text."""
        self.tokens.extend(tokens)
